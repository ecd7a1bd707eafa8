import { importTemplates } from '@guildhall/contract/features/imports'
import type { Import, ImportRow } from '@guildhall/contract/features/imports'
import { daysFrom } from '@guildhall/contract/moments'
import { expect } from 'vitest'
import type { Client, TestOrganisation } from '../../../testing.ts'
import { bringIn, test as base, uploadFile, waitFor } from '../../imports/imports.testing.ts'
import { gapBefore, isLast, overlaps, statusByDates } from './membership.import.rules.ts'

type Held = { status: string; starts_on: string; ends_on: string | null; terms: number }
type Club = {
  org: TestOrganisation
  boss: Client
  today: string
  held(memberNo: string, type?: string): Promise<Held[]>
  runDay(on: string): Promise<void>
  /** How many rows tell of money or mail. */
  traces(): Promise<Record<string, number>>
}

const day = (sql: string) => `to_char(${sql}, 'YYYY-MM-DD')`

const test = base.extend<{ club: Club }>({
  club: async ({ api, organisation, person, chapter, admin, worker: _ }, use) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const north = await chapter(org, 'North')
    await admin.query(`update app.chapters set code = 'NORTH' where id = $1`, [north])
    for (const no of ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7']) {
      const { personId } = await person({ org, familyName: no })
      await admin.query('update app.people set member_no = $2 where id = $1', [personId, no])
      await admin.query('insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $3, true)', [
        org.id,
        personId,
        `${no.toLowerCase()}-${org.id}@example.org`,
      ])
    }
    await admin.query(
      `insert into app.membership_types (org_id, name, period, months, price_amount, price_currency, grace_days, renewal_days) values
         ($1, 'Full member', 'rolling', 12, 6000, 'EUR', 30, 30), ($1, 'Friend for life', 'lifetime', null, 90000, 'EUR', 0, 0)`,
      [org.id],
    )
    const { rows } = await admin.query<{ today: string }>(`select ${day('current_date')} as today`)
    await use({
      org,
      boss,
      today: rows[0]?.today ?? '',
      async held(memberNo, type = 'Full member') {
        const found = await admin.query<Held>(
          `select m.status, ${day('m.starts_on')} as starts_on, ${day('m.ends_on')} as ends_on,
             (select count(*)::int from app.membership_terms t where t.membership_id = m.id and t.status = 'settled') as terms
           from app.memberships m join app.people p on p.id = m.person_id join app.membership_types y on y.id = m.type_id
           where m.org_id = $1 and p.member_no = $2 and y.name = $3 order by m.id`,
          [org.id, memberNo, type],
        )
        return found.rows
      },
      async runDay(on) {
        await admin.query('select app.run_memberships($1, $2)', [org.id, on])
        await admin.query('select app.charge_membership_terms($1, null, 1000), app.remind_members($1, $2, null, 1000)', [org.id, on])
      },
      async traces() {
        const { rows: found } = await admin.query<Record<string, number>>(
          `select (select count(*)::int from app.invoices where org_id = $1) as invoices, (select count(*)::int from app.payments where org_id = $1) as payments,
             (select count(*)::int from app.mail_messages where org_id = $1) as mails`,
          [org.id],
        )
        return found[0] ?? {}
      },
    })
  },
})

const header = 'member_no,membership_type,chapter_code,term_start,term_end,status,price,currency,paid_on,joined_on\n'
const rowsOf = async (client: Client, one: Import, phase: string) =>
  ((await client.get(`/data/imports/${one.id}/rows?phase=${phase}&limit=100`)).body as { items: ImportRow[] }).items
const codes = (rows: readonly ImportRow[]) =>
  rows.map(({ line, outcome, findings }) => [line, outcome, ...findings.map(({ code }) => code)])

