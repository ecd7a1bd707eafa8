import { randomInt as random } from 'node:crypto'
import type { MetricAnswer, MetricOverview, MetricType } from '@guildhall/contract/features/integrations.metrics'
import { metricKinds } from '@guildhall/contract/features/integrations.metrics'
import { describe, expect } from 'vitest'
import { follow } from '../../../platform/records/changes-testing.ts'
import { test } from '../../../testing.ts'
import { addPoints, setPoints } from './integrations.metrics.queries.ts'
import type { MetricMeasurement } from './integrations.metrics.queries.ts'
import { asWorker, connectionOf, measuring } from './integrations.metrics.testing.ts'

const metric = ({ body }: { body: never }): MetricAnswer => body
const dayMs = 86_400_000
const day = (before = 0) => new Date(Date.now() - before * dayMs).toISOString().slice(0, 10)
const values = (points: MetricAnswer['points']) => points.map(({ value }) => value)

test('who looks at a connection is told of what is measured, where they see it', async ({
  api,
  variant,
  admin,
  person,
  organisation,
  chapter,
}) => {
  const org = await organisation()
  const { id } = await connectionOf(admin, org.id, { chapterId: await chapter(org, 'West') })
  const elsewhere = await chapter(org, 'East')
  const boss = await person({ org, idpRoles: ['org-admin'] })
  const officer = await person({ org, chapterId: elsewhere, grants: [{ role: 'chapter-admin', chapterId: elsewhere }] })
  const { app } = await variant({})
  const address = await app.listen({ port: 0 })
  const [seeing, other] = await Promise.all([boss, officer].map(({ token }) => follow(address, token, { connectionId: id })))
  try {
    for (const stream of [seeing, other]) await stream?.until(({ type }) => type === 'ready')
    await measuring(api, (db) => addPoints(db, id, [{ type: 'errors', value: 1 }]))
    expect(await seeing?.until(({ type }) => type === 'connection')).toEqual({ type: 'connection', connectionId: id })
    await other?.until(({ type }) => type === 'alive')
    expect(other?.events.map(({ type }) => type)).not.toContain('connection')
  } finally {
    seeing?.leave()
    other?.leave()
  }
})

