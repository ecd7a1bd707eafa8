import { clockIn, daysFrom } from '@guildhall/contract/moments'
import { expect } from 'vitest'
import { createServices } from '../../../platform/services.ts'
import { test } from '../../../testing.ts'
import type { Client } from '../../../testing.ts'
import { eventJobs } from '../events.jobs.ts'

const url = '/data/events'
const match = (version: number) => ({ 'if-match': `"${version}"` })
type SeriesDate = { id: string; startsLocal: string; status: string; exception: boolean }
type Made = { id: string; version: number; startsAt: string; seriesId: string | null; repeats: unknown; series: { rule: string; dates: SeriesDate[] } | null; ticketTypes: { id: string; name: string; price: { amount: number } }[] } // prettier-ignore
const made = ({ body }: { body: unknown }) => body as Made
const read = async (client: Client, id: string) => made(await client.get(`${url}/${id}`))
const days = (event: Made) => (event.series?.dates ?? []).map(({ startsLocal }) => startsLocal)

const zone = 'Europe/Berlin'
const today = clockIn(zone, new Date()).date
/** A day ahead of clock changes, so that a series of half a year crosses one. */
const first = daysFrom(today, 3)
const choir = {
  ...{ title: 'Choir', timezone: zone, venueName: 'Hall', capacity: 20, startsAt: `${first}T17:00:00Z`, endsAt: `${first}T19:00:00Z` },
  ticketTypes: [{ name: 'Seat' }, { name: 'Standing' }],
  promoCodes: [],
  questions: [{ text: 'Which voice?' }],
  repeats: { every: 'week', interval: 2, untilOn: daysFrom(today, 160) },
}
const published = async (client: Client, more: Record<string, unknown> = {}) => {
  const draft = made(await client.post(url, { ...choir, ...more }))
  return made(await client.post(`${url}/${draft.id}/publish`, {}, match(draft.version)))
}

test('publishing a draft that repeats makes an event of each date, at the same time of day, with tickets and questions of its own', async ({
  api,
  organisation,
  person,
}) => {
  const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  const draft = made(await me.post(url, choir))
  expect(draft).toMatchObject({ seriesId: null, repeats: { every: 'week', interval: 2, weekdays: [] } })
  const start = made(await me.post(`${url}/${draft.id}/publish`, {}, match(draft.version)))
  expect(start).toMatchObject({ repeats: null, series: { rule: 'FREQ=WEEKLY;INTERVAL=2' }, seriesException: false })
  const clock = clockIn(zone, choir.startsAt).time
  expect(days(start)).toEqual(Array.from({ length: 12 }, (_, nth) => `${daysFrom(first, 14 * nth)}T${clock}:00`))
  const last = await read(me, start.series?.dates.at(-1)?.id ?? '')
  expect(last).toMatchObject({
    status: 'published',
    capacity: 20,
    taken: 0,
    seriesId: start.seriesId,
    questions: [{ text: 'Which voice?' }],
  })
  expect(last.ticketTypes.map(({ name }) => name)).toEqual(['Seat', 'Standing'])
  expect(last.ticketTypes[0]?.id).not.toBe(start.ticketTypes[0]?.id)
  // Each date has registrations of its own.
  expect(await me.post(`${url}/${last.id}/registrations`, { ticketTypeId: last.ticketTypes[0]?.id })).toMatchObject({ status: 201 })
  expect(await read(me, start.id)).toMatchObject({ taken: 0 })
})

