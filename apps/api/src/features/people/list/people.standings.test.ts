import { PersonRow } from '@guildhall/contract/features/people'
import { page } from '@guildhall/contract/shapes'
import type pg from 'pg'
import { expect } from 'vitest'
import { test } from '../../../testing.ts'
import type { Client, TestOrganisation } from '../../../testing.ts'

const peoplePage = page(PersonRow)
type Condition = { field: string; op: string; value?: unknown }
const all = (...conditions: Condition[]) => JSON.stringify({ and: conditions.map((one) => ({ or: [one] })) })

const read = async (client: Client, query: Record<string, string> = {}) => {
  const answer = await client.get(`/data/people?${new URLSearchParams({ columns: 'membership,dues', ...query }).toString()}`)
  if (answer.status !== 200) throw new Error(answer.text)
  return peoplePage.parse(answer.body)
}
const names = async (client: Client, query: Record<string, string> = {}) =>
  (await read(client, query)).items.map(({ familyName }) => familyName)
/** Days from the organisation's today. */
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

async function typeIn(admin: pg.Pool, org: TestOrganisation, name: string): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.membership_types (org_id, name, period, months, price_amount, price_currency) values ($1, $2, 'rolling', 12, 6000, 'EUR') returning id`,
    [org.id, name],
  )
  return rows[0]?.id ?? ''
}

type Held = { typeId: string; chapterId?: string | null; status?: string; endsOn?: string | null; autoRenew?: boolean; override?: string }
async function hold(admin: pg.Pool, org: TestOrganisation, personId: string, held: Held): Promise<string> {
  const { typeId, chapterId = null, status = 'active', endsOn = null, autoRenew = true, override = null } = held
  const { rows } = await admin.query<{ id: string }>(
    `with m as (insert into app.memberships (org_id, person_id, type_id, chapter_id, status, auto_renew, starts_on, ends_on, override_status, override_until, override_reason)
       values ($1, $2, $3, $4, $5, $6, case when $7::date is not null then '2020-01-01'::date end, $7, $8, case when $8::text is not null then '2090-01-01'::date end, case when $8::text is not null then 'x' end) returning id),
     t as (insert into app.membership_terms (org_id, membership_id, person_id, period, months, price_amount, price_currency, status, starts_on, ends_on, settled_on)
       select $1, m.id, $2, 'rolling', 12, 6000, 'EUR', 'settled', $7::date - 364, $7, '2020-01-01' from m where $7::date is not null)
     select id from m`,
    [org.id, personId, typeId, chapterId, status, autoRenew, endsOn, override],
  )
  return rows[0]?.id ?? ''
}

test('people have the membership that counts as columns, filters and order', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const secretary = api.as(await person({ org, idpRoles: ['org-admin'], familyName: 'None' }))
  const [full, friend] = [await typeIn(admin, org, 'Full member'), await typeIn(admin, org, 'Friend')]
  const named = async (familyName: string) => (await person({ org, familyName })).personId ?? ''
  await hold(admin, org, await named('Soon'), { typeId: full, endsOn: day(10) })
  await hold(admin, org, await named('Later'), { typeId: full, endsOn: day(200), autoRenew: false })
  await hold(admin, org, await named('Grace'), { typeId: friend, status: 'grace', endsOn: day(-5) })
  await hold(admin, org, await named('Gone'), { typeId: friend, status: 'lapsed', endsOn: day(-100) })
  await hold(admin, org, await named('Kept'), { typeId: full, status: 'lapsed', endsOn: day(-50), override: 'active' })
  await hold(admin, org, await named('Ever'), { typeId: friend })
  await hold(admin, org, await named('Refused'), { typeId: friend, status: 'declined' })
  const both = await named('Both')
  await hold(admin, org, both, { typeId: full, status: 'lapsed', endsOn: day(-400) })
  await hold(admin, org, both, { typeId: friend, endsOn: day(20) })

  const found = await read(secretary, { filter: all({ field: 'membershipStatus', op: 'is', value: 'active' }), sort: 'termEnd' })
  expect(found.items.map(({ familyName }) => familyName)).toEqual(['Kept', 'Soon', 'Both', 'Later', 'Ever'])
  expect(found).toMatchObject({ total: 5, totalIsExact: true })
  expect(found.items[2]?.membership).toMatchObject({
    type: { id: friend, name: 'Friend' },
    status: 'active',
    endsOn: day(20),
    autoRenew: true,
  })
  expect(found.items[3]?.membership).toMatchObject({ startsOn: day(200 - 364), endsOn: day(200), autoRenew: false })
  const lapsing = all(
    { field: 'membershipStatus', op: 'is', value: 'active' },
    { field: 'termEnd', op: 'between', value: [day(0), day(30)] },
  )
  expect(await names(secretary, { filter: lapsing })).toEqual(['Both', 'Soon'])
  expect(
    await names(secretary, { filter: all({ field: 'membershipStatus', op: 'in', value: ['lapsed', 'grace'] }), sort: '-termEnd' }),
  ).toEqual(['Grace', 'Gone'])
  expect(await names(secretary, { filter: all({ field: 'membershipType', op: 'is', value: friend }) })).toEqual([
    'Both',
    'Ever',
    'Gone',
    'Grace',
  ])
  expect(await names(secretary, { filter: all({ field: 'autoRenew', op: 'is', value: false }) })).toEqual(['Later'])
  expect(await names(secretary, { filter: all({ field: 'membershipType', op: 'empty' }) })).toEqual(['None', 'Refused'])
  expect(await names(secretary, { filter: all({ field: 'membershipStatus', op: 'notIn', value: ['active', 'lapsed', 'grace'] }) })).toEqual(
    ['None', 'Refused'],
  )
  expect(
    await names(secretary, {
      filter: JSON.stringify({
        and: [
          {
            or: [
              { field: 'termStart', op: 'before', value: day(-300) },
              { field: 'name', op: 'contains', value: 'none' },
            ],
          },
        ],
      }),
    }),
  ).toEqual(['Gone', 'Grace', 'Kept', 'None', 'Soon', 'Both'].toSorted())
  // Everybody in the order of term ends, those without one last, page by page in either direction.
  for (const [sort, expected] of [
    ['termEnd', ['Gone', 'Kept', 'Grace', 'Soon', 'Both', 'Later']],
    ['-termEnd', ['Later', 'Both', 'Soon', 'Grace', 'Kept', 'Gone']],
  ] as const) {
    const seen: string[] = []
    let cursor = ''
    do {
      const some = await read(secretary, { sort, limit: '2', ...(cursor && { cursor }) })
      seen.push(...some.items.map(({ familyName }) => familyName))
      cursor = some.nextCursor ?? ''
    } while (cursor)
    expect(seen.slice(0, 6)).toEqual(expected)
    expect(seen.slice(6).toSorted()).toEqual(['Ever', 'None', 'Refused'])
  }
  expect((await secretary.get(`/data/people/${both}/neighbours?sort=termEnd&filter=${encodeURIComponent(lapsing)}`)).body).toMatchObject({
    previous: { displayName: 'Test Soon' },
    next: null,
  })
  // It follows what happens to memberships.
  await admin.query(`update app.memberships set status = 'cancelled' where person_id = $1 and type_id = $2`, [both, friend])
  expect((await read(secretary, { filter: all({ field: 'name', op: 'contains', value: 'both' }) })).items[0]?.membership).toMatchObject({
    status: 'lapsed',
    type: { name: 'Full member' },
  })
  await admin.query(`delete from app.memberships where person_id = $1 and type_id = $2`, [both, full])
  expect((await read(secretary, { filter: all({ field: 'name', op: 'contains', value: 'both' }) })).items[0]?.membership).toMatchObject({
    status: 'cancelled',
  })
  const refused = await secretary.get(
    `/data/people?filter=${encodeURIComponent(all({ field: 'autoRenew', op: 'is', value: true }, { field: 'membershipStatus', op: 'is', value: 'declined' }))}`,
  )
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'filter.and.1.or.0.value' }] } })
})

test('what people owe is a column and a filter', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const secretary = api.as(await person({ org, idpRoles: ['org-admin'], familyName: 'None' }))
  const bill = async (familyName: string, state: string, dueOn: string, amount = 6000, currency = 'EUR', personId?: string) => {
    const id = personId ?? (await person({ org, familyName })).personId ?? ''
    await admin.query(
      `insert into app.invoices (org_id, kind, person_id, books_chapter_id, state, currency, total_amount, paid_amount, foreign_number, issued_on, due_on, billing, voided_at)
       values ($1, 'invoice', $2, $6, $3, $4, $5, case $3::text when 'paid' then $5::bigint when 'partly_paid' then 1000 else 0 end, gen_random_uuid()::text, '2026-01-01', $7, '{}', case when $3::text = 'void' then now() end)`,
      [org.id, id, state, currency, amount, org.rootChapterId, dueOn],
    )
    return id
  }
  await bill('Open', 'issued', day(10))
  const over = await bill('Over', 'partly_paid', day(-10))
  await bill('Over', 'issued', day(20), 500, 'USD', over)
  await bill('Paid', 'paid', day(-10))
  await bill('Void', 'void', day(-10))
  const rows = new Map((await read(secretary)).items.map(({ familyName, dues }) => [familyName, dues]))
  expect(Object.fromEntries(rows)).toEqual({
    Open: { state: 'open', open: [{ amount: 6000, currency: 'EUR' }], dueOn: day(10) },
    Over: {
      state: 'overdue',
      open: [
        { amount: 5000, currency: 'EUR' },
        { amount: 500, currency: 'USD' },
      ],
      dueOn: day(-10),
    },
    Paid: { state: 'paid', open: [], dueOn: null },
    None: null,
    Void: null,
  })
  const owing = (op: string, value: unknown) => names(secretary, { filter: all({ field: 'dues', op, value }) })
  expect(await owing('is', 'open')).toEqual(['Open', 'Over'])
  expect(await owing('is', 'overdue')).toEqual(['Over'])
  expect(await owing('in', ['paid', 'overdue'])).toEqual(['Over', 'Paid'])
  expect(await owing('notIn', ['open', 'paid'])).toEqual(['None', 'Void'])
})

test('memberships and dues of others are columns, filters and orders for those who may read them alone', async ({
  api,
  admin,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation()
  const [north, south] = [await chapter(org, 'North'), await chapter(org, 'South')]
  const typeId = await typeIn(admin, org, 'Full member')
  const told: Record<string, string> = { Ann: north, Bob: south }
  for (const [familyName, chapterId] of Object.entries(told)) {
    const { personId } = await person({ org, familyName, chapterId })
    await hold(admin, org, personId ?? '', { typeId, chapterId, endsOn: day(10) })
    await admin.query(
      `insert into app.invoices (org_id, kind, person_id, books_chapter_id, state, currency, total_amount, foreign_number, issued_on, due_on, billing)
       values ($1, 'invoice', $2, $3, 'issued', 'EUR', 100, $2::uuid::text, '2026-01-01', '2026-01-31', '{}')`,
      [org.id, personId, chapterId],
    )
  }
  const self = await person({ org, familyName: 'Self', chapterId: north })
  await hold(admin, org, self.personId ?? '', { typeId, chapterId: north, endsOn: day(5) })
  const readers = {
    finance: { who: api.as(await person({ org, idpRoles: ['finance'], chapterId: null })), sees: ['Ann', 'Bob', 'Self'] },
    officer: {
      who: api.as(await person({ org, familyName: 'Zoe', chapterId: south, grants: [{ role: 'chapter-admin', chapterId: south }] })),
      sees: ['Bob'],
    },
    member: { who: api.as(self), sees: ['Self'] },
  }
  for (const [name, { who, sees }] of Object.entries(readers)) {
    const rows = (await read(who)).items
    expect([name, rows.filter(({ membership }) => membership).map(({ familyName }) => familyName)]).toEqual([name, sees])
    const owing = sees.filter((one) => one !== 'Self')
    expect([name, rows.filter(({ dues }) => dues).map(({ familyName }) => familyName)]).toEqual([name, owing])
    for (const filter of [
      all({ field: 'membershipStatus', op: 'is', value: 'active' }),
      all({ field: 'membershipType', op: 'is', value: typeId }),
      all({ field: 'termEnd', op: 'between', value: [day(0), day(30)] }),
      all({ field: 'autoRenew', op: 'is', value: true }),
    ])
      expect([name, filter, await names(who, { filter })]).toEqual([name, filter, sees])
    expect([name, await names(who, { filter: all({ field: 'dues', op: 'is', value: 'overdue' }) })]).toEqual([name, owing])
    // The order tells no more either: whoever is hidden stands among those without an end, by their own ids.
    const order = await names(who, { sort: 'termEnd' })
    expect([name, order.slice(0, sees.length).toSorted()]).toEqual([name, sees])
  }
})

test('what many people have is met along the list and counted as what few have', async ({ api, admin, organisation, person, chapter }) => {
  const org = await organisation()
  const secretary = api.as(await person({ org, idpRoles: ['org-admin'], familyName: 'Aaa' }))
  const typeId = await typeIn(admin, org, 'Full member')
  const branch = await chapter(org, 'Branch')
  const count = 20_050
  // As a load without triggers leaves them.
  const load = await admin.connect()
  await load.query('begin')
  await load.query(
    `insert into app.people (org_id, given_name, family_name) select $1, 'Ann', 'Crowd' || to_char(n, 'FM00000') from generate_series(1, $2::int) n`,
    [org.id, count],
  )
  await load.query('set local session_replication_role = replica')
  await load.query(
    `insert into app.memberships (org_id, person_id, type_id, status, starts_on, ends_on)
       select org_id, id, $2, 'lapsed', '2020-01-01', '2021-01-01'::date + right(family_name, 5)::int % 1000 from app.people where org_id = $1 and given_name = 'Ann'`,
    [org.id, typeId],
  )
  await load.query('select app.refresh_standings($1)', [org.id])
  await load.query('commit')
  load.release()
  await admin.query(
    `insert into app.affiliations (org_id, person_id, chapter_id, starts_on) select org_id, id, $2, '2020-01-01' from app.people where org_id = $1 and family_name in ('Crowd00007', 'Crowd07000')`,
    [org.id, branch],
  )
  const lapsed = { field: 'membershipStatus', op: 'is', value: 'lapsed' }
  const filter = all(lapsed)
  const first = await read(secretary, { filter, limit: '2' })
  expect([first.items.map(({ familyName }) => familyName), first.total, first.totalIsExact]).toEqual([
    ['Crowd00001', 'Crowd00002'],
    10_000,
    false,
  ])
  expect(await names(secretary, { filter, limit: '2', cursor: first.nextCursor ?? '' })).toEqual(['Crowd00003', 'Crowd00004'])
  const ended = await read(secretary, { filter, limit: '2', sort: '-termEnd' })
  expect(ended.items.map(({ membership }) => membership?.endsOn)).toEqual(['2023-09-27', '2023-09-27'])
  const next = await read(secretary, { filter, limit: '30', sort: '-termEnd', cursor: ended.nextCursor ?? '' })
  expect(next.items.filter(({ membership }) => membership?.endsOn === '2023-09-27')).toHaveLength(18)
  // Few of the chapter among many memberships, and few memberships among many.
  expect(await names(secretary, { filter: all(lapsed, { field: 'chapter', op: 'is', value: branch }) })).toEqual([
    'Crowd00007',
    'Crowd07000',
  ])
  const few = await read(secretary, { filter: all(lapsed, { field: 'termEnd', op: 'is', value: '2021-01-08' }), limit: '3' })
  expect([few.items.map(({ familyName }) => familyName), few.total]).toEqual([['Crowd00007', 'Crowd01007', 'Crowd02007'], 21])
})