test('terms of memberships come in as they were, with no invoice and no mail; a second import changes nothing, an undo leaves nothing', async ({
  club: { org, boss, today, held, traces },
  admin,
}) => {
  const on = (days: number) => daysFrom(today, days)
  const file =
    header +
    // Three terms of one person, the newest first and with a gap.
    `A1,full MEMBER,NORTH,${on(-100)},${on(264)},active,"60,50 €",EUR,${on(-101)},2019-05-01\n` +
    `A1,Full member,NORTH,2020-01-01,2020-12-31,lapsed,55,EUR,,\n` +
    `A1,Full member,NORTH,2021-01-01,2021-12-31,,1250.00,USD,2021-01-15,\n` +
    `A2,Full member,,${on(-400)},${on(-36)},expired,60,,,\n` +
    // Stated as lapsed although the grace of the type still ran.
    `A3,Full member,,${on(-370)},${on(-5)},lapsed,60,,,\n` +
    `A4,Full member,,${on(-370)},${on(-5)},active,60,,,\n` +
    `A5,Full member,,${on(-100)},${on(100)},cancelled,60,,,\n` +
    `A6,Friend for life,,2001-02-03,,lifetime,900,,,\n` +
    `A7,Full member,,${on(-20)},,lifetime,,,,\n`
  const before = await traces()
  const people = await admin.query(`select member_no, lifecycle, joined_on, version from app.people where org_id = $1 order by 1`, [org.id])

  const uploaded = await uploadFile(boss, 'memberships', 'terms.csv', file)
  expect(uploaded.status, uploaded.text).toBe(201)
  expect(uploaded.import.columns.map(({ target }) => target)).toEqual([
    'memberNo',
    'membershipType',
    'chapterCode',
    'startsOn',
    'endsOn',
    'membershipStatus',
    'price',
    'currency',
    'paidOn',
    'joinedOn',
  ])
  const checked = await waitFor(boss, uploaded.import.id, 'check')
  expect(checked.counts.check).toEqual({ create: 9, update: 0, unchanged: 0, skip: 0, reject: 0 })
  expect(codes(await rowsOf(boss, checked, 'check'))).toEqual([
    [2, 'create', 'term_gap'],
    [3, 'create'],
    [4, 'create'],
    [5, 'create'],
    [6, 'create'],
    [7, 'create', 'status_by_dates'],
    [8, 'create'],
    [9, 'create'],
    [10, 'create'],
  ])
  expect(await held('A1')).toEqual([])

  const done = await waitFor(boss, checked.id, 'run')
  expect(done.counts.run).toEqual(checked.counts.check)
  expect(await held('A1')).toEqual([{ status: 'active', starts_on: '2020-01-01', ends_on: on(264), terms: 3 }])
  expect((await held('A2'))[0]?.status).toBe('lapsed')
  expect((await held('A3'))[0]?.status).toBe('lapsed')
  expect((await held('A4'))[0]?.status).toBe('grace')
  expect((await held('A5'))[0]?.status).toBe('cancelled')
  expect(await held('A6', 'Friend for life')).toEqual([{ status: 'active', starts_on: '2001-02-03', ends_on: null, terms: 1 }])
  expect((await held('A7'))[0]?.ends_on).toBe(null)
  expect(await traces()).toEqual(before)
  const { rows: prices } = await admin.query(
    `select t.price_amount::int as amount, t.price_currency as currency, ${day('t.settled_on')} as paid from app.membership_terms t
       join app.people p on p.id = t.person_id where t.org_id = $1 and p.member_no = 'A1' order by t.starts_on`,
    [org.id],
  )
  expect(prices).toEqual([
    { amount: 5500, currency: 'EUR', paid: '2020-01-01' },
    { amount: 125000, currency: 'USD', paid: '2021-01-15' },
    { amount: 6050, currency: 'EUR', paid: on(-101) },
  ])
  const { rows: joined } = await admin.query(
    `select ${day('joined_on')} as day, lifecycle from app.people where org_id = $1 and member_no = 'A1'`,
    [org.id],
  )
  expect(joined).toEqual([{ day: '2019-05-01', lifecycle: 'active' }])
  const { rows: places } = await admin.query(
    `select c.code from app.affiliations a join app.chapters c on c.id = a.chapter_id join app.people p on p.id = a.person_id where a.org_id = $1 and p.member_no = 'A1' and a.chapter_id <> $2`,
    [org.id, org.rootChapterId],
  )
  expect(places).toEqual([{ code: 'NORTH' }])

  const again = await bringIn(boss, 'memberships', file)
  expect([again.counts.check, again.counts.run]).toEqual(Array(2).fill({ create: 0, update: 0, unchanged: 9, skip: 0, reject: 0 }))

  const undone = await waitFor(boss, done.id, 'undo')
  expect([undone.status, undone.counts.undo]).toEqual(['undone', { removed: 9, restored: 0, kept: 0 }])
  const { rows: left } = await admin.query(
    `select (select count(*)::int from app.memberships where org_id = $1) as memberships, (select count(*)::int from app.membership_terms where org_id = $1) as terms,
       (select count(*)::int from app.membership_standings where org_id = $1) as standings,
       (select count(*)::int from app.affiliations a join app.people p on p.id = a.person_id where a.org_id = $1 and p.member_no like 'A%' and a.chapter_id <> $2) as places`,
    [org.id, org.rootChapterId],
  )
  expect(left).toEqual([{ memberships: 0, terms: 0, standings: 0, places: 0 }])
  const after = await admin.query(`select member_no, lifecycle, joined_on from app.people where org_id = $1 order by 1`, [org.id])
  expect(after.rows).toEqual(people.rows.map(({ member_no, lifecycle, joined_on }) => ({ member_no, lifecycle, joined_on })))
})

