import { hash } from 'node:crypto'
import type { FieldMapping, SyncChange, SyncError, SyncRun } from '@guildhall/contract/features/integrations'
import { expect } from 'vitest'
import * as z from 'zod'
import { createServices } from '../../../platform/services.ts'
import type { Services } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation, TestPerson } from '../../../testing.ts'
import { ask } from '../connectors/integrations.connector.actions.ts'
import { connectorError, jsonOf } from '../connectors/integrations.connector.rules.ts'
import type { Pushed, SyncConnector } from '../connectors/integrations.connector.rules.ts'
import { startRemote } from '../connectors/integrations.remote.testing.ts'
import type { Remote } from '../connectors/integrations.remote.testing.ts'
import type { Step, SyncOptions } from './integrations.running.jobs.ts'
import { workSync } from './integrations.sync.jobs.ts'

const Values = z.record(z.string(), z.string().nullable())
type Values = z.infer<typeof Values>
const Written = z.object({ id: z.string().nullable(), values: Values })
type Row = { id: string; version: number; values: Values }

/** Another system with people, over HTTP: pages in the order of their making, and people found by their e-mail address. */
export async function startDirectory(pageSize = 40) {
  const rows = new Map<string, Row>()
  let made = 0
  const hooks: { pulled?: (page: number) => void } = {}
  const add = (values: Values): Row => {
    made += 1
    const row = {
      id: `p${String(made).padStart(6, '0')}`,
      version: 1,
      values: { first: null, last: null, mail: null, town: null, groups: null, ...values },
    }
    rows.set(row.id, row)
    return row
  }
  const byMail = (mail: unknown) => [...rows.values()].find(({ values }) => values['mail'] === mail)
  const write = (asked: unknown) => {
    const { id, values } = Written.parse(asked)
    // What it has the key of already is not made again: that is what keeps a lost answer from making a double.
    const found = id === null ? byMail(values['mail']) : rows.get(id)
    const row = found ?? add({})
    Object.assign(row.values, values)
    row.version += 1
    return row
  }
  const remote = await startRemote(({ method, path, query, body }) => {
    if (path !== '/people') return { status: 404 }
    if (method === 'POST') return { status: 200, body: { rows: (Array.isArray(body) ? body : []).map(write) } }
    const after = query.get('after') ?? ''
    const all = [...rows.values()]
    const from = all.filter(({ id }) => id > after)
    const page = from.slice(0, pageSize)
    const answer = {
      status: 200,
      body: {
        rows: page.map((row) => ({ ...row, values: { ...row.values } })),
        next: from.length > pageSize ? page.at(-1)?.id : null,
        total: all.length,
      },
    }
    hooks.pulled?.(all.length - from.length)
    return answer
  })
  return { ...remote, rows, add, hooks, byMail }
}
export type Directory = Awaited<ReturnType<typeof startDirectory>>

const Page = z.object({
  rows: z.array(z.object({ id: z.string(), version: z.number(), values: Values })),
  next: z.string().nullable().default(null),
  total: z.number().default(0),
})
const readPage = (read: unknown) => Page.parse(read)

/** The connector of such a system. */
export const directoryConnector = ({ url }: Pick<Remote, 'url'>): SyncConnector => ({
  test: () => Promise.resolve([]),
  theirs: () => Promise.resolve([]),
  async pull(reach, cursor) {
    const { rows, next, total } = readPage(jsonOf(await ask(reach, `${url}/people?after=${cursor ?? ''}`, { maxBytes: 50_000_000 })))
    return {
      rows: rows.map(({ id, version, values }) => ({ externalId: id, version: String(version), values })),
      bad: [],
      cursor: next,
      total,
    }
  },
  async push(reach, rows) {
    const body = JSON.stringify(rows.map(({ externalId, values }) => ({ id: externalId, values })))
    const answer = readPage(
      jsonOf(
        await ask(reach, `${url}/people`, { method: 'POST', body, headers: { 'content-type': 'application/json' }, maxBytes: 50_000_000 }),
      ),
    )
    return rows.map(({ ourId }, at): Pushed => {
      const row = answer.rows[at]
      if (!row) throw connectorError('bad_answer')
      return { ourId, externalId: row.id, version: String(row.version), values: row.values }
    })
  },
})

export const bothWays: FieldMapping[] = (
  [
    ['givenName', 'first'],
    ['familyName', 'last'],
    ['primaryEmail', 'mail'],
    ['city', 'town'],
    ['tags', 'groups'],
  ] as const
).map(([ours, theirs]) => ({ ours, theirs, direction: 'both', rule: 'automatic' }))

/** Thrown where a test kills the worker, which then leaves everything as it is. */
export class Killed extends Error {}
export type Kill = { kill?: (step: Step) => boolean }