test('a change is for one event, for those that follow, or for all ahead; what was changed apart stays as it is', async ({ api, organisation, person }) => {
  const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  const start = await published(me)
  const dates = start.series?.dates ?? []
  const change = async (nth: number, body: Record<string, unknown>) => {
    const { id, version } = await read(me, dates[nth]?.id ?? '')
    return me.patch(`${url}/${id}`, body, match(version))
  }
  const all = async () => Promise.all(dates.map(({ id }) => read(me, id)))
  expect(await change(2, { title: 'Choir with guests' })).toMatchObject({ status: 200, body: { seriesException: true } })
  expect(await change(4, { venueName: 'Church', scope: 'following' })).toMatchObject({ status: 200, body: { seriesException: false } })
  const places = (await all()).map((event) => (event as unknown as { venueName: string }).venueName)
  expect(places).toEqual([...Array<string>(4).fill('Hall'), ...Array<string>(8).fill('Church')])
  const titled = await change(6, { title: 'Chorus', scope: 'all' })
  expect(titled).toMatchObject({ status: 200 })
  expect((await all()).map((event) => (event as unknown as { title: string }).title)).toEqual(dates.map((_, nth) => (nth === 2 ? 'Choir with guests' : 'Chorus')))

  // Another time of day holds for all of them across the change of clocks; another day is for one.
  const edited = await read(me, dates[5]?.id ?? '')
  const later = (minutes: number) => new Date(Date.parse(edited.startsAt) + minutes * 60_000).toISOString()
  expect(await change(5, { startsAt: later(45), endsAt: later(165), scope: 'following' })).toMatchObject({ status: 200 })
  const clocks = new Set((await all()).slice(5).map(({ startsAt }) => clockIn(zone, startsAt).time))
  expect(clocks).toEqual(new Set([clockIn(zone, later(45)).time]))
  expect(await change(5, { startsAt: later(1440), endsAt: later(1560), scope: 'following' })).toMatchObject({ status: 422, body: { reason: 'event_series_day' } })
  expect(await change(5, { repeats: choir.repeats })).toMatchObject({ status: 422, body: { reason: 'event_series_rule' } })
}) // prettier-ignore

test('cancelling those that follow leaves those before, and ends the series', async ({ api, organisation, person }) => {
  const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  const start = await published(me)
  const cancel = async (nth: number, body: Record<string, unknown>) => {
    const { id, version } = await read(me, start.series?.dates[nth]?.id ?? '')
    return me.post(`${url}/${id}/cancel`, { reason: 'No choirmaster', ...body }, match(version))
  }
  expect(await cancel(1, {})).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  expect(await cancel(8, { scope: 'following' })).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  const after = await read(me, start.id)
  expect(after.series).toMatchObject({ untilOn: daysFrom(first, 14 * 8) })
  expect(after.series?.dates.map(({ status }) => status === 'cancelled')).toEqual(Array.from({ length: 12 }, (_, nth) => nth === 1 || nth >= 8))
}) // prettier-ignore

test('what makes no series is refused, and who may not publish starts none', async ({ api, organisation, person }) => {
  const org = await organisation()
  const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const refused = async (repeats: Record<string, unknown>) => {
    const { status, body } = await me.post(url, { ...choir, repeats: { every: 'week', ...repeats } })
    const { reason, errors } = body as { reason: string; errors: { path: string }[] }
    return [status, reason, errors[0]?.path]
  }
  expect(await refused({ untilOn: daysFrom(first, 3) })).toEqual([422, 'event_series_until', 'repeats.untilOn'])
  expect(await refused({ untilOn: daysFrom(first, 800) })).toEqual([422, 'event_series_length', 'repeats.untilOn'])
  const led = made(await me.post('/data/groups', { name: 'Choir', kind: 'interest', chapterId: org.rootChapterId })).id
  const one = await person({ org })
  await me.post(`/data/groups/${led}/members`, { personId: one.personId, role: 'leader' })
  const leader = api.as(one)
  const draft = made(await leader.post(url, { ...choir, groupId: led, ticketTypes: [] }))
  expect(draft.repeats).toMatchObject({ every: 'week' })
  expect(await leader.post(`${url}/${draft.id}/publish`, {}, match(draft.version))).toMatchObject({ status: 403 })
})

test('the worker makes events up to the horizon, like the last one, and none twice', async ({ api, organisation, person, admin }) => {
  const org = await organisation()
  const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const start = await published(me, { repeats: { ...choir.repeats, untilOn: daysFrom(today, 400) } })
  expect(days(start)).toHaveLength(14)
  // As if half of them had not been made yet.
  await admin.query(`update app.event_series set made_until = $2 where org_id = $1`, [org.id, daysFrom(first, 90)])
  await admin.query(`delete from app.events where org_id = $1 and starts_local::date > $2`, [org.id, daysFrom(first, 90)])
  const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
  const run = () => eventJobs(worker)({}, { id: 'one', signal: new AbortController().signal })
  await run()
  await run()
  await worker.close()
  const after = await read(me, start.id)
  expect(days(after)).toEqual(days(start))
  expect(await read(me, after.series?.dates.at(-1)?.id ?? '')).toMatchObject({ status: 'published', venueName: 'Hall', questions: [{ text: 'Which voice?' }] })
}) // prettier-ignore