test('from then on the calendar moves imported memberships: a current one renews in its window, a lapsed one stays lapsed and hears nothing', async ({
  club: { org, boss, today, held, runDay, traces },
  admin,
}) => {
  const on = (days: number) => daysFrom(today, days)
  await bringIn(
    boss,
    'memberships',
    `${header}A1,Full member,,${on(-305)},${on(60)},,60,,,\nA2,Full member,,${on(-380)},${on(-32)},,60,,,\nA3,Full member,,${on(-370)},${on(-3)},lapsed,60,,,\n`,
  )
  await runDay(today)
  expect(await traces()).toMatchObject({ invoices: 0, mails: 0 })
  expect([(await held('A1'))[0]?.status, (await held('A2'))[0]?.status, (await held('A3'))[0]?.status]).toEqual([
    'active',
    'lapsed',
    'lapsed',
  ])
  await runDay(on(31))
  const { rows } = await admin.query(
    `select p.member_no, i.total_amount::int as total, i.state from app.invoices i join app.people p on p.id = i.person_id where i.org_id = $1`,
    [org.id],
  )
  expect(rows).toEqual([{ member_no: 'A1', total: 6000, state: 'issued' }])
  await runDay(on(61))
  expect((await held('A1'))[0]?.status).toBe('grace')
  await runDay(on(95))
  expect((await held('A1'))[0]?.status).toBe('lapsed')
  expect((await held('A3'))[0]).toMatchObject({ status: 'lapsed', terms: 1 })

  // What was renewed since is not taken away below the renewal.
  const { items } = (await boss.get('/data/imports')).body as { items: Import[] }
  const undone = await waitFor(boss, items[0]?.id ?? '', 'undo')
  expect([undone.status, undone.counts.undo]).toEqual(['partly_undone', { removed: 2, restored: 0, kept: 1 }])
  expect((await rowsOf(boss, undone, 'undo')).filter(({ outcome }) => outcome === 'kept')).toMatchObject([
    { line: 2, findings: [{ code: 'in_use', message: expect.stringContaining('was renewed since') }] },
  ])
})

