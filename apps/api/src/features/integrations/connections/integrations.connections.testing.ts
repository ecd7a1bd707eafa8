import type { Connection } from '@guildhall/contract/features/integrations'
import type pg from 'pg'
import type { Client, NewPerson, TestOrganisation, TestPerson } from '../../../testing.ts'

/** An organisation with two chapters side by side, and those who look after them. */
export type Stage = {
  org: TestOrganisation
  west: string
  east: string
  admin: TestPerson
  officer: TestPerson
  mailer: TestPerson
  treasurer: TestPerson
  member: TestPerson
}

type Made = {
  organisation: () => Promise<TestOrganisation>
  chapter: (org: TestOrganisation, name: string) => Promise<string>
  person: (made?: NewPerson) => Promise<TestPerson>
}

export async function connectionStage({ organisation, chapter, person }: Made): Promise<Stage> {
  const org = await organisation()
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const holding = (role: string, chapterId?: string) => person({ org, grants: [{ role, ...(chapterId ? { chapterId } : {}) }] })
  return {
    ...{ org, west, east, admin: await holding('org-admin'), officer: await holding('chapter-admin', west) },
    ...{ mailer: await holding('communications'), treasurer: await holding('finance'), member: await person({ org }) },
  }
}

let names = 0
/** A row as it stands after somebody connected it, without asking anybody. */
export async function addConnection(admin: pg.Pool, { org }: Pick<Stage, 'org'>, more: Record<string, unknown> = {}): Promise<string> {
  names += 1
  const row = { org_id: org.id, connector: 'sandbox', category: 'crm', name: `Sandbox ${names}`, settings: {}, mapping: [], ...more }
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.connections (org_id, connector, category, name, chapter_id, state, syncs, settings, mapping, every_minutes, owner_account_id)
     select r.org_id, r.connector, r.category, r.name, r.chapter_id, 'connected', true, r.settings, r.mapping, r.every_minutes, r.owner_account_id
     from jsonb_populate_record(null::app.connections, $1) r returning id`,
    [JSON.stringify(row)],
  )
  return rows[0]?.id ?? ''
}

export async function addRun(
  admin: pg.Pool,
  org: TestOrganisation,
  connectionId: string,
  more: { state?: string; finished_at?: Date; is_dry?: boolean } = {},
): Promise<string> {
  const row = { org_id: org.id, connection_id: connectionId, state: 'queued', is_dry: false, ...more }
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.sync_runs (org_id, connection_id, trigger, mapping_version, state, finished_at, is_dry)
     select r.org_id, r.connection_id, 'manual', c.mapping_version, r.state, r.finished_at, r.is_dry
     from jsonb_populate_record(null::app.sync_runs, $1) r join app.connections c on c.org_id = r.org_id and c.id = r.connection_id returning id`,
    [JSON.stringify(row)],
  )
  return rows[0]?.id ?? ''
}

export const readConnection = async (client: Client, connectionId: string): Promise<Connection> =>
  (await client.get(`/data/connections/${connectionId}`)).body
/** Changes it with the version that it has. */
export async function act(client: Client, connectionId: string, how: string, body: unknown = {}) {
  const { version } = await readConnection(client, connectionId)
  return client.post(`/data/connections/${connectionId}/${how}`, body, { 'if-match': `"${version}"` })
}
export async function change(client: Client, connectionId: string, body: unknown, what = '') {
  const { version } = await readConnection(client, connectionId)
  return client.patch(`/data/connections/${connectionId}${what}`, body, { 'if-match': `"${version}"` })
}
