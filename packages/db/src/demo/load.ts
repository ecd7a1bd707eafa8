import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { addAnnouncements } from './announcements.ts'
import { demoAreas, rowsOf } from './areas.ts'
import { organisationName } from './chapters.ts'
import { copySheet } from './copy.ts'
import { addEvents } from './events.ts'
import { addFields } from './fields.ts'
import { addFiles } from './files.ts'
import { addIntegrations } from './integrations/integrations.ts'
import type { KeepDemoFile } from './files.ts'
import { addGiving } from './giving/giving.ts'
import { writeHistory, writeSummary } from './history.ts'
import { addInvoices } from './invoices.ts'
import { addConsents } from './consents.ts'
import { addAutomations } from './mailings/automations.ts'
import { addMessages } from './mailings/messages.ts'
import { noteAudiencesUsed } from './mailings/saved-audiences.ts'
import { addNotices } from './notices.ts'
import { addMemberships } from './memberships.ts'
import { addFrame, addGuestAndGrants, addHolders } from './organisation-rows.ts'
import { addPayments } from './payments.ts'
import { addPerson } from './person-rows.ts'
import { addReceipts } from './receipts.ts'
import { addRelationships } from './relationships.ts'
import { demoShapes } from './sizes.ts'
import type { DemoSize } from './sizes.ts'
import { columns, newSheet } from './tables.ts'
import { roleId, worldOf } from './world.ts'
import type { World } from './world.ts'

export type LoadDemoOptions = {
  /** A superuser of a migrated database. */
  adminUrl: string
  size: DemoSize
  /** Identity provider that the demo people sign in at. */
  issuer: string
  /** The day the organisation is at, as YYYY-MM-DD: the current one, or rights and counts would be of another day. */
  today: string
  seed?: number
  /** Another number of people in the tree of that size, for measurements. */
  people?: number
  onProgress?: (people: number, of: number) => void
  /** Makes and stores faces, the logo and papers; without it there are none. */
  keepFile?: KeepDemoFile
}

/** The demo organisation's id at the identity provider. */
export const demoIdpOrgId = 'demo'
const portion = 5_000
/** From here on it pays to build the indexes at the end. */
const manyPeople = 100_000

/**
 * Founds the demo organisation and fills it, all in one transaction: a load that breaks off leaves nothing behind.
 * Triggers are off, except those that derive a row's own columns and the tree; what else follows from other rows is counted once at the end.
 */
export async function loadDemo(options: LoadDemoOptions): Promise<{ orgId: string; people: number; rows: number }> {
  const { size, issuer, onProgress } = options
  const world = worldOf(options)
  const client = new pg.Client({ connectionString: options.adminUrl, options: '-c timezone=UTC' })
  await client.connect()
  try {
    const there = await client.query('select from app.organisations where idp_org_id = $1', [demoIdpOrgId])
    if (there.rowCount) throw new Error('This database already has the demo organisation.')
    await client.query('begin')
    await client.query(
      `set local session_replication_role = replica; set local maintenance_work_mem = '512MB'; set local synchronous_commit = off; set local jit = off`,
    )
    await client.query(`
      alter table app.people enable always trigger people_derive;
      alter table app.chapters enable always trigger chapters_place`)
    await found(client, world)
    const indexes = world.people > manyPeople ? await dropIndexes(client) : []
    const rows =
      (await fill(client, world, issuer, onProgress)) +
      (await fillAreas(client, world)) +
      (options.keepFile ? await addFiles(client, world, options.keepFile) : 0)
    for (const definition of indexes) await client.query(definition)
    await client.query(
      `analyze ${Object.keys(columns)
        .map((table) => `app.${table}`)
        .join(', ')}, app.chapter_ancestors`,
    )
    await client.query(
      `insert into app.group_counts (org_id, group_id) select distinct org_id, group_id from app.group_members where org_id = $1`,
      [world.orgId],
    )
    await client.query('select app.refresh_counts($1)', [world.orgId])
    if (demoShapes[size].history) await writeHistory(client, world)
    else await writeSummary(client, world)
    await client.query(`
      alter table app.people enable trigger people_derive;
      alter table app.chapters enable trigger chapters_place`)
    await client.query('commit')
    await client.query('analyze app.audit_entries, app.chapter_counts, app.group_counts')
    return { orgId: world.orgId, people: world.people, rows }
  } finally {
    // Closing the connection rolls back what was not committed.
    await client.end()
  }
}

export async function demoIsLoaded(adminUrl: string): Promise<boolean> {
  return withClient(adminUrl, async (client) => {
    const { rowCount } = await client.query('select from app.organisations where idp_org_id = $1', [demoIdpOrgId])
    return rowCount === 1
  })
}

