import type { Automation, AutomationLogEntry, AutomationRun } from '@guildhall/contract/features/communication.automations'
import type pg from 'pg'
import { expect } from 'vitest'
import type { Services } from '../../../platform/services.ts'
import type { Client, NewPerson, TestOrganisation, TestPerson } from '../../../testing.ts'
import { test as base } from '../sending/communication.sending.testing.ts'
import { automationJobs } from './communication.automations.jobs.ts'

export type Paged<Item> = { items: Item[]; total: number }
type Club = {
  org: TestOrganisation
  boss: Client
  worker: Services
  tag: string
  join(more?: NewPerson): Promise<TestPerson>
  give(personId: string | null, tagId?: string): Promise<void>
  /** A round of the worker. */
  round(): Promise<void>
  /** Lets so many days pass for everybody who waits. */
  pass(days: number): Promise<void>
  make(body: Record<string, unknown>, by?: Client): Promise<Automation>
  activate(automation: Automation, body?: Record<string, unknown>, by?: Client): Promise<Automation>
  runs(automation: Automation): Promise<AutomationRun[]>
  log(run: AutomationRun | undefined): Promise<string[]>
  tagged(personId: string | null): Promise<string[]>
}

export const act = (client: Client, { id, version }: { id: string; version: number }, verb: string, body: object = {}) =>
  client.post(`/data/automations/${id}/${verb}`, body, { 'if-match': `"${version}"` })
export const addTag = async (admin: pg.Pool, org: TestOrganisation, name: string) => {
  const { rows } = await admin.query<{ id: string }>('insert into app.tags (org_id, name) values ($1, $2) returning id', [org.id, name])
  return rows[0]?.id ?? ''
}

export const test = base.extend<{ club: Club }>({
  club: async ({ api, organisation, person, admin, post }, use) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const worker = post.services
    const tag = await addTag(admin, org, 'New')
    const club: Club = {
      ...{ org, boss, worker, tag },
      join: (more = {}) => person({ org, ...more }),
      async give(personId, tagId = tag) {
        await admin.query('insert into app.person_tags (org_id, person_id, tag_id) values ($1, $2, $3)', [org.id, personId, tagId])
      },
      round: () => automationJobs(worker)({}, { id: 'job', signal: new AbortController().signal }),
      async pass(days) {
        await admin.query(
          `update app.automation_runs set next_at = next_at - make_interval(days => $2) where org_id = $1 and state = 'active'`,
          [org.id, days],
        )
      },
      async make(body, by = boss) {
        const made = await by.post('/data/automations', { name: 'Welcome', trigger: { on: 'tag_added', tagId: tag }, ...body })
        expect(made).toMatchObject({ status: 201 })
        return made.body
      },
      async activate(automation, body = {}, by = boss) {
        const active = await act(by, automation, 'activate', body)
        expect(active).toMatchObject({ status: 200, body: { status: 'active' } })
        return active.body
      },
      async runs({ id }) {
        const { body }: { body: Paged<AutomationRun> } = await boss.get(`/data/automations/${id}/runs`)
        return body.items
      },
      async log(run) {
        const { body }: { body: { items: AutomationLogEntry[] } } = await boss.get(`/data/automation-runs/${run?.id ?? ''}/log`)
        return body.items.map(({ step, kind }) => `${step} ${kind}`)
      },
      async tagged(personId) {
        const { rows } = await admin.query<{ name: string }>(
          'select t.name from app.person_tags p join app.tags t on t.org_id = p.org_id and t.id = p.tag_id where p.person_id = $1 order by 1',
          [personId],
        )
        return rows.map(({ name }) => name)
      },
    }
    await use(club)
    // Rounds look at every organisation, and other files would meet what this one left.
    await admin.query(`update app.automations set status = 'archived', pause_reason = null where org_id = $1`, [org.id])
  },
})
