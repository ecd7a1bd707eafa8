import type { EventAnalytics, EventComparison, EventFigures, EventsOverview } from '@guildhall/contract/features/events.analytics'
import fc from 'fast-check'
import type pg from 'pg'
import { describe, expect } from 'vitest'
import { test } from '../../../testing.ts'
import type { Client, TestOrganisation } from '../../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
type Event = { id: string; version: number; questions: { id: string }[]; ticketTypes: { id: string }[] }
type Registration = { id: string; ticketCode: string; invoice: { id: string } | null }

async function published(boss: Client, more: Record<string, unknown> = {}): Promise<Event> {
  const facts = { title: 'Picnic', startsAt: '2090-07-01T16:00:00Z', venueName: 'Park', visibility: 'public' }
  const event = (await boss.post('/data/events', { ...facts, ...more })).body as Event
  return (await boss.post(`/data/events/${event.id}/publish`, {}, match(event.version))).body
}
const register = async (client: Client, event: { id: string }, more: Record<string, unknown> = {}) =>
  (await client.post(`/data/events/${event.id}/registrations`, more)).body as Registration
const analytics = async (client: Client, { id }: { id: string }, query = '') =>
  (await client.get(`/data/events/${id}/analytics${query}`)).body as EventAnalytics
const compared = async (client: Client, query: string) => (await client.get(`/data/events/analytics?${query}`)).body as EventComparison

// Any events with any registrations, entered as they are ----------------------------------------------------------------------------------

const statuses = [
  'pending_approval',
  'pending_payment',
  'confirmed',
  'waitlisted',
  'offered',
  'cancelled',
  'rejected',
  'checked_in',
] as const
const AnyEvent = fc.record({
  day: fc.integer({ min: -500, max: 40 }),
  hour: fc.integer({ min: 0, max: 23 }),
  kind: fc.constantFrom('meeting', 'social', 'training'),
  mode: fc.constantFrom('in_person', 'online', 'hybrid'),
  timezone: fc.constantFrom('UTC', 'Pacific/Auckland', 'America/Los_Angeles'),
  capacity: fc.option(fc.integer({ min: 30, max: 60 })),
  status: fc.constantFrom('published', 'published', 'published', 'cancelled', 'archived', 'draft'),
  east: fc.boolean(),
  registrations: fc.array(
    fc.record({
      status: fc.constantFrom(...statuses),
      who: fc.option(fc.integer({ min: 0, max: 7 })),
      source: fc.constantFrom('self', 'organiser', 'public', 'import'),
    }),
    { maxLength: 12 },
  ),
})
type AnyEvent = typeof AnyEvent extends fc.Arbitrary<infer T> ? T : never
type Stage = { org: TestOrganisation; east: string; people: string[] }