describe('metrics of a connection', () => {
  test('count what was here before the connection, and a day without anything as nothing', async ({ api, admin, person, organisation }) => {
    const org = await organisation({ timezone: 'UTC' })
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const { id, slug } = await connectionOf(admin, org.id, { connector: 'stripe', category: 'payments' })
    await admin.query('update app.connections set created_at = now() where id = $1', [id])
    const at = (before: number) => new Date(`${day(before)}T10:00:00Z`)
    await measuring(api, (db) =>
      setPoints(
        db,
        id,
        [4, 2].map((before) => ({ type: 'volume', hour: at(before), value: 700, count: 1 })),
      ),
    )
    const asked = metric(await boss.get(`/data/connections/${slug}/metrics/volume?from=${day(5)}&to=${day(1)}`))
    expect(values(asked.points)).toEqual([null, 700, 0, 700, 0])
  })

  test('come to what a replay of their measurements comes to, by the organisation’s clock', async ({
    api,
    admin,
    person,
    organisation,
  }) => {
    // Half an hour beside UTC, and clocks go forward on 4 October 2026.
    const timezone = 'Australia/Adelaide'
    const org = await organisation({ timezone })
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const { id, slug } = await connectionOf(admin, org.id)
    const begin = Date.parse('2026-09-26T00:00Z')
    const points = Array.from(
      { length: 1_500 },
      (): Required<Pick<MetricMeasurement, 'at' | 'type' | 'value' | 'count'>> & MetricMeasurement => {
        const type = (['records', 'latency', 'quota'] as const)[random(3)] ?? 'records'
        const count = type === 'latency' ? 1 + random(4) : 1
        return {
          type,
          at: new Date(begin + random(14 * dayMs)),
          value: random(1_000),
          count,
          ...(type === 'records' && random(3) > 0 && { direction: random(2) ? ('in' as const) : ('out' as const) }),
        }
      },
    )
    // In portions, some of them at the same time.
    const portions = Array.from({ length: 10 }, (_, at) => points.slice(at * 150, (at + 1) * 150))
    await asWorker(api, ({ database }) => Promise.all(portions.map((portion) => database.withoutActor((db) => addPoints(db, id, portion)))))

    const clock = new Intl.DateTimeFormat('sv', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
    const replay = (type: MetricType, fits: (point: (typeof points)[number]) => boolean) => {
      const own = points.filter((point) => point.type === type && fits(point))
      const sum = own.reduce((total, { value }) => total + value, 0)
      if (own.length === 0) return type === 'records' ? 0 : null
      if (type === 'records') return sum
      if (type === 'latency') return sum / own.reduce((total, { count }) => total + count, 0)
      return own.toSorted((a, b) => a.at.getTime() - b.at.getTime()).at(-1)?.value
    }
    for (const type of ['records', 'latency', 'quota'] as const) {
      const days = metric(await boss.get(`/data/connections/${slug}/metrics/${type}?from=2026-09-25&to=2026-10-11&split=true`))
      expect(days.points).toHaveLength(17)
      for (const { at, value } of days.points) {
        const expected = replay(type, (point) => clock.format(point.at).startsWith(at))
        if (expected === null) expect(value, `${type} ${at}`).toBeNull()
        else expect(value, `${type} ${at}`).toBeCloseTo(expected ?? Number.NaN, 6)
      }
      const hours = metric(await boss.get(`/data/connections/${id}/metrics/${type}?from=2026-10-03&to=2026-10-05&bucket=hour`))
      expect(hours.points).toHaveLength(71)
      for (const { at, value } of hours.points) {
        const expected = replay(type, (point) => point.at.getTime() >= Date.parse(at) && point.at.getTime() < Date.parse(at) + 3_600_000)
        if (expected === null) expect(value, `${type} ${at}`).toBeNull()
        else expect(value, `${type} ${at}`).toBeCloseTo(expected ?? Number.NaN, 6)
      }
      const weeks = metric(await boss.get(`/data/connections/${id}/metrics/${type}?from=2026-09-25&to=2026-10-11&bucket=week`))
      expect(weeks.points.map(({ at }) => at)).toEqual(['2026-09-21', '2026-09-28', '2026-10-05'])
      if (type === 'records') {
        expect(days.total).toBe(replay('records', () => true))
        expect(weeks.total).toBe(days.total)
        expect(days.peak?.value).toBe(Math.max(...values(days.points).map(Number)))
        for (const part of days.parts ?? [])
          expect(values(part.points).reduce((sum: number, value) => sum + (value ?? 0), 0)).toBe(
            replay('records', ({ direction }) => direction === part.direction),
          )
      } else expect([days.total, days.parts]).toEqual([null, null])
      if (type === 'latency') expect(days.average).toBeCloseTo(Number(replay('latency', () => true)), 6)
      if (type === 'quota') expect(days.current).toBe(replay('quota', () => true))
    }
  })

  test('that are counted anew replace their hours, and days are the sum of these', async ({ api, admin, person, organisation }) => {
    const org = await organisation({ timezone: 'Asia/Kolkata' })
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const { id } = await connectionOf(admin, org.id)
    const at = (time: string) => new Date(`${day(3)}T${time}Z`)
    const set = (...hours: [string, number, number][]) =>
      measuring(api, (db) =>
        setPoints(
          db,
          id,
          hours.map(([time, value, count]) => ({ type: 'sync-runs' as const, hour: at(time), value, count })),
        ),
      )
    await measuring(api, (db) => addPoints(db, id, [{ type: 'sync-runs', at: at('08:10'), value: 4 }]))
    await set(['08:00', 7, 7], ['10:00', 2, 2], ['19:00', 5, 5])
    await set(['08:00', 6, 6])
    const days = async () => metric(await boss.get(`/data/connections/${id}/metrics/sync-runs?from=${day(3)}&to=${day(2)}`))
    // 08:10 UTC is in the hour of 13:00 there, as 08:00 is; 19:00 UTC is half past midnight of the day after.
    expect(values((await days()).points)).toEqual([8, 5])
    await set(['08:00', 0, 0], ['19:00', 0, 0])
    expect(values((await days()).points)).toEqual([2, 0])
    const hours = metric(await boss.get(`/data/connections/${id}/metrics/sync-runs?from=${day(3)}&to=${day(3)}&bucket=hour`))
    expect(values(hours.points).filter((value) => value)).toEqual([2])
  })

  test('belong to their day where clocks go back over midnight, and what is no number to none', async ({
    api,
    admin,
    person,
    organisation,
  }) => {
    const org = await organisation({ timezone: 'Atlantic/Azores' })
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const { id } = await connectionOf(admin, org.id)
    // The last Sunday of October: at one o'clock it is midnight once more.
    const end = new Date()
    const october = Date.UTC(end.getUTCFullYear() - (end.getUTCMonth() > 9 ? 0 : 1), 9, 31)
    const sunday = new Date(october - new Date(october).getUTCDay() * dayMs)
    const first = { type: 'sync-runs' as const, hour: sunday, value: 3, count: 3 }
    await measuring(api, (db) => setPoints(db, id, [first, { ...first, hour: new Date(sunday.getTime() + 3_600_000), value: Number.NaN }]))
    await measuring(api, (db) =>
      addPoints(db, id, [
        { type: 'sync-runs', at: new Date(sunday.getTime() + 3_700_000), value: 2 },
        { type: 'latency', value: Number.NaN },
        { type: 'latency', value: Number.POSITIVE_INFINITY },
      ]),
    )
    const [before, on] = [-1, 0].map((days) => new Date(sunday.getTime() + days * dayMs).toISOString().slice(0, 10))
    const of = async (query: string) => metric(await boss.get(`/data/connections/${id}/metrics/sync-runs?${query}`))
    expect(values((await of(`from=${before}&to=${on}`)).points)).toEqual([0, 5])
    const hours = values((await of(`from=${on}&to=${on}&bucket=hour`)).points)
    expect([hours.length, hours.slice(0, 3)]).toEqual([25, [3, 2, 0]])
    const { rows } = await admin.query(`select from app.metric_hours where connection_id = $1 and type = 'latency'`, [id])
    expect(rows).toEqual([])
  })

  test('are compared with as many days before, and answered in no more than 500 points', async ({ api, admin, person, organisation }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const { slug, id } = await connectionOf(admin, org.id)
    await measuring(api, (db) =>
      addPoints(db, id, [
        { type: 'errors', at: new Date(Date.now() - 2 * dayMs), value: 3 },
        { type: 'errors', at: new Date(Date.now() - 12 * dayMs), value: 5 },
      ]),
    )
    const of = async (query: string) => metric(await boss.get(`/data/connections/${slug}/metrics/errors?${query}`))
    const compared = await of(`from=${day(9)}&to=${day()}&compare=true`)
    expect([compared.total, compared.previous?.total, compared.previous?.points.length]).toEqual([3, 5, 10])
    expect([compared.current, compared.peak]).toEqual([0, { at: day(2), value: 3 }])
    const wide = await of(`from=${day(399)}&to=${day()}&bucket=hour`)
    expect([wide.bucket, wide.points.length, wide.total]).toEqual(['day', 400, 8])
    expect(await of(`from=${day(19)}&to=${day()}&bucket=hour`)).toMatchObject({ bucket: 'hour', total: 8 })
    for (const query of [`from=${day(400)}&to=${day()}`, `from=${day()}&to=${day(1)}`])
      expect(await boss.get(`/data/connections/${slug}/metrics/errors?${query}`)).toMatchObject({
        status: 422,
        body: { reason: 'metric_range' },
      })
    // Hours are forgotten after 400 days: that there was nothing is not known of them, as it is of days.
    const forgotten = `from=${day(405)}&to=${day(404)}`
    expect(values((await of(forgotten)).points)).toEqual([0, 0])
    expect(new Set(values((await of(`${forgotten}&bucket=hour`)).points))).toEqual(new Set([null]))
    // Nothing is known of days to come, nor of those before the connection.
    expect(values((await of(`from=${day(-1)}&to=${day(-2)}`)).points)).toEqual([null, null])
  })

  test('of an unknown name are answered with the known ones', async ({ api, admin, person, organisation }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const { slug } = await connectionOf(admin, org.id, { connector: 'chat', category: 'chat', name: 'Club chat' })
    const query = `from=${day(1)}&to=${day()}`
    for (const name of ['volume', 'nonsense'])
      expect(await boss.get(`/data/connections/${slug}/metrics/${name}?${query}`)).toMatchObject({
        status: 404,
        body: { reason: 'metric_unknown', params: { known: ['deliveries', 'failures', 'latency'] } },
      })
    expect(await boss.get(`/data/connections/club/metrics/latency?${query}`)).toMatchObject({
      status: 404,
      body: { reason: 'connection_unknown', params: { known: [slug] } },
    })
    const { body } = await boss.get(`/data/connections/${slug}/metrics`)
    const { items }: MetricOverview = body
    expect(items.map(({ type, unit, points }) => [type, unit, points.length])).toEqual([
      ['deliveries', 'count', 30],
      ['failures', 'count', 30],
      ['latency', metricKinds.latency.unit, 30],
    ])
  })

  test('are seen with the connection, and noted on by who manages it', async ({ api, admin, person, organisation, chapter }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const officer = async (chapterId: string) => api.as(await person({ org, chapterId, grants: [{ role: 'chapter-admin', chapterId }] }))
    const [here, there] = [await officer(west), await officer(east)]
    const bursar = api.as(await person({ org, grants: [{ role: 'finance' }] }))
    const sheet = await connectionOf(admin, org.id, { chapterId: west })
    const money = await connectionOf(admin, org.id, { connector: 'stripe', category: 'payments', name: 'Stripe' })
    const read = (client: typeof here, { slug }: typeof sheet, type: string) =>
      client.get(`/data/connections/${slug}/metrics/${type}?from=${day(1)}&to=${day()}`)
    expect((await read(here, sheet, 'records')).status).toBe(200)
    for (const [client, connection] of [
      [there, sheet],
      [bursar, sheet],
      [here, money],
    ] as const)
      expect(await read(client, connection, 'errors')).toMatchObject({ status: 404, body: { reason: 'connection_unknown' } })
    expect(metric(await read(bursar, money, 'volume'))).toMatchObject({ unit: 'money', currency: 'EUR', mayAnnotate: false })

    const note = { at: new Date().toISOString(), text: 'New list' }
    expect((await bursar.post(`/data/connections/${money.id}/annotations`, note)).status).toBe(403)
    expect((await there.post(`/data/connections/${sheet.id}/annotations`, note)).status).toBe(404)
    const { body } = await here.post(`/data/connections/${sheet.id}/annotations`, note)
    const { id }: { id: string } = body
    // What happened is noted by itself, and stays.
    await admin.query(`update app.connections set state = 'paused' where id = $1`, [sheet.id])
    await admin.query(`update app.connections set match_by = 'memberNo' where id = $1`, [sheet.id])
    const { annotations, mayAnnotate } = metric(await read(here, sheet, 'records'))
    expect(mayAnnotate).toBe(true)
    expect(annotations.map(({ text, event }) => text ?? event)).toEqual(['New list', 'paused', 'mapping'])
    const remove = (client: typeof here, annotationId = '') => client.del(`/data/connections/${sheet.id}/annotations/${annotationId}`)
    expect([(await remove(here, annotations[1]?.id)).status, (await remove(there, id)).status]).toEqual([404, 404])
    expect((await remove(here, id)).status).toBe(204)
    expect(metric(await read(here, sheet, 'records')).annotations).toHaveLength(2)
  })
})