test('every row with a fault is rejected with a word about it, and the others go in', async ({
  club: { org, boss, today, held },
  admin,
  api,
  person,
}) => {
  const on = (days: number) => daysFrom(today, days)
  // One who is waiting to be let in.
  await admin.query(
    `insert into app.memberships (org_id, person_id, type_id, status) select $1, p.id, y.id, 'awaiting_approval' from app.people p, app.membership_types y
       where p.org_id = $1 and p.member_no = 'A7' and y.org_id = $1 and y.name = 'Full member'`,
    [org.id],
  )
  const one = await bringIn(
    boss,
    'memberships',
    header +
      `A1,Full member,,2024-01-01,2024-12-31,,60,,,\n` +
      `A1,Full member,,2024-12-31,2025-06-30,,60,,,\n` +
      `A1,Full member,,2024-01-01,2024-12-31,,60,,,\n` +
      `A2,Ghost,,2024-01-01,2024-12-31,,60,,,\n` +
      `A2,Full member,NOWHERE,2024-01-01,2024-12-31,,60,,,\n` +
      `A2,Full member,,2024-01-01,,,60,,,\n` +
      `A2,Full member,,2024-12-31,2024-01-01,,60,,,\n` +
      `A2,Full member,,${on(-10)},${on(300)},lapsed,60,,,\n` +
      `A2,Full member,,2024-01-01,2024-12-31,lifetime,60,,,\n` +
      `A2,Full member,,2024-01-01,2024-12-31,,1.250,EUR,,\n` +
      `A2,Full member,,2024-01-01,2024-12-31,,-5,EUR,,\n` +
      `A2,Full member,,2024-01-01,2024-12-31,,60,DOL,,\n` +
      `A2,Full member,,2024-01-01,2024-12-31,,60,,2190-01-01,\n` +
      `A2,Full member,,2190-01-01,2190-12-31,,60,,,\n` +
      `A2,Full member,,2024-01-01,2024-12-31,sleeping,60,,,\n` +
      `A7,Full member,,2024-01-01,2024-12-31,,60,,,\n` +
      `Z9,Full member,,2024-01-01,2024-12-31,,60,,,\n` +
      `${Object.values(importTemplates.memberships).slice(0, 10).join(',')}\n`,
  )
  expect(codes(await rowsOf(boss, one, 'run'))).toEqual([
    [2, 'create'],
    [3, 'reject', 'term_overlap'],
    [4, 'reject', 'duplicate_row'],
    [5, 'reject', 'unknown_membership_type'],
    [6, 'reject', 'unknown_chapter_code'],
    [7, 'reject', 'missing'],
    [8, 'reject', 'dates_reversed'],
    [9, 'reject', 'status_contradicts'],
    [10, 'reject', 'status_contradicts'],
    [11, 'reject', 'not_an_amount'],
    [12, 'reject', 'not_an_amount'],
    [13, 'reject', 'not_a_currency'],
    [14, 'reject', 'day_in_future'],
    [15, 'reject', 'missing'],
    [16, 'reject', 'not_a_choice'],
    [17, 'reject', 'membership_in_progress'],
    [18, 'reject', 'unknown_member_no'],
    [19, 'reject', 'unknown_member_no'],
  ])
  expect(await held('A1')).toHaveLength(1)
  expect(await held('A7')).toMatchObject([{ status: 'awaiting_approval', terms: 0 }])

  // An officer of a chapter brings in what their chapter decides, and nothing about themselves.
  const { rows } = await admin.query<{ id: string }>(`select id from app.chapters where org_id = $1 and code = 'NORTH'`, [org.id])
  const north = rows[0]?.id ?? ''
  const me = await person({ org, familyName: 'Me', chapterId: north, grants: [{ role: 'chapter-admin', chapterId: north }] })
  const mine = await person({ org, familyName: 'Mine', chapterId: north })
  for (const [one, no] of [
    [me, 'ME'],
    [mine, 'MINE'],
  ] as const)
    await admin.query('update app.people set member_no = $2 where id = $1', [one.personId, no])
  const officer = api.as(me)
  const theirs = await bringIn(
    officer,
    'memberships',
    `${header}MINE,Full member,NORTH,2024-01-01,2024-12-31,,60,,,\nMINE,Full member,,2022-01-01,2022-12-31,,60,,,\nME,Full member,NORTH,2024-01-01,2024-12-31,,60,,,\n`,
  )
  expect(theirs.counts.check).toEqual(theirs.counts.run)
  expect(codes(await rowsOf(officer, theirs, 'run'))).toEqual([
    [2, 'create', 'term_gap'],
    [3, 'create'],
    [4, 'reject', 'not_allowed'],
  ])
})

