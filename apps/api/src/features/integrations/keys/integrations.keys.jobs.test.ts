import { expect } from 'vitest'
import { dailyUpkeep } from '../../../platform/jobs/upkeep.ts'
import { createServices } from '../../../platform/services.ts'
import { test } from '../../../testing.ts'
import { keySchedules } from './integrations.keys.jobs.ts'
import { makeKey } from './integrations.keys.testing.ts'

test('who made a key is told twice before it expires, and what it did is forgotten after 90 days', async ({
  api,
  admin,
  organisation,
  person,
}) => {
  const org = await organisation()
  const maker = await person({ org, idpRoles: ['org-owner'] })
  const owner = api.as(maker)
  const { key } = await makeKey(api.app, owner, { days: 100 })
  const { config, log } = api.services
  const worker = createServices(config, log, config.WORKER_DATABASE_URL)
  const signal = new AbortController().signal
  const told = async (days: number, who = owner) => {
    await admin.query(`update app.api_keys set expires_at = now() + make_interval(days => $2) where id = $1`, [key.id, days])
    await worker.database.withoutActor(async (db) => {
      for (const { run } of keySchedules()) await run(db, { org: maker.orgId, dueOn: '2026-01-01', dueAt: '2026-01-01T00:00:00Z' }, signal)
    })
    const { items } = (await who.get('/data/notifications')).body as { items: { kind: string; recordId: string; params: unknown }[] }
    return items.filter(({ kind, recordId }) => kind === 'key-expiring' && recordId === key.id)
  }
  expect(await told(15)).toHaveLength(0)
  expect(await told(13)).toMatchObject([{ params: { title: 'Website' } }])
  expect(await told(10)).toHaveLength(1)
  expect(await told(2)).toHaveLength(2)
  expect(await told(1)).toHaveLength(2)

  // Who may not make another one is of no help.
  const next = await person({ org, idpRoles: ['org-admin'] })
  await admin.query(`update app.accounts set idp_roles = '{}' where id = $1`, [maker.accountId])
  expect(await told(13, api.as(next))).toHaveLength(1)

  const use = (days: number) =>
    admin.query(
      `insert into app.api_key_uses (org_id, key_id, at, operation, method, status, count) values ($1, $2, date_trunc('minute', now()) - make_interval(days => $3), 'listPeople', 'GET', 200, 1)`,
      [maker.orgId, key.id, days],
    )
  await use(89)
  await use(91)
  await dailyUpkeep(worker)({}, { id: 'test', signal }).finally(() => worker.close())
  const { rows } = await admin.query('select 1 from app.api_key_uses where key_id = $1', [key.id])
  expect(rows).toHaveLength(1)
})