/** Lets the demo people sign in at another address of the provider, as after a change of port. It is no change that anyone made, so no entry tells of it. */
export async function relinkDemoAccounts({ adminUrl, issuer }: { adminUrl: string; issuer: string }): Promise<number> {
  return withClient(adminUrl, async (client) => {
    await client.query('set session_replication_role = replica')
    const { rowCount } = await client.query(
      `update app.accounts a set issuer = $1 from app.organisations o
       where o.idp_org_id = $2 and a.org_id = o.org_id and a.subject is not null and a.issuer <> $1`,
      [issuer, demoIdpOrgId],
    )
    return rowCount ?? 0
  })
}

async function withClient<T>(adminUrl: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

/** The standard roles, under ids that follow from the seed like all the others. */
async function found(client: pg.Client, world: World): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select app.found_organisation($1, $2, $3, null) as id', [
    'meridian',
    organisationName,
    demoIdpOrgId,
  ])
  const made = rows[0]?.id
  const roles = await client.query<{ key: string }>('select key from app.roles where org_id = $1', [made])
  for (const { key } of roles.rows) {
    const id = roleId(world, key)
    await client.query(
      `update app.role_permissions set org_id = $1, role_id = $2 where role_id = (select id from app.roles where org_id = $3 and key = $4)`,
      [world.orgId, id, made, key],
    )
    await client.query('update app.roles set org_id = $1, id = $2 where org_id = $3 and key = $4', [world.orgId, id, made, key])
  }
  await client.query(
    `update app.organisations set org_id = $1, contact_email = 'office@example.org', public_chapters = true, timezone = 'Europe/London', locale = 'en-GB', currency = 'EUR',
       created_at = $3, updated_at = $3 where org_id = $2`,
    [world.orgId, made, world.chapters[0]?.createdAt],
  )
}

async function fillAreas(client: pg.Client, world: World): Promise<number> {
  let count = 0
  for (const area of demoAreas) {
    const rows = rowsOf(area, world)
    const names = Object.keys(rows[0] ?? {}).join(', ')
    await client.query(
      `insert into app.${area.table} (${names}) select ${names} from jsonb_populate_recordset(null::app.${area.table}, $1::jsonb)`,
      [JSON.stringify(rows)],
    )
    count += rows.length
  }
  await noteAudiencesUsed(client, world)
  return count + (await addIntegrations(client, world))
}

async function fill(client: pg.Client, world: World, issuer: string, onProgress: LoadDemoOptions['onProgress']): Promise<number> {
  const sheet = newSheet(world.orgId)
  let rows = 0
  addFrame(sheet, world)
  // The next portion is made while the server still takes in the last one.
  let sending = Promise.resolve(0)
  const send = async () => {
    const parts = sheet.take()
    rows += await sending
    sending = copySheet(client, parts)
    // Looked at when the next portion is ready; until then a failure is nobody's.
    sending.catch(() => {})
  }
  await send()
  for (let index = 0; index < world.people; index++) {
    addPerson(sheet, world, index, issuer)
    if (index % 100 === 0) await setImmediate()
    if ((index + 1) % portion === 0 || index + 1 === world.people) {
      await send()
      onProgress?.(index + 1, world.people)
    }
  }
  addGuestAndGrants(sheet, world, issuer)
  for (const added of addHolders(sheet, world, portion)) if (added > 0) await send()
  await send()
  rows += await sending
  return (
    rows +
    // First of all: children get their names and birth dates, which other rows repeat.
    (await addRelationships(client, world)) +
    (await agreeToBeNamed(client, world)) +
    (await addFields(client, world)) +
    (await addMemberships(client, world)) +
    (await addEvents(client, world)) +
    (await addInvoices(client, world)) +
    (await addGiving(client, world)) +
    (await addReceipts(client, world)) +
    (await addPayments(client, world)) +
    (await addNotices(client, world)) +
    (await addConsents(client, world)) +
    (await addAnnouncements(client, world)) +
    (await addMessages(client, world)) +
    (await addAutomations(client, world))
  )
}

/** Most of those who hold or held an office let it be known. */
async function agreeToBeNamed(client: pg.Client, world: World): Promise<number> {
  const { rowCount } = await client.query(
    `insert into app.public_names (org_id, person_id, agreed_at)
     select org_id, person_id, max(created_at) from app.position_holders where org_id = $1 and get_byte(uuid_send(person_id), 15) < 180 group by org_id, person_id`,
    [world.orgId],
  )
  return rowCount ?? 0
}

/** Building an index once is several times faster than growing it row by row; those that keep rows unique stay. Answers how to make them again. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'app'::regnamespace and not i.indisunique and c.relname = any ($1)`,
    [['people', 'person_emails', 'person_phones', 'person_tags', 'affiliations', 'group_members', 'position_holders', 'relationships']],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}