type Lists = Made & {
  ticketTypes: { id: string; name: string; price: { amount: number } }[]
  questions: { id: string; text: string }[]
  promoCodes: { ticketTypeId: string | null }[]
}

test('tickets, questions and promo codes change for those that follow; registrations keep their ticket', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const start = await published(me)
  const dates = start.series?.dates ?? []
  const lists = async (nth: number) => (await read(me, dates[nth]?.id ?? '')) as Lists
  const later = await lists(6)
  const held = made(await me.post(`${url}/${later.id}/registrations`, { ticketTypeId: later.ticketTypes[1]?.id }))
  const edited = await lists(5)
  const [seat, standing] = edited.ticketTypes
  const change = {
    ticketTypes: [
      { id: standing?.id, name: 'Standing room', price: { amount: 500, currency: 'EUR' } },
      { id: seat?.id, name: 'Seat' },
      { name: 'Balcony' },
    ],
    questions: [
      { id: edited.questions[0]?.id, text: 'Soprano or alto?' },
      { text: 'Supper?', kind: 'flag' },
    ],
    promoCodes: [{ code: 'CHOIR', percent: 10, ticketTypeId: standing?.id }],
  }
  expect(await me.patch(`${url}/${edited.id}`, { ...change, scope: 'following' }, match(edited.version))).toMatchObject({ status: 200 })
  for (const nth of [5, 6, 11]) {
    const event = await lists(nth)
    expect(event.ticketTypes.map(({ name, price }) => [name, price.amount])).toEqual([
      ['Standing room', 500],
      ['Seat', 0],
      ['Balcony', 0],
    ])
    expect(event.questions.map(({ text }) => text)).toEqual(['Soprano or alto?', 'Supper?'])
    expect(event.promoCodes[0]?.ticketTypeId).toBe(event.ticketTypes[0]?.id)
  }
  expect((await lists(6)).ticketTypes.map(({ id }) => id).slice(0, 2)).toEqual([later.ticketTypes[1]?.id, later.ticketTypes[0]?.id])
  expect((await me.get(`/data/registrations/${held.id}`)).body).toMatchObject({
    status: 'confirmed',
    ticketType: { name: 'Standing room' },
  })
  expect((await lists(4)).ticketTypes.map(({ name }) => name)).toEqual(['Seat', 'Standing'])
})

