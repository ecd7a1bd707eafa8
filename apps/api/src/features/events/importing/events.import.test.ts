import type { Import, ImportRow } from '@guildhall/contract/features/imports'
import { importTemplates } from '@guildhall/contract/features/imports'
import { expect } from 'vitest'
import type { Client, TestOrganisation } from '../../../testing.ts'
import { bringIn, test as base, uploadFile, waitFor } from '../../imports/imports.testing.ts'
import { readTime } from './events.import.rules.ts'

type Event = { id: string; version: number; ticketTypes: { id: string; name: string }[] }
type Hall = {
  org: TestOrganisation
  boss: Client
  ann: string
  event(more?: Record<string, unknown>): Promise<Event>
  /** What the books of an event say; the ledger and the registrations agree with them. */
  standing(event: { id: string }): Promise<Record<string, number>>
  mails(): Promise<number>
}

const test = base.extend<{ hall: Hall }>({
  hall: async ({ api, organisation, person, admin, worker: _ }, use) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const ann = await person({ org, familyName: 'Ann' })
    await admin.query(`update app.people set member_no = 'A1' where id = $1`, [ann.personId])
    await admin.query('insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $3, true)', [
      org.id,
      ann.personId,
      'ann@example.org',
    ])
    await use({
      ...{ org, boss, ann: ann.personId ?? '' },
      async event(more = {}) {
        const facts = {
          title: 'Picnic',
          startsAt: '2025-07-05T16:00:00Z',
          timezone: 'Europe/Berlin',
          venueName: 'Park',
          recordsAttendance: true,
        }
        const made = await boss.post('/data/events', { ...facts, ...more })
        expect(made.status, made.text).toBe(201)
        const event = made.body as Event
        const published = await boss.post(`/data/events/${event.id}/publish`, {}, { 'if-match': `"${event.version}"` })
        expect(published.status, published.text).toBe(200)
        return published.body
      },
      async standing({ id }) {
        const { body } = await boss.get(`/data/events/${id}/capacity?limit=200`)
        expect(body).toMatchObject({ differences: 0 })
        return (body as { counts: Record<string, number> }).counts
      },
      async mails() {
        const { rows } = await admin.query<{ n: number }>(
          `select (select count(*)::int from app.mail_messages where org_id = $1) + (select count(*)::int from app.notifications where org_id = $1 and kind not like 'import%') as n`,
          [org.id],
        )
        return rows[0]?.n ?? -1
      },
    })
  },
})

const header = 'event_title,event_date,member_no,name,email,ticket,registration_status,registered_on,checked_in_at\n'
const codes = async (client: Client, one: Import, phase: string) =>
  ((await client.get(`/data/imports/${one.id}/rows?phase=${phase}&limit=100`)).body as { items: ImportRow[] }).items.map(
    ({ line, outcome, findings }) => [line, outcome, ...findings.map(({ code }) => code)],
  )
const of = (counts: Partial<Record<'create' | 'update' | 'unchanged' | 'skip' | 'reject', number>>) => ({
  ...{ create: 0, update: 0, unchanged: 0, skip: 0, reject: 0 },
  ...counts,
})

