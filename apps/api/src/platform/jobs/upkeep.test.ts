import { Readable, Writable } from 'node:stream'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { createLog } from '../observability/log.ts'
import { createServices } from '../services.ts'
import type { Services } from '../services.ts'
import { test } from '../../testing.ts'
import { dailyUpkeep, refreshDataHealth, upkeepSchedules } from './upkeep.ts'

const job = { id: 'test', signal: new AbortController().signal }

async function asWorker(services: Services, run: (worker: Services) => Promise<void>) {
  const { config, log } = services
  const worker = createServices(config, log, config.WORKER_DATABASE_URL)
  await run(worker).finally(() => worker.close())
}

/** What a schedule does for one organisation. */
const daily = (worker: Services, name: string, org: string) =>
  worker.database.withoutActor(async (db) => {
    const schedule = upkeepSchedules(worker).find((one) => one.name === name)
    await schedule?.run(db, { org, dueOn: '2026-01-01', dueAt: '2026-01-01T00:00:00Z' }, job.signal)
  })

test('a new day corrects counts that dates have overtaken', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  await person({ org })
  await admin.query(`alter table app.affiliations disable trigger user`)
  await admin.query(`update app.affiliations set ends_on = current_date - 1 where org_id = $1`, [org.id])
  await admin.query(`alter table app.affiliations enable trigger user`)
  const count = async () =>
    (await admin.query(`select people from app.chapter_counts where org_id = $1 and kind = 'member'`, [org.id])).rows
  expect(await count()).toEqual([{ people: 1 }])
  await asWorker(api.services, (worker) => daily(worker, 'day-counts', org.id))
  expect(await count()).toEqual([{ people: 0 }])
})

test('every night notices an audit log that was changed behind its back, and nothing in one that is whole', async ({
  api,
  admin,
  organisation,
  person,
}) => {
  const [whole, changed] = [await organisation(), await organisation()]
  for (const org of [whole, changed]) await api.as(await person({ org, idpRoles: ['org-owner'] })).post('/data/tags', { name: 'Noted' })
  const broken = async (run: () => Promise<void>) => {
    const lines: string[] = []
    const out = new Writable({ write: (line, _encoding, done) => (lines.push(String(line)), done()) })
    await asWorker({ ...api.services, log: createLog('error', out) }, async (worker) => {
      await run()
      for (const { id } of [whole, changed]) await daily(worker, 'audit-check', id)
    })
    return lines.map((line) => (JSON.parse(line) as { org: string }).org)
  }
  expect(await broken(async () => undefined)).toEqual([])
  // The log of any organisation is for the worker to walk, not for a server that answers people.
  const asServer = api.services.database.withoutActor((db) => sql`select app.verify_audit_of(${whole.id})`.execute(db))
  await expect(asServer).rejects.toMatchObject({ code: '42501' })
  const tamper = async (sign: string) => {
    await admin.query('alter table app.audit_entries disable trigger user')
    await admin.query(`update app.audit_entries set at = at ${sign} interval '1 second' where org_id = $1 and seq = 1`, [changed.id])
    await admin.query('alter table app.audit_entries enable trigger user')
  }
  expect(await broken(() => tamper('+'))).toEqual([changed.id])
  await tamper('-')
})

test('the daily work removes expired files and forgets old idempotency keys, and nothing younger', async ({
  api,
  admin,
  organisation,
  person,
}) => {
  const org = await organisation()
  const { accountId } = await person({ org })
  const { files } = api.services
  for (const [name, expires] of [
    ['old', '-1 hour'],
    ['new', '1 hour'],
  ]) {
    const key = `exports/${org.id}-${name}`
    await files.write(key, Readable.from(['a,b']))
    await admin.query(
      `with j as (insert into app.job_progress (org_id, account_id, kind, title) values ($1, $2, 'export', 'x') returning id)
       insert into app.exports (org_id, account_id, list, format, spec, job_id, file_key, expires_at) select $1, $2, 'people', 'csv', '{}', j.id, $3, now() + $4::interval from j`,
      [org.id, accountId, key, expires],
    )
    await admin.query(
      `insert into app.idempotency_keys (org_id, account_id, key, operation, body_hash, created_at) values ($1, $2, $3, 'x', 'x', now() + $4::interval)`,
      [org.id, accountId, `key-${name}-1`, name === 'old' ? '-8 days' : '-6 days'],
    )
  }
  await asWorker(api.services, (worker) => dailyUpkeep(worker)({}, job))
  expect(await files.size(`exports/${org.id}-old`)).toBeNull()
  expect(await files.size(`exports/${org.id}-new`)).toBe(3)
  const left = async (column: string, table: string) =>
    (await admin.query(`select ${column} as value from app.${table} where org_id = $1 and ${column} is not null`, [org.id])).rows.map(
      ({ value }) => String(value),
    )
  expect(await left('file_key', 'exports')).toEqual([`exports/${org.id}-new`])
  expect(await left('key', 'idempotency_keys')).toEqual(['key-new-1'])
})

test('gaps in the data are counted by home chapter', async ({ api, admin, organisation, chapter, person }) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  await person({ org, chapterId: west, email: 'a@example.org' })
  await person({ org, chapterId: west })
  await admin.query(`insert into app.people (org_id, given_name) values ($1, 'Nomad')`, [org.id])
  for (let round = 0; round < 2; round++) await asWorker(api.services, (worker) => refreshDataHealth(worker)({}, job))
  const { rows } = await admin.query(
    `select chapter_id, people, without_email from app.data_health where org_id = $1 order by chapter_id`,
    [org.id],
  )
  expect(rows).toEqual([
    { chapter_id: west, people: 2, without_email: 1 },
    { chapter_id: null, people: 1, without_email: 1 },
  ])
})

test('a sender and a request cannot do the worker’s work', async ({ api }) => {
  await expect(refreshDataHealth(api.services)({}, job)).rejects.toThrow('permission denied')
})