test('terms in pieces of one file overlap as within one, and an export of memberships comes back unchanged', async ({
  club: { boss },
  api: _,
}) => {
  // 501 rows between two that overlap: they are not of one piece.
  const filler = Array.from({ length: 501 }, (_, n) => `Q${n},Full member,,2024-01-01,2024-12-31,,60,,,\n`).join('')
  const one = await bringIn(
    boss,
    'memberships',
    `${header}A1,Full member,,2023-01-01,2023-12-31,,60,,,\n${filler}A1,Full member,,2023-06-01,2024-05-31,,60,,,\nA1,Full member,,2024-02-01,2025-01-31,,60,,,\n`,
  )
  expect([one.counts.check, one.counts.run]).toEqual(Array(2).fill({ create: 2, update: 0, unchanged: 0, skip: 0, reject: 502 }))
  const rows = (await boss.get(`/data/imports/${one.id}/rows?phase=check&q=A1`)).body as { items: ImportRow[] }
  expect(codes(rows.items).slice(-2)).toEqual([
    [504, 'reject', 'term_overlap'],
    [505, 'create', 'term_gap'],
  ])

  const { items } = (await boss.get('/data/exports/columns?list=memberships')).body as { items: { key: string }[] }
  const asked = await boss.post('/actions/exports', {
    ...{ list: 'memberships', format: 'csv', columns: items.map(({ key }) => key), selection: { all: {}, except: [] }, reason: 'Test' },
  })
  const { id } = asked.body as { id: string }
  await expect
    .poll(async () => ((await boss.get(`/data/exports/${id}`)).body as { job: { status: string } }).job.status, { timeout: 30_000 })
    .toBe('done')
  const back = await bringIn(boss, 'memberships', (await boss.get(`/actions/exports/${id}/file`)).text)
  expect(back.counts.run).toEqual({ create: 0, update: 0, unchanged: 2, skip: 0, reject: 0 })
})

test('terms that touch neither overlap nor leave a gap; the last one says the status', () => {
  const [a, b, c] = [
    { first: '2023-01-01', last: '2023-12-31' },
    { first: '2024-01-01', last: '2024-12-31' },
    { first: '2025-03-01', last: null },
  ]
  expect([
    overlaps(a, b),
    overlaps(a, { first: '2023-12-31', last: '2024-02-01' }),
    overlaps(c, { first: '2090-01-01', last: '2091-01-01' }),
  ]).toEqual([false, true, true])
  expect([gapBefore(a, [a, b, c]), gapBefore(b, [a, b, c]), gapBefore(c, [a, b, c])]).toEqual([
    null,
    null,
    { days: 59, last: '2024-12-31' },
  ])
  expect([isLast(b, [a, b]), isLast(b, [a, b, c]), isLast(c, [a, b, c])]).toEqual([true, false, true])
  expect(['2024-05-31', '2024-05-30', '2024-05-01', '2024-04-30'].map((last) => statusByDates(last, 30, '2024-05-31'))).toEqual([
    'active',
    'grace',
    'grace',
    'lapsed',
  ])
})