test('who attended an event of the past is brought in once, tells nobody, and an undo takes just that away', async ({ hall, admin }) => {
  const event = await hall.event()
  const before = await hall.mails()
  const file =
    header +
    'picnic,2025-07-05,A1,,,,attended,2025-06-01,18:05\n' +
    'Picnic,2025-07-05,,Kim Doe,Kim@example.org,,checked in,,\n' +
    'Picnic,2025-07-05,,Lou Roe,,,registered,2025-06-02,\n' +
    'Picnic,2025-07-05,,Max Poe,max@example.org,,cancelled,2025-06-03,\n' +
    'Picnic,2025-07-05,,Nia Foe,nia@example.org,,waitlisted,2025-06-04,\n'
  const uploaded = await uploadFile(hall.boss, 'registrations', 'picnic.csv', file)
  expect(uploaded.import.columns.map(({ target }) => target)).toEqual([
    ...['eventTitle', 'eventStartsOn', 'memberNo', 'fullName', 'email', 'ticketType', 'registrationStatus', 'registeredOn', 'checkedInAt'],
  ])
  const checked = await waitFor(hall.boss, uploaded.import.id, 'check')
  expect([checked.counts.check, await hall.standing(event)]).toMatchObject([of({ create: 5 }), { taken: 0, waiting: 0, cancelled: 0 }])
  const done = await waitFor(hall.boss, checked.id, 'run')
  expect(done.counts.run).toEqual(of({ create: 5 }))
  expect(await hall.standing(event)).toMatchObject({ taken: 3, waiting: 1, cancelled: 1 })
  const { rows } = await admin.query(
    `select r.name, r.person_id = $2 as ann, lower(r.email) as email, r.status, r.source, to_char(r.created_at at time zone 'Europe/Berlin', 'YYYY-MM-DD HH24:MI') as at,
       to_char(r.checked_in_at at time zone 'Europe/Berlin', 'HH24:MI') as came, (select count(*)::int from app.check_ins c where c.registration_id = r.id) as scans
     from app.registrations r where r.event_id = $1 order by r.name = 'Kim Doe' desc, r.status, r.name`,
    [event.id, hall.ann],
  )
  const common = { ann: null, source: 'import', came: null, scans: 0 }
  expect(rows).toMatchObject([
    { ...common, name: 'Kim Doe', email: 'kim@example.org', status: 'checked_in', at: '2025-07-05 18:00', came: '18:00', scans: 1 },
    { ...common, name: 'Max Poe', status: 'cancelled', at: '2025-06-03 12:00' },
    { ...common, ann: true, name: expect.stringContaining('Ann'), email: 'ann@example.org', status: 'checked_in', came: '18:05', scans: 1 },
    { ...common, name: 'Lou Roe', email: '', status: 'confirmed', at: '2025-06-02 12:00' },
    { ...common, name: 'Nia Foe', status: 'waitlisted', at: '2025-06-04 12:00' },
  ])
  expect(await hall.mails()).toBe(before)

  const again = await bringIn(hall.boss, 'registrations', file)
  expect([again.counts.check, again.counts.run]).toEqual(Array(2).fill(of({ unchanged: 5 })))
  // Another status does not move what is there, and somebody is known by their address too.
  const other = await bringIn(
    hall.boss,
    'registrations',
    header + 'Picnic,,,Ann,ANN@example.org,,registered,,\n' + 'Picnic,,,Kim D.,kim@example.org,,cancelled,,\n',
  )
  expect(await codes(hall.boss, other, 'run')).toEqual([
    [2, 'unchanged', 'registration_kept'],
    [3, 'unchanged', 'registration_kept'],
  ])
  expect(await hall.standing(event)).toMatchObject({ taken: 3, waiting: 1, cancelled: 1 })

  // One of them was changed by hand since: that one stays.
  const lou = (await admin.query<{ id: string }>(`select id from app.registrations where event_id = $1 and name = 'Lou Roe'`, [event.id]))
    .rows[0]
  const cancelled = await hall.boss.post(`/data/registrations/${lou?.id}/cancel`, {})
  expect(cancelled.status, cancelled.text).toBe(200)
  const undone = await waitFor(hall.boss, done.id, 'undo')
  expect([undone.status, undone.counts.undo]).toEqual(['partly_undone', { removed: 4, restored: 0, kept: 1 }])
  expect(await hall.standing(event)).toMatchObject({ taken: 0, waiting: 0, cancelled: 1 })
  const left = await admin.query(`select name from app.registrations where event_id = $1`, [event.id])
  expect(left.rows).toEqual([{ name: 'Lou Roe' }])
})

