import type { MetricAlert } from '@guildhall/contract/features/integrations.metrics'
import { describe, expect } from 'vitest'
import { test } from '../../../testing.ts'
import type { Client } from '../../../testing.ts'
import { measureConnections } from './integrations.metrics.jobs.ts'
import { addPoints } from './integrations.metrics.queries.ts'
import { asWorker, connectionOf } from './integrations.metrics.testing.ts'

const hourMs = 3_600_000
const job = { id: 'test', signal: new AbortController().signal }
const match = (version: number) => ({ 'if-match': `"${version}"` })

type Inbox = { items: { kind: string; recordId: string; params: Record<string, unknown> }[] }
async function told(client: Client): Promise<Inbox['items']> {
  const { body } = await client.get('/data/notifications')
  const { items }: Inbox = body
  return items.toReversed().map(({ kind, recordId, params }) => ({ kind, recordId, params }))
}
const alertsOf = async (client: Client, connectionId: string) => {
  const { body } = await client.get(`/data/connections/${connectionId}/alerts`)
  const { items }: { items: MetricAlert[] } = body
  return items
}
type Connection = { state: string; failure: { reason?: string; params?: unknown } | null }

describe('alerts for metrics', () => {
  test('tell their owner once, and again only after the metric was back', async ({ api, admin, person, organisation }) => {
    const org = await organisation()
    const boss = await person({ org, idpRoles: ['org-admin'] })
    const client = api.as(boss)
    const success = new Date('2026-06-01T10:00:00Z')
    const { id } = await connectionOf(admin, org.id, { lastSuccessAt: success })
    const add = (alert: object) => client.post(`/data/connections/${id}/alerts`, alert)
    expect((await add({ metricType: 'freshness', above: 48 })).status).toBe(201)
    expect((await add({ metricType: 'errors', above: 5 })).status).toBe(201)
    expect(await add({ metricType: 'errors', above: 5 })).toMatchObject({ status: 409, body: { reason: 'metric_alert_exists' } })
    expect(await add({ metricType: 'volume', above: 5 })).toMatchObject({ status: 404, body: { reason: 'metric_unknown' } })
    for (const wrong of [{}, { above: 1, below: 1 }, { above: -1 }])
      expect((await add({ metricType: 'errors', ...wrong })).status).toBe(422)

    await asWorker(api, async (worker) => {
      const hoursAfter = (hours: number) => new Date(success.getTime() + hours * hourMs)
      const look = (hours: number) => measureConnections(worker, () => hoursAfter(hours))({}, job)
      await look(47)
      expect(await told(client)).toEqual([])
      await look(49)
      const first = {
        kind: 'connection-metric',
        recordId: id,
        params: { title: 'Mailing list', metric: 'freshness', value: 49, above: 48 },
      }
      expect(await told(client)).toEqual([first])
      const [fired] = await alertsOf(client, id)
      expect(Date.parse(fired?.firedAt ?? '')).toBe(hoursAfter(49).getTime())
      // Back and over it again within the day.
      await admin.query('update app.connections set last_success_at = $2 where id = $1', [id, hoursAfter(49)])
      await look(50)
      await admin.query('update app.connections set last_success_at = $2 where id = $1', [id, success])
      await look(51)
      expect((await alertsOf(client, id))[0]?.firedAt).not.toBeNull()
      await look(60)
      await look(80)
      expect(await told(client)).toEqual([first])
      // Back, and over it once more.
      await admin.query('update app.connections set last_success_at = $2 where id = $1', [id, hoursAfter(81)])
      await look(82)
      expect((await alertsOf(client, id))[0]?.firedAt).toBeNull()
      await look(81 + 50)
      expect((await told(client)).map(({ params }) => params['value'])).toEqual([49, 50])
      // Sums count the last 24 hours.
      await worker.database.withoutActor((db) =>
        addPoints(db, id, [
          { type: 'errors', at: hoursAfter(120), value: 3, direction: 'in' },
          { type: 'errors', at: hoursAfter(131), value: 3, direction: 'out' },
        ]),
      )
      await look(132)
      expect((await told(client)).at(-1)?.params).toEqual({ title: 'Mailing list', metric: 'errors', value: 6, above: 5 })
      await look(150)
      const [, errors] = await alertsOf(client, id)
      expect(errors?.firedAt).toBeNull()

      // Who no longer sees the connection is told nothing of it.
      await admin.query(`update app.accounts set idp_roles = '{}' where id = $1`, [boss.accountId])
      await worker.database.withoutActor((db) => addPoints(db, id, [{ type: 'errors', at: hoursAfter(151), value: 9 }]))
      await look(152)
      await admin.query(`update app.accounts set idp_roles = '{org-admin}' where id = $1`, [boss.accountId])
      expect(await told(client)).toHaveLength(3)
    })
    const [one, other] = await alertsOf(client, id)
    const remove = (alert: MetricAlert | undefined, version = alert?.version ?? 0) =>
      client.post(`/data/connections/${id}/alerts/${alert?.id}/remove`, {}, match(version))
    expect([(await remove(one, 9)).status, (await remove(one)).status, (await remove(one)).status]).toEqual([412, 204, 404])
    expect((await alertsOf(client, id)).map(({ id: alertId }) => alertId)).toEqual([other?.id])
    // They are each one's own.
    expect(await alertsOf(api.as(await person({ org, idpRoles: ['org-admin'] })), id)).toEqual([])
  })
})