async function enter(admin: pg.Pool, { org, east, people }: Stage, event: AnyEvent): Promise<void> {
  const chapterId = event.east ? east : org.rootChapterId
  const seen = event.status !== 'draft'
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.events (org_id, chapter_id, title, kind, mode, timezone, capacity, status, starts_at, ends_at, published_at, cancelled_at, archived_at)
     values ($1, $2, 'Any', $3, $4, $5, $6, $7, date_trunc('day', now()) + make_interval(days => $8, hours => $9), date_trunc('day', now()) + make_interval(days => $8, hours => $9 + 2),
       case when $10 then now() end, case when $7 = 'cancelled' then now() end, case when $7 = 'archived' then now() end) returning id`,
    [org.id, chapterId, event.kind, event.mode, event.timezone, event.capacity, event.status, event.day, event.hour, seen],
  )
  const once = new Set<number>()
  for (const [nth, { status, who, source }] of event.registrations.entries()) {
    const live = status !== 'cancelled' && status !== 'rejected'
    const person = who !== null && !(live && once.has(who)) ? who : null
    if (live && person !== null) once.add(person)
    await admin.query(
      `insert into app.registrations (org_id, event_id, chapter_id, person_id, name, status, cause, source, price_amount, price_currency, hold_until, offer_until, waiting_place, checked_in_at)
       values ($1, $2, $3, $4, 'Any', $5, 'registered', $6, 0, 'EUR', case when $5 = 'pending_payment' then now() end, case when $5 = 'offered' then now() end,
         case when $5 in ('waitlisted', 'offered') then $7::int end, case when $5 = 'checked_in' then now() end)`,
      [org.id, rows[0]?.id, chapterId, person === null ? null : people[person], status, source, nth + 1],
    )
  }
}

const fields = (keys: string, where: string) => `
  select ${keys} as key, count(distinct e.id) filter (where e.cancelled_at is null)::int as events, count(distinct e.id) filter (where e.cancelled_at is not null)::int as "calledOff",
    count(r.id) filter (where e.cancelled_at is null and r.status in ('confirmed', 'checked_in'))::int as seats,
    count(r.id) filter (where e.cancelled_at is null and r.status = 'checked_in')::int as attended,
    count(r.id) filter (where e.cancelled_at is null and r.status in ('confirmed', 'checked_in') and e.capacity is not null)::int as filled,
    (select coalesce(sum(x.capacity), 0)::int from app.events x where x.id = any (array_agg(distinct e.id)) and x.cancelled_at is null) as capacity,
    count(r.id) filter (where e.cancelled_at is null and r.status in ('cancelled', 'rejected'))::int as cancelled,
    count(r.id) filter (where e.cancelled_at is null and e.ends_at <= now() and r.status in ('confirmed', 'checked_in')
      and exists (select from app.registrations o where o.event_id = e.id and o.status = 'checked_in'))::int as expected,
    count(r.id) filter (where e.cancelled_at is null and e.ends_at <= now() and r.status = 'checked_in')::int as came,
    count(distinct r.person_id) filter (where e.cancelled_at is null and r.status in ('confirmed', 'checked_in'))::int as people,
    count(distinct r.person_id) filter (where e.cancelled_at is null and r.status in ('confirmed', 'checked_in') and (select count(*) from app.registrations o join app.events oe on oe.id = o.event_id
      where o.person_id = r.person_id and o.status in ('confirmed', 'checked_in') and oe.cancelled_at is null and oe.starts_local >= $2::date and oe.starts_local < $3::date + 1 and oe.published_at is not null and ${where.replaceAll('e.', 'oe.')}) > 1)::int as repeat,
    count(distinct r.person_id) filter (where e.cancelled_at is null and r.status in ('confirmed', 'checked_in') and e.id = (select o.event_id from app.registrations o join app.events oe on oe.id = o.event_id
      where o.person_id = r.person_id and o.status in ('confirmed', 'checked_in') and oe.cancelled_at is null and ${where.replaceAll('e.', 'oe.')} order by oe.starts_at, oe.id limit 1))::int as "firstTime"
  from app.events e left join app.registrations r on r.event_id = e.id
  where e.org_id = $1 and e.starts_local >= $2::date and e.starts_local < $3::date + 1 and e.published_at is not null and ${where} group by ${keys === 'null' ? '()' : '1'}`

const groupings = {
  chapter: `coalesce(e.chapter_id::text, '')`,
  kind: 'e.kind',
  mode: 'e.mode',
  month: `to_char(e.starts_local, 'YYYY-MM')`,
  weekday: `to_char(e.starts_local, 'ID')`,
  hour: `to_char(e.starts_local, 'HH24')`,
}
const counts = ({ revenue: _, managed: ___, ...figures }: EventFigures & { label?: string; startsOn?: string | null }) => {
  const { label: __, startsOn: ____, ...rest } = figures
  return rest
}

test(
  'figures across events equal a recount, for whoever asks about whatever they manage',
  { timeout: 120_000 },
  async ({ api, admin, organisation, chapter, person }) => {
    const seed = Number(process.env['EVENT_SEED'] ?? Date.now() % 1_000_000)
    const org = await organisation()
    const east = await chapter(org, 'East')
    const people: string[] = []
    for (let nth = 0; nth < 8; nth++) people.push((await person({ org })).personId ?? '')
    for (const event of fc.sample(AnyEvent, { numRuns: 24, seed })) await enter(admin, { org, east, people }, event)
    const made = await admin.query<{ id: string }>(
      `insert into app.event_series (org_id, rule, timezone, starts_local, until_on) values ($1, 'FREQ=DAILY', 'UTC', now(), now()) returning id`,
      [org.id],
    )
    const series = made.rows[0]?.id ?? ''
    await admin.query(
      `update app.events set series_id = $2 where id in (select id from app.events where org_id = $1 and published_at is not null and archived_at is null
         and starts_local between now() - interval '360 days' and now() + interval '60 days' order by id limit 5)`,
      [org.id, series],
    )
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const officer = api.as(await person({ org, chapterId: east, grants: [{ role: 'chapter-admin', chapterId: east }] }))
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    for (const [client, where] of [
      [boss, 'true'],
      [officer, `e.chapter_id = '${east}'`],
    ] as const) {
      for (const [from, to] of [
        [day(-365), day(60)],
        [day(-600), day(-200)],
      ] as const) {
        const plain = async (key: string) =>
          (await admin.query<EventFigures & { key: string | null }>(fields(key, where), [org.id, from, to])).rows
        for (const [by, key] of Object.entries(groupings)) {
          const { total, items, groups } = await compared(client, `from=${from}&to=${to}&by=${by}`)
          const [all] = await plain('null')
          expect({ key: null, ...counts(total) }, `seed ${seed}, ${by}`).toEqual(all)
          expect(groups).toBe(items.length)
          const byKey = (a: { key: string | null }, b: { key: string | null }) => (String(a.key) < String(b.key) ? -1 : 1)
          expect(
            items
              .map(counts)
              .map((item, nth) => ({ ...item, key: items[nth]?.key ?? '' }))
              .toSorted(byKey),
            `seed ${seed}, ${by}`,
          ).toEqual((await plain(key)).toSorted(byKey))
        }
      }
    }
    // Behind each weekday, hour, series, chapter and group: its events in the list, and the comparison of these alone.
    const period = `from=${day(-365)}&to=${day(60)}`
    for (const by of ['weekday', 'hour', 'series', 'chapter', 'group'] as const) {
      const { items } = await compared(boss, `${period}&by=${by}`)
      for (const { key, label: _, startsOn: __, ...row } of items) {
        // A chapter is counted with those below it.
        if (by === 'chapter' && key === org.rootChapterId) continue
        const narrowed = by === 'weekday' || by === 'hour' ? `${by}=${key}` : `${by}Id=${key || 'none'}`
        const { total, groups } = await compared(boss, `${period}&by=event&${narrowed}`)
        expect(total, `${by} ${key} of seed ${seed}`).toMatchObject({ ...row, repeat: expect.any(Number), firstTime: expect.any(Number) })
        const conditions = [
          { field: 'startsAt', op: 'between', value: [day(-365), day(60)] },
          { field: 'status', op: 'in', value: ['published', 'cancelled', 'archived'] },
          key === '' ? { field: by, op: 'empty' } : { field: by, op: 'in', value: [key] },
        ]
        const filter = encodeURIComponent(JSON.stringify({ and: conditions.map((one) => ({ or: [one] })) }))
        const listed = (await boss.get(`/data/events?limit=1&filter=${filter}`)).body as { total: number }
        expect(listed.total, `${by} ${key} of seed ${seed}`).toBe(groups)
      }
    }
    expect((await compared(boss, `${period}&by=series`)).items.map(({ key }) => key).toSorted()).toEqual(['', series])
    expect(await boss.get(`/data/events/analytics?${period}&by=event&weekday=8`)).toMatchObject({ status: 422 })
    // Those who manage nothing learn nothing.
    const member = api.as(await person({ org }))
    expect(await compared(member, `from=${day(-365)}&to=${day(0)}&by=kind`)).toMatchObject({
      total: { events: 0, seats: 0, people: 0 },
      items: [],
    })
    const overview = async (client: Client, query = '') => (await client.get(`/data/events/overview${query}`)).body as EventsOverview
    expect((await overview(member)).attendance).toBeNull()
    const { attendance } = await overview(boss)
    const { rows } = await admin.query<{ came: number }>(
      `select count(*)::int as came from app.registrations r join app.events e on e.id = r.event_id where e.org_id = $1 and r.status = 'checked_in' and e.ends_at <= now()
       and e.cancelled_at is null and e.published_at is not null and e.starts_local >= date_trunc('month', now()) - interval '11 months'`,
      [org.id],
    )
    expect(attendance?.months).toHaveLength(12)
    expect(
      attendance?.months.reduce((sum, { came }) => sum + came, 0),
      `seed ${seed}`,
    ).toBe(rows[0]?.came)
    expect((await overview(officer, `?chapterId=${east}`)).attendance).not.toBeNull()
    expect((await overview(officer, `?chapterId=${org.rootChapterId}`)).attendance).toBeNull()
  },
)

describe('the analytics of an event', () => {
  test('say who came, how they registered, what they chose, and what became of the waiting list', async ({
    api,
    admin,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const questions = [
      { text: 'Diet?', kind: 'choices', options: ['Vegan', 'Halal', 'None'] },
      { text: 'Bus?', kind: 'flag' },
      { text: 'Remarks', kind: 'lines' },
    ]
    const event = await published(boss, { capacity: 3, guestsPerPerson: 1, questions })
    const members = await Promise.all(Array.from({ length: 5 }, () => person({ org }).then((made) => api.as(made))))
    const [a, b, c, d, e] = members
    if (!a || !b || !c || !d || !e) throw new Error('five members were asked for')
    const answers = (diet: string[], bus: boolean) => ({
      answers: [
        { questionId: event.questions[0]?.id, value: diet },
        { questionId: event.questions[1]?.id, value: bus },
      ],
    })
    const first = await register(a, event, { ...answers(['Vegan', 'Halal'], true), guests: [{ name: 'Guest' }] })
    await register(b, event, answers(['Vegan'], false))
    const [third, fourth] = [await register(c, event), await register(d, event)]
    await boss.post(`/data/registrations/${first.id}/cancel`, { reason: 'Ill' })
    await c.post(`/data/registrations/${third.id}/accept`, {})
    await d.post(`/data/registrations/${fourth.id}/cancel`, {})
    const late = await register(boss, event, { name: 'At the door' })
    await boss.post(`/data/events/${event.id}/check-ins`, { code: late.ticketCode, clientId: 'door-0001', at: new Date().toISOString() })
    expect(await analytics(boss, event)).toMatchObject({
      ...{ over: false, seats: 3, attended: 1, noShows: null, guests: 0, waiting: 0, cancelled: 3, firstTime: 2, newMembers: 0 },
      funnel: { invited: null, registered: 6, confirmed: 5, attended: 1 },
      sources: [
        { source: 'organiser', registered: 1, seats: 1, attended: 1 },
        { source: 'self', registered: 5, seats: 2, attended: 0 },
      ],
      answers: [
        {
          text: 'Diet?',
          answered: 1,
          options: [
            { value: 'Vegan', count: 1 },
            { value: 'Halal', count: 0 },
            { value: 'None', count: 0 },
          ],
        },
        {
          text: 'Bus?',
          options: [
            { value: 'false', count: 1 },
            { value: 'true', count: 0 },
          ],
        },
      ],
      waitingList: { joined: 2, offered: 2, accepted: 1, declined: 1, expired: 0, left: 0 },
      arrivals: [{ count: 1 }],
      days: [{ days: 180, registered: 6, seats: 3 }],
      revenue: [],
      ticketTypes: [{ id: null, registered: 6, seats: 3 }],
    })
    const behind = async (field: string, op: string, value: unknown, client = boss) => {
      const filter = encodeURIComponent(JSON.stringify({ and: [{ or: [{ field, op, value }] }] }))
      return ((await client.get(`/data/events/${event.id}/registrations?filter=${filter}`)).body as { items: { id: string }[] }).items
    }
    for (const [what, count] of Object.entries({ joined: 2, offered: 2, accepted: 1, declined: 1, expired: 0, left: 0 }))
      expect(await behind('waitingList', 'in', [what]), what).toHaveLength(count)
    expect(await behind('hadSeat', 'is', true)).toHaveLength(5)
    expect(await behind('firstTime', 'is', true)).toHaveLength(2)
    expect(await behind('newMember', 'is', true)).toHaveLength(0)
    expect(await behind('answer', 'in', [`${event.questions[0]?.id}=Vegan`])).toHaveLength(2)
    expect(await behind('answer', 'in', [`${event.questions[1]?.id}=true`])).toHaveLength(1)
    expect(
      await boss.get(
        `/data/events/${event.id}/registrations?filter=${encodeURIComponent('{"and":[{"or":[{"field":"answer","op":"in","value":["x=1"]}]}]}')}`,
      ),
    ).toMatchObject({ status: 422 })
    // Over, who did not come is a no-show; where nobody was checked in, nobody knows.
    await admin.query(`update app.events set starts_at = now() - interval '1 day', ends_at = now() - interval '20 hours' where id = $1`, [
      event.id,
    ])
    expect(await analytics(boss, event)).toMatchObject({ over: true, noShows: 2 })
    const other = await published(boss, { title: 'Next picnic' })
    await register(b, other)
    expect(await analytics(boss, other, `?compareTo=${event.id}`)).toMatchObject({
      firstTime: 0,
      earlier: [{ id: event.id, seats: 3, attended: 1, days: [{ days: -1, registered: 6, seats: 3 }] }],
    })
  })

  test('revenue is what finance says: charged, paid, open and given back', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const finance = api.as(await person({ org, idpRoles: ['finance'] }))
    const price = { amount: 1500, currency: 'EUR' }
    const event = await published(boss, { guestsPerPerson: 2, ticketTypes: [{ name: 'Standard', price }, { name: 'Free' }] })
    const [standard, free] = event.ticketTypes
    const pay = async (registration: Registration, amount: number) => {
      const { body } = await finance.post('/data/payments', {
        method: 'bank_transfer',
        money: { amount, currency: 'EUR' },
        receivedOn: '2026-11-20',
        allocations: [{ invoiceId: registration.invoice?.id, amount }],
      })
      return body as { id: string; version: number }
    }
    const [a, b, c, d] = [
      api.as(await person({ org })),
      api.as(await person({ org })),
      api.as(await person({ org })),
      api.as(await person({ org })),
    ]
    const ofA = await register(a, event, { ticketTypeId: standard?.id, guests: [{ name: 'Guest' }] })
    const ofB = await register(b, event, { ticketTypeId: standard?.id })
    await register(c, event, { ticketTypeId: standard?.id })
    await register(d, event, { ticketTypeId: free?.id })
    await pay(ofA, 3000)
    const given = await pay(ofB, 1500)
    const euros = { currency: 'EUR', charged: 6000, paid: 4500, open: 1500, refunded: 0 }
    expect(await analytics(boss, event)).toMatchObject({
      revenue: [euros],
      ticketTypes: [
        { name: 'Standard', revenue: [euros] },
        { name: 'Free', revenue: [] },
      ],
    })
    const { version } = (await finance.get(`/data/payments/${given.id}`)).body as { version: number }
    expect(
      await finance.post(`/actions/payments/${given.id}/refund`, { amount: 1500, reason: 'Ill' }, { ...match(version), ...finance.proof }),
    ).toMatchObject({
      status: 200,
    })
    expect(await analytics(boss, event)).toMatchObject({ revenue: [{ paid: 3000, refunded: 1500 }] })
    const { total } = await compared(boss, 'from=2090-01-01&to=2090-12-31&by=event')
    expect(total.revenue).toMatchObject([{ currency: 'EUR', paid: 3000, refunded: 1500 }])
  })

  test('revenue is also for those who read the finances of the chapter, with no people, and leads to its invoices', async ({
    api,
    organisation,
    chapter,
    person,
  }) => {
    const org = await organisation()
    const [east, west] = [await chapter(org, 'East'), await chapter(org, 'West')]
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const host = await person({ org })
    const event = await published(boss, {
      ...{ title: 'Gala', chapterId: east, visibility: 'invite' },
      staff: [{ personId: host.personId, role: 'manager' }],
      ticketTypes: [{ name: 'Standard', price: { amount: 1500, currency: 'EUR' } }],
    })
    const other = await published(boss, { chapterId: west, ticketTypes: [{ name: 'Any', price: { amount: 700, currency: 'EUR' } }] })
    const guest = await person({ org })
    const made = await register(boss, event, { ticketTypeId: event.ticketTypes[0]?.id, personId: guest.personId })
    const unpaid = await register(boss, event, { ticketTypeId: event.ticketTypes[0]?.id, personId: (await person({ org })).personId })
    await register(api.as(await person({ org })), other, { ticketTypeId: other.ticketTypes[0]?.id })
    const books = async (chapterId: string) => api.as(await person({ org, chapterId, grants: [{ role: 'finance', chapterId }] }))
    const everywhere = api.as(await person({ org, idpRoles: ['finance'] }))
    const allocations = [{ invoiceId: made.invoice?.id, amount: 1500 }]
    expect(
      await everywhere.post('/data/payments', {
        ...{ method: 'cash', money: { amount: 1500, currency: 'EUR' }, receivedOn: '2026-11-20', allocations },
      }),
    ).toMatchObject({ status: 201 })
    const revenue = (client: Client) => client.get(`/data/events/${event.id}/revenue`)
    const euros = { currency: 'EUR', charged: 3000, paid: 1500, open: 1500, refunded: 0 }
    const treasurer = await books(east)
    for (const client of [everywhere, treasurer, boss, api.as(host)])
      expect(await revenue(client)).toMatchObject({
        status: 200,
        body: { event: { title: 'Gala' }, revenue: [euros], ticketTypes: [{ name: 'Standard', revenue: [euros] }] },
      })
    for (const client of [await books(west), api.as(guest), api.as(await person({ org: await organisation(), idpRoles: ['finance'] }))])
      expect(await revenue(client)).toMatchObject({ status: 404 })
    const span = 'from=2090-01-01&to=2090-12-31&by=event'
    expect(await compared(treasurer, span)).toMatchObject({
      ...{ total: { events: 1, managed: false, people: null, firstTime: null, revenue: [euros] }, booksChapterId: east },
      items: [{ key: event.id, label: 'Gala', revenue: [euros] }],
    })
    expect(await compared(boss, span)).toMatchObject({ total: { events: 2, managed: true, people: 1 } })

    // The invoices behind it, for those who read them; whoever runs the event is told which seats are paid.
    const filter = (field: string, op: string, value: unknown) =>
      `filter=${encodeURIComponent(JSON.stringify({ and: [{ or: [{ field, op, value }] }] }))}`
    const ids = async (client: Client, path: string) =>
      ((await client.get(path)).body as { items: { id: string }[] }).items.map(({ id }) => id)
    const ofEvent = `/data/invoices?${filter('event', 'in', [event.id])}`
    const both = [made.invoice?.id, unpaid.invoice?.id]
    expect(new Set(await ids(everywhere, ofEvent))).toEqual(new Set(both))
    expect(await ids(await books(west), ofEvent)).toEqual([])
    expect(await ids(api.as(host), ofEvent)).toEqual([])
    const registrations = (client: Client, ...asked: Parameters<typeof filter>) =>
      ids(client, `/data/events/${event.id}/registrations?${filter(...asked)}`)
    expect(await registrations(api.as(host), 'paid', 'is', true)).toEqual([made.id])
    expect(await registrations(api.as(host), 'owing', 'is', true)).toEqual([unpaid.id])
    expect(await registrations(api.as(host), 'firstTime', 'is', true)).toEqual([made.id])
  })

  test('are for those who manage it', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const [east, west] = [await chapter(org, 'East'), await chapter(org, 'West')]
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const host = await person({ org })
    const scanner = await person({ org })
    const staff = [
      { personId: host.personId, role: 'manager' },
      { personId: scanner.personId, role: 'checkin' },
    ]
    const event = await published(boss, { chapterId: east, staff })
    const status = async (client: Client) => (await client.get(`/data/events/${event.id}/analytics`)).status
    const officer = async (chapterId: string) => api.as(await person({ org, chapterId, grants: [{ role: 'chapter-admin', chapterId }] }))
    expect(await status(api.as(host))).toBe(200)
    expect(await status(await officer(east))).toBe(200)
    for (const client of [
      api.as(scanner),
      await officer(west),
      api.as(await person({ org })),
      api.as(await person({ org, idpRoles: ['finance'] })),
    ])
      expect(await status(client)).toBe(403)
    const elsewhere = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
    expect(await status(elsewhere)).toBe(404)
    expect(await compared(await officer(west), 'from=2090-01-01&to=2090-12-31&by=event')).toMatchObject({ total: { events: 0 }, items: [] })
    expect(await boss.get('/data/events/analytics?from=2090-01-01&to=2093-01-01&by=event')).toMatchObject({ status: 422 })
  })
})