test('no more come in than there are seats and tickets, in the check as in the run', async ({ hall, admin }) => {
  const tickets = [
    { name: 'Adults', price: { amount: 1000, currency: 'EUR' } },
    { name: 'Children', price: { amount: 0, currency: 'EUR' }, quota: 1 },
  ]
  const event = await hall.event({
    ...{ title: 'Ball', startsAt: '2090-07-05T16:00:00Z', recordsAttendance: false },
    ...{ capacity: 3, ticketTypes: tickets },
  })
  const row = (name: string, ticket: string, status = '') => `Ball,,,${name},,${ticket},${status},,\n`
  const file =
    header +
    row('Q1', 'adults') +
    row('Q2', 'Children') +
    row('Q3', 'Children') +
    row('Q4', 'Adults', 'waiting') +
    row('Q5', 'Adults', 'cancelled') +
    row('Q6', 'Adults') +
    row('Q7', 'Adults') +
    row('Q8', 'Adults', 'attended') +
    row('Q9', 'Seniors') +
    row('Q10', '')
  const one = await bringIn(hall.boss, 'registrations', file)
  expect([one.counts.check, one.counts.run]).toEqual(Array(2).fill(of({ create: 5, reject: 5 })))
  const expected = [
    ...[
      [2, 'create'],
      [3, 'create'],
      [4, 'reject', 'event_full'],
      [5, 'create'],
      [6, 'create'],
      [7, 'create'],
      [8, 'reject', 'event_full'],
    ],
    ...[
      [9, 'reject', 'event_not_begun'],
      [10, 'reject', 'unknown_ticket'],
      [11, 'reject', 'unknown_ticket'],
    ],
  ]
  expect([await codes(hall.boss, one, 'check'), await codes(hall.boss, one, 'run')]).toEqual([expected, expected])
  expect(await hall.standing(event)).toMatchObject({ taken: 3, waiting: 1, cancelled: 1 })
  // Nothing is owed by it.
  const { rows } = await admin.query('select sum(price_amount)::int as owed from app.registrations where event_id = $1', [event.id])
  expect(rows).toEqual([{ owed: 0 }])
  const undone = await waitFor(hall.boss, one.id, 'undo')
  expect(undone.counts.undo).toEqual({ removed: 5, restored: 0, kept: 0 })
  expect(await hall.standing(event)).toMatchObject({ taken: 0, waiting: 0, cancelled: 0 })
})

test('a registration with a fault is rejected with a word about it', async ({ hall }) => {
  await hall.event()
  await hall.event({ title: 'Twice' })
  const second = await hall.event({ title: 'Twice', startsAt: '2025-08-05T16:00:00Z' })
  const draft = await hall.boss.post('/data/events', { title: 'Plan', startsAt: '2025-07-05T16:00:00Z', recordsAttendance: true })
  expect(draft.status, draft.text).toBe(201)
  const one = await bringIn(
    hall.boss,
    'registrations',
    header +
      'Picnic,,A1,,,,attended,,18:05\n' +
      'Picnic,,A1,,,,attended,,18:05\n' +
      'Nowhere,,,Kim,,,,,\n' +
      'Picnic,2025-07-06,,Kim,,,,,\n' +
      'Plan,,,Kim,,,,,\n' +
      'Twice,,,Kim,,,,,\n' +
      'Twice,2025-08-05,,Kim,,,,,\n' +
      ',,,Kim,,,,,\n' +
      'Picnic,,,,,,,,\n' +
      'Picnic,,A99,Kim,,,,,\n' +
      'Picnic,,,Kim,,,maybe,,\n' +
      'Picnic,,,Kim,,,,2190-01-01,\n' +
      'Picnic,,,Kim,,,,,noon\n' +
      'Picnic,,,Kim,,,,,2025-07-01 18:00\n' +
      'Picnic,,,Kim,,,,,2190-07-01 18:00\n' +
      'Picnic,,,Kim,,,cancelled,,18:00\n' +
      'Picnic,,,Kim,,Backstage,,,\n' +
      `${Object.values(importTemplates.registrations).slice(0, 3).join(',')},,,,attended,2025-06-01,18:05\n`,
  )
  expect(one.counts.check).toEqual(one.counts.run)
  expect(await codes(hall.boss, one, 'run')).toEqual([
    [2, 'create'],
    [3, 'reject', 'duplicate_row'],
    [4, 'reject', 'unknown_event'],
    [5, 'reject', 'unknown_event'],
    [6, 'reject', 'unknown_event'],
    [7, 'reject', 'ambiguous_event'],
    [8, 'create'],
    [9, 'reject', 'missing'],
    [10, 'reject', 'missing'],
    [11, 'reject', 'unknown_member_no'],
    [12, 'reject', 'not_a_choice'],
    [13, 'reject', 'day_in_future'],
    [14, 'reject', 'not_a_time'],
    [15, 'reject', 'check_in_early'],
    [16, 'reject', 'day_in_future'],
    [17, 'reject', 'check_in_without_seat'],
    [18, 'reject', 'unknown_ticket'],
    [19, 'reject', 'unknown_member_no', 'unknown_event'],
  ])
  expect(await hall.standing(second)).toMatchObject({ taken: 1 })
  const byId = await bringIn(hall.boss, 'registrations', `event_id,name\n${second.id},Lou\n00000000-0000-0000-0000-000000000000,Lou\n`)
  expect(await codes(hall.boss, byId, 'run')).toEqual([
    [2, 'create'],
    [3, 'reject', 'unknown_event'],
  ])
})