test('another rule for the dates to come says before what it drops; dates with registrations stay alone, or are cancelled', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const start = await published(me, { ticketTypes: [], questions: [] })
  const dates = start.series?.dates ?? []
  const register = async (nth: number) => made(await me.post(`${url}/${dates[nth]?.id}/registrations`, {}))
  const [fifth, sixth] = [await register(5), await register(6)]
  // From the fifth on every four weeks: every other date stays, the others are dropped.
  const { id, version } = await read(me, dates[4]?.id ?? '')
  const rule = { repeats: { every: 'week', interval: 4, untilOn: daysFrom(today, 160) }, scope: 'following' }
  const preview = await me.post(`${url}/${id}/series/preview`, rule)
  expect(preview).toMatchObject({ status: 200, body: { startsOn: daysFrom(first, 14 * 4), stay: 4 } })
  expect(
    (preview.body as { dropped: { id: string; registrations: number }[] }).dropped.map((date) => [date.id, date.registrations]),
  ).toEqual([5, 7, 9, 11].map((nth) => [dates[nth]?.id, nth === 5 ? 1 : 0]))
  expect(await read(me, id)).toMatchObject({ version })
  const send = { ...rule, reason: 'Fewer rehearsals' }
  expect(await me.post(`${url}/${id}/series`, send, match(version))).toMatchObject({
    status: 422,
    body: { reason: 'event_series_dropped' },
  })
  const saved = made(await me.post(`${url}/${id}/series`, { ...send, dropped: 'keep' }, match(version)))
  expect(days(saved).map((at) => at.slice(0, 10))).toEqual([4, 6, 8, 10].map((nth) => daysFrom(first, 14 * nth)))
  expect(saved.series).toMatchObject({ rule: 'FREQ=WEEKLY;INTERVAL=4' })
  expect(await read(me, dates[5]?.id ?? '')).toMatchObject({ status: 'published', seriesId: null })
  expect(await read(me, dates[7]?.id ?? '')).toMatchObject({ status: 'cancelled', cancelReason: 'Fewer rehearsals' })
  for (const registration of [fifth, sixth])
    expect((await me.get(`/data/registrations/${registration.id}`)).body).toMatchObject({ status: 'confirmed' })
  // Those before are a series that makes no more, and a stale change is refused.
  expect((await read(me, start.id)).series).toMatchObject({ untilOn: daysFrom(first, 14 * 4 - 1) })
  expect(await me.post(`${url}/${id}/series`, { ...send, dropped: 'keep' }, match(version))).toMatchObject({ status: 412 })

  // A calendar takes over each date by itself: those that stay under their own UID, those dropped as cancelled.
  const file = async (eventId: string | undefined) => (await me.get(`${url}/${eventId}/ics`)).text
  expect(await file(dates[6]?.id)).toContain(`UID:${dates[6]?.id}@`)
  expect(await file(dates[6]?.id)).not.toContain('RRULE')
  expect(await file(dates[7]?.id)).toMatch(/STATUS:CANCELLED/)

  // Every week again: the dates between are made, at the same time of day across the change of clocks; cancelling is told as chosen.
  const again = await read(me, id)
  const weekly = { repeats: { every: 'week', interval: 1, untilOn: daysFrom(today, 160) }, scope: 'all', reason: 'More rehearsals' }
  const more = made(await me.post(`${url}/${id}/series`, weekly, match(again.version)))
  expect(new Set(days(more).map((at) => at.slice(11)))).toEqual(new Set([`${clockIn(zone, choir.startsAt).time}:00`]))
  expect(days(more)[1]?.slice(0, 10)).toBe(daysFrom(first, 14 * 4 + 7))
  const rarely = {
    repeats: { every: 'day', interval: 12, untilOn: daysFrom(today, 160) },
    scope: 'all',
    reason: 'Summer',
    dropped: 'cancel',
  }
  const { version: newest } = await read(me, id)
  expect(await me.post(`${url}/${id}/series`, rarely, match(newest))).toMatchObject({ status: 200 })
  expect((await me.get(`/data/registrations/${sixth.id}`)).body).toMatchObject({ event: { status: 'cancelled' } })
})

test('a rule for what is no series, is over, or is not theirs to change is refused', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const start = await published(me)
  const rule = { repeats: { every: 'week', interval: 1, untilOn: daysFrom(today, 160) }, scope: 'all' }
  const preview = (client: Client, eventId: string, body: object = rule) => client.post(`${url}/${eventId}/series/preview`, body)
  const single = made(await me.post(url, { ...choir, repeats: undefined }))
  expect(await preview(me, single.id)).toMatchObject({ status: 409, body: { reason: 'event_series_none' } })
  expect(await preview(me, start.id, { ...rule, repeats: { ...rule.repeats, untilOn: daysFrom(today, 900) } })).toMatchObject({
    status: 422,
    body: { reason: 'event_series_length' },
  })
  expect(await preview(api.as(await person({ org })), start.id)).toMatchObject({ status: 403 })
  expect(await preview(api.as(await person({ org: await organisation() })), start.id)).toMatchObject({ status: 404 })
  await admin.query(
    `update app.events set starts_at = now() - interval '3 hours', ends_at = now() - interval '2 hours' where series_id = $1`,
    [start.seriesId],
  )
  expect(await preview(me, start.id)).toMatchObject({ status: 409, body: { reason: 'event_series_over' } })
})

test('a copy of a series repeats by its rule for as long, from its new start', async ({ api, organisation, person }) => {
  const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  const start = await published(me)
  const startsOn = daysFrom(first, 15)
  const copy = made(
    await me.post(`${url}/${start.series?.dates[3]?.id}/copy`, { series: true, startsAt: `${startsOn}T18:00:00Z`, title: 'Second choir' }),
  )
  expect(copy).toMatchObject({ seriesId: null, repeats: { every: 'week', interval: 2, untilOn: daysFrom(today, 160 + 15) } })
  expect(made(await me.post(`${url}/${start.id}/copy`, {}))).toMatchObject({ repeats: null })
  const again = made(await me.post(`${url}/${copy.id}/publish`, {}, match(copy.version)))
  expect(days(again)[1]?.slice(0, 10)).toBe(daysFrom(startsOn, 14))
})