export type Synced = {
  org: TestOrganisation
  owner: TestPerson
  boss: Client
  there: Directory
  worker: Services
  connectionId: string
  map(mapping: FieldMapping[], more?: Record<string, unknown>): Promise<void>
  start(body?: Record<string, unknown>): Promise<{ status: number; body: SyncRun & { reason?: string } }>
  /** Works on a run until it has ended, or the worker is killed. */
  work(runId: string, options?: SyncOptions & Kill): Promise<void>
  run(body?: Record<string, unknown>, options?: SyncOptions & Kill): Promise<SyncRun>
  read(runId: string): Promise<SyncRun>
  changes(runId: string): Promise<SyncChange[]>
  errors(): Promise<SyncError[]>
  people(): Promise<{ given: string; family: string; mail: string | null; town: string | null; tags: string | null }[]>
}

export const test = base.extend<{
  synced: Synced
  connect(more?: { chapterId?: string; owner?: TestPerson; org?: TestOrganisation; pageSize?: number }): Promise<Synced>
}>({
  connect: async ({ variant, organisation, person, token, admin }, use) => {
    const ends: (() => Promise<void>)[] = []
    await use(async ({ chapterId, org: given, owner: owned, pageSize } = {}) => {
      const there = await startDirectory(pageSize)
      ends.push(there.close)
      const product = await variant({ OUTGOING_ALLOW: there.host })
      const org = given ?? (await organisation())
      const owner = owned ?? (await person({ org, idpRoles: ['org-owner'], chapterId: null }))
      // Work at size takes longer than a token lasts.
      const roles = { 'urn:zitadel:iam:org:project:guildhall-test:roles': { 'org-owner': { [org.id]: 'test' } } }
      const boss = product.as(owned ? owned.token : await token(owner, { ...roles, exp: Math.floor(Date.now() / 1_000) + 7_200 }))
      const { config, log } = product.services
      const worker = createServices(config, log, config.WORKER_DATABASE_URL)
      ends.push(() => worker.close())
      const made: { status: number; body: { id: string } } = await boss.post('/actions/connections', {
        connector: 'sandbox',
        name: 'Directory',
        chapterId: chapterId ?? null,
      })
      expect(made).toMatchObject({ status: 201, body: { state: 'connected' } })
      const connectionId = made.body.id
      const of = `/data/connections/${connectionId}`
      const read = async (runId: string): Promise<SyncRun> => (await boss.get(`${of}/runs/${runId}`)).body
      const start = (body: Record<string, unknown> = {}): ReturnType<Synced['start']> =>
        boss.post(`/actions/connections/${connectionId}/runs`, body)
      const work = async (runId: string, { kill, ...options }: SyncOptions & Kill = {}) => {
        const end = new AbortController()
        await workSync(worker, { orgId: org.id, accountId: owner.accountId, runId }, end.signal, {
          connectorOf: () => directoryConnector(there),
          pause: () => Promise.resolve(),
          at(step) {
            if (!kill?.(step)) return
            end.abort()
            throw new Killed()
          },
          ...options,
        })
      }
      const synced: Synced = {
        ...{ org, owner, boss, there, worker, connectionId, start, work, read },
        async map(mapping, more = {}) {
          const { body }: { body: { version: number } } = await boss.get(`${of}/mapping`)
          expect(
            await boss.patch(`${of}/mapping`, { mapping, matchBy: 'primaryEmail', ...more }, { 'if-match': `"${body.version}"` }),
          ).toMatchObject({ status: 200 })
        },
        async run(body = {}, options = {}) {
          const started = await start(body)
          expect(started).toMatchObject({ status: 202 })
          await work(started.body.id, options)
          return read(started.body.id)
        },
        changes: async (runId) => {
          const { body }: { body: { items: SyncChange[] } } = await boss.get(`${of}/runs/${runId}/changes?limit=200`)
          return body.items
        },
        errors: async () => {
          const { body }: { body: { items: SyncError[] } } = await boss.get(`${of}/errors?state=open&limit=200`)
          return body.items
        },
        people: async () => {
          const { rows } = await admin.query<{
            given: string
            family: string
            mail: string | null
            town: string | null
            tags: string | null
          }>(
            `select p.given_name as given, p.family_name as family, (select e.address from app.person_emails e where e.person_id = p.id and e.is_primary) as mail,
              (select nullif(c.city, '') from app.person_contacts c where c.person_id = p.id) as town,
              (select string_agg(t.name, '; ' order by lower(t.name)) from app.person_tags x join app.tags t on t.id = x.tag_id where x.person_id = p.id) as tags
            from app.people p where p.org_id = $1 order by 3, 1`,
            [org.id],
          )
          return rows
        },
      }
      await synced.map(bothWays)
      return synced
    })
    for (const end of ends.reverse()) await end()
  },
  synced: async ({ connect }, use) => use(await connect()),
})

/** Draws that a seed repeats. */
export function drawing(seed: string) {
  let drawn = 0
  return (below: number) => {
    drawn += 1
    return parseInt(hash('sha256', `${seed} ${drawn}`).slice(0, 8), 16) % below
  }
}