test('an officer brings in who came to the events of their chapter, and to no others', async ({ hall, admin, api, person }) => {
  const chapter = await hall.boss.post('/data/chapters', { code: 'NORTH', name: 'North', parentId: hall.org.rootChapterId })
  expect(chapter.status, chapter.text).toBe(201)
  const { id: chapterId } = chapter.body as { id: string }
  const [own, other] = [await hall.event({ title: 'Ours', chapterId }), await hall.event({ title: 'Theirs' })]
  const officer = await person({ org: hall.org, grants: [{ role: 'chapter-admin', chapterId }] })
  const client = api.as(officer)
  const file = header + 'Ours,,,Kim,,,attended,,\n' + 'Theirs,,,Kim,,,attended,,\n'
  const one = await bringIn(client, 'registrations', file)
  expect([one.counts.check, one.counts.run]).toEqual(Array(2).fill(of({ create: 1, reject: 1 })))
  expect(await codes(client, one, 'run')).toEqual([
    [2, 'create'],
    [3, 'reject', 'not_allowed'],
  ])
  expect([await hall.standing(own), await hall.standing(other)]).toMatchObject([{ taken: 1 }, { taken: 0 }])
  const { rows } = await admin.query('select name, created_by is not null as known from app.registrations where event_id = any ($1)', [
    [own.id, other.id],
  ])
  expect(rows).toEqual([{ name: 'Kim', known: true }])
})

test('a time of check-in is what clocks at the event showed', () => {
  const event = { timezone: 'Europe/Berlin', startsOn: '2025-07-05' }
  const read = (text: string) => readTime(text, 'dmy', event)
  expect(
    ['18:05', '05.07.2025 18:05', '2025-07-06T00:10:30', '2025-07-05T16:05:00Z', '5 Jul 2025 9:00', '2025-07-05T16:05:00+00:00'].map(read),
  ).toEqual([
    ...[
      '2025-07-05T16:05:00Z',
      '2025-07-05T16:05:00Z',
      '2025-07-05T22:10:30Z',
      '2025-07-05T16:05:00Z',
      '2025-07-05T07:00:00Z',
      '2025-07-05T16:05:00Z',
    ],
  ])
  expect(['24:00', '18:60', 'noon', '2025-07-05', '31.02.2025 18:00'].map(read)).toEqual(Array(5).fill(null))
})