test('a thousand alerts of somebody who has left stand in nobody’s way', async ({ api, admin, person, organisation }) => {
  const org = await organisation()
  const [gone, boss] = [await person({ org }), await person({ org, idpRoles: ['org-admin'] })]
  const { id } = await connectionOf(admin, org.id, { lastSuccessAt: new Date() })
  await admin.query(
    `insert into app.metric_alerts (org_id, connection_id, account_id, type, below) select $1, $2, $3, 'errors', n from generate_series(1, 1000) n`,
    [org.id, id, gone.accountId],
  )
  await admin.query(`update app.accounts set status = 'suspended' where id = $1`, [gone.accountId])
  const client = api.as(boss)
  expect((await client.post(`/data/connections/${id}/alerts`, { metricType: 'errors', below: 1 })).status).toBe(201)
  await asWorker(api, (worker) => measureConnections(worker)({}, job))
  expect(await told(client)).toMatchObject([{ kind: 'connection-metric', recordId: id }])
})

test('a promise of freshness that is broken degrades the connection and tells its owner, until data is fresh again', async ({
  api,
  admin,
  person,
  organisation,
}) => {
  const org = await organisation()
  const owner = await person({ org, idpRoles: ['org-admin'] })
  const client = api.as(owner)
  const success = new Date('2026-06-01T10:00:00Z')
  const made = { ownerId: owner.accountId, freshHours: 24, lastSuccessAt: success }
  const { id } = await connectionOf(admin, org.id, made)
  const paused = await connectionOf(admin, org.id, { ...made, name: 'Paused', state: 'paused' })
  const now = async (connectionId: string) => {
    const { rows } = await admin.query<Connection>('select state, failure from app.connections where id = $1', [connectionId])
    return rows[0]
  }
  await asWorker(api, async (worker) => {
    const look = (hours: number) => measureConnections(worker, () => new Date(success.getTime() + hours * hourMs))({}, job)
    await look(23.9)
    expect(await now(id)).toEqual({ state: 'connected', failure: null })
    await look(24.5)
    expect(await now(id)).toMatchObject({ state: 'degraded', failure: { reason: 'connection_not_fresh', params: { hours: 24 } } })
    await look(30)
    await look(60)
    const late = { kind: 'connection-trouble', recordId: id, params: { title: 'Mailing list', trouble: 'fresh' } }
    expect(await told(client)).toEqual([late])
    expect(await now(paused.id)).toMatchObject({ state: 'paused' })
    await admin.query('update app.connections set last_success_at = $2 where id = $1', [id, new Date(success.getTime() + 61 * hourMs)])
    await look(62)
    expect(await now(id)).toEqual({ state: 'connected', failure: null })
    await look(61 + 25)
    expect(await told(client)).toEqual([late, late])
    // What failed by itself is not made well by data that is fresh.
    await admin.query(
      `update app.connections set failure = '{"reason": "sync_unreachable", "detail": "x"}', last_success_at = $2 where id = $1`,
      [id, new Date(success.getTime() + 90 * hourMs)],
    )
    await look(91)
    expect(await now(id)).toMatchObject({ state: 'degraded', failure: { reason: 'sync_unreachable' } })
  })
  const { rows } = await admin.query<{ last: string; hours: number }>(
    `select last::float8 as last, count(*) over ()::int as hours from app.metric_hours where connection_id = $1 and type = 'freshness' order by hour`,
    [id],
  )
  expect(rows.map(({ last }) => last)).toEqual([23.9, 24.5, 30, 60, 1, 25, 1])
})
