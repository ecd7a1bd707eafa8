import { PersonRow } from '@guildhall/contract/features/people'
import type { Person } from '@guildhall/contract/features/people'
import { page } from '@guildhall/contract/shapes'
import { expect } from 'vitest'
import { test } from '../../../testing.ts'
import type { Client } from '../../../testing.ts'

const peoplePage = page(PersonRow)
type Page = {
  items: PersonRow[]
  nextCursor: string | null
  total: number | null
  totalIsExact: boolean
  code: string
  errors: { path: string }[]
  detail?: string
}
const list = async (client: Client, query: Record<string, string | number> = {}) => {
  const answer = await client.get(
    `/data/people?${new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)])).toString()}`,
  )
  return { status: answer.status, body: answer.body as Page }
}
const filter = (field: string, op: string, value?: unknown) =>
  JSON.stringify({ and: [{ or: [{ field, op, ...(value === undefined ? {} : { value }) }] }] })
const names = (page: { body: Page }) => page.body.items.map((item) => item.displayName)
const enter = async (client: Client, person: Record<string, unknown>) => {
  const answer = await client.post('/data/people', person)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body as Person
}

test('a page of people comes in the order of names, with a total and a cursor for the next page', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  for (const familyName of ['Delta', 'alpha', 'Charlie', 'Élan', 'bravo']) await enter(owner, { givenName: 'X', familyName })
  const first = await list(owner, { limit: 2 })
  expect(names(first)).toEqual(['X alpha', 'X bravo'])
  expect(first.body).toMatchObject({ total: 5, totalIsExact: true })
  const second = await list(owner, { limit: 2, cursor: first.body.nextCursor ?? '' })
  expect(names(second)).toEqual(['X Charlie', 'X Delta'])
  const third = await list(owner, { limit: 2, cursor: second.body.nextCursor ?? '' })
  expect(names(third)).toEqual(['X Élan'])
  expect(third.body).toMatchObject({ nextCursor: null, total: null })
  expect(names(await list(owner, { sort: '-name' }))).toEqual(['X Élan', 'X Delta', 'X Charlie', 'X bravo', 'X alpha'])
})

test('what PostgreSQL writes is what the contract says, with every column and in every order', async ({
  api,
  organisation,
  person,
  admin,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'] }))
  for (const familyName of ['"Quoted"', 'Back\\slash', 'Zeile', '😀'])
    await enter(owner, { familyName, joinedOn: '2020-02-29', emails: [{ address: `${familyName.length}@example.org`, isPrimary: true }] })
  // From before such characters were refused.
  await admin.query(`update app.people set family_name = $2 where org_id = $1 and family_name = 'Zeile'`, [org.id, 'Zeile\u2028'])
  const columns = 'primaryEmail,primaryPhone,city,country,tags,positions,groups,chapters'
  const answers = []
  for (const sort of ['name', 'givenName', '-joinedOn', 'createdAt', '-updatedAt', 'match'])
    for (const more of [{}, { q: 'e' }, { limit: 2 }, { filter: filter('lifecycle', 'in', ['active', 'prospect']) }])
      answers.push(await list(owner, { columns, sort, ...more }))
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(peoplePage.parse(body)).toEqual(body)
  }
  expect(answers[0]?.body.items.map(({ familyName }) => familyName)).toEqual(expect.arrayContaining(['"Quoted"', 'Back\\slash', '😀']))
})

test('those without a joining date come last whichever way the list is turned, also across pages', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  for (const [familyName, joinedOn] of [
    ['A', '2020-01-01'],
    ['B', null],
    ['C', '2021-01-01'],
    ['D', null],
    ['E', '2019-01-01'],
  ] as const)
    await enter(owner, { familyName, joinedOn })
  for (const [sort, expected] of [
    ['joinedOn', ['E', 'A', 'C', 'B', 'D']],
    ['-joinedOn', ['C', 'A', 'E', 'D', 'B']],
  ] as const) {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { body: Page } = await list(owner, { sort, limit: 1, ...(cursor ? { cursor } : {}) })
      seen.push(...names(page))
      cursor = page.body.nextCursor
    } while (cursor)
    expect(seen).toEqual(expected)
  }
})

test('search finds any part of given, family, former and preferred names, member number, e-mail and telephone, blind to accents', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  await enter(owner, {
    givenName: 'José',
    familyName: 'Muñoz',
    preferredName: 'Pepe',
    formerNames: ['Ortega'],
    memberNo: 'MX-4711',
    emails: [{ address: 'jm.contact@Example.org' }],
    phones: [{ number: '+49 30 901820' }],
  })
  await enter(owner, { givenName: 'Other', familyName: 'Person' })
  for (const q of ['jose', 'OSÉ', 'unoz', 'munoz jose', 'pepe', 'rteg', 'x-47', 'm.cont', 'contact@exam', '4930901', '90182', 'Mu'])
    expect([q, names(await list(owner, { q }))]).toEqual([q, ['Pepe Muñoz']])
  expect(names(await list(owner, { q: 'zzz' }))).toEqual([])
  expect((await list(owner, { q: 'zzz' })).body.total).toBe(0)
  expect(names(await list(owner, { q: 'jose', sort: '-createdAt' }))).toEqual(['Pepe Muñoz'])
  expect(names(await list(owner, { q: 'jose', filter: filter('lifecycle', 'is', 'active') }))).toEqual(['Pepe Muñoz'])
  expect(names(await list(owner, { q: 'jose', filter: filter('lifecycle', 'is', 'former') }))).toEqual([])
})

test('people with short names are found by them, in either order', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  await enter(owner, { givenName: 'Bo', familyName: 'Xu' })
  await enter(owner, { givenName: 'Li', familyName: 'Xu' })
  for (const q of ['bo xu', 'Xu Bo', 'xu b', 'b xu']) expect([q, names(await list(owner, { q }))]).toEqual([q, ['Bo Xu']])
  expect(names(await list(owner, { q: 'bo li' }))).toEqual([])
})

test('search goes on behind the page that was shown', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  for (let i = 0; i < 5; i++) await enter(owner, { givenName: `N${i}`, familyName: 'Samename' })
  for (const sort of ['name', '-name']) {
    const first = await list(owner, { q: 'mename', limit: 2, sort })
    const second = await list(owner, { q: 'mename', limit: 2, sort, cursor: first.body.nextCursor ?? '' })
    const third = await list(owner, { q: 'mename', limit: 2, sort, cursor: second.body.nextCursor ?? '' })
    const seen = [first, second, third].flatMap(names)
    expect(seen).toEqual([0, 1, 2, 3, 4].map((i) => `N${sort === 'name' ? i : 4 - i} Samename`))
    expect(first.body.total).toBe(5)
    expect(third.body.nextCursor).toBeNull()
  }
})

test('someone with the longest names there can be is entered, and found by the name and the number', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  // Letters outside the basic plane take four bytes each; no two runs of them are alike, so that nothing can be packed together.
  let nth = 7
  const long = (letters: number) =>
    Array.from({ length: letters / 2 }, () => String.fromCodePoint(0x20000 + ((nth = (nth * 75 + 74) % 65_537) % 42_000))).join('')
  await enter(owner, {
    givenName: `Adelheid ${long(90)}`,
    middleName: long(100),
    familyName: long(100),
    preferredName: long(100),
    formerNames: Array.from({ length: 10 }, () => long(200)),
    memberNo: 'LONG-4711',
  })
  for (const q of ['adelheid', 'long-4711']) expect((await list(owner, { q })).body.total).toBe(1)
})

test('what very many names contain is found in names alone, page after page, whether those stand together or apart', async ({
  api,
  organisation,
  person,
  admin,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  // Every Kowalczyk stands behind 60,000 others, farther than a glance along the names goes; every third person is a Marisol.
  await admin.query(`set session_replication_role = replica`)
  await admin.query(
    `insert into app.people (org_id, given_name, family_name, display_name, sort_name, search)
     select $1, g, f, g || ' ' || f, lower(f || ' ' || g), lower(g || ' ' || f)
     from (select case when n % 3 = 0 then 'Marisol' else 'Ute' end || n as g, case when n > 60000 then 'Kowalczyk' else 'Abel' end as f
       from generate_series(1, 70500) n) x`,
    [org.id],
  )
  await admin.query(`set session_replication_role = origin`)
  await enter(owner, { givenName: 'Zoe', familyName: 'Zimmer', emails: [{ address: 'kowalczyk@example.org', isPrimary: true }] })

  for (const q of ['owalc', 'ariso']) {
    const first = await list(owner, { q, limit: 50 })
    const second = await list(owner, { q, limit: 50, cursor: first.body.nextCursor ?? '' })
    const found = [...names(first), ...names(second)]
    const { rows } = await admin.query<{ name: string }>(
      `select display_name as name from app.people where org_id = $1 and search like '%' || $2 || '%' order by sort_name limit 100`,
      [org.id, q],
    )
    expect(found).toEqual(rows.map(({ name }) => name))
    expect(first.body).toMatchObject({ total: 10_000, totalIsExact: false })
  }
  expect(names(await list(owner, { q: 'kowalczyk@' }))).toEqual(['Zoe Zimmer'])
})

test('wildcards, quotes and other hostile texts are only text', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  await enter(owner, { givenName: 'Sinéad', familyName: "O'Brien" })
  await enter(owner, { givenName: 'Jennifer', familyName: 'Null' })
  await enter(owner, { givenName: 'Percy', familyName: '100%_sure\\' })
  expect(names(await list(owner, { q: "o'br" }))).toEqual(["Sinéad O'Brien"])
  expect(names(await list(owner, { q: 'null' }))).toEqual(['Jennifer Null'])
  expect(names(await list(owner, { q: '100%_s' }))).toEqual(['Percy 100%_sure\\'])
  for (const q of ['%', '_', '%%%', '%_%_%_%', "'; drop table app.people; --", '\u202Eabc', '\ud800x', '('.repeat(100), '\\'])
    expect([q, (await list(owner, { q })).status]).toEqual([q, 200])
  expect(names(await list(owner, { q: '%%%' }))).toEqual([])
  expect((await list(owner, { q: 'a\0b' })).status).toBe(422)
  expect((await list(owner, { q: 'x'.repeat(201) })).status).toBe(422)
})

test('further columns come only when they are asked for', async ({ api, organisation, person, admin }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const tag = (await owner.post('/data/tags', { name: 'Choir' })).body as { id: string }
  const made = await enter(owner, {
    familyName: 'Full',
    chapterId: org.rootChapterId,
    emails: [{ address: 'second@x.org' }, { address: 'first@x.org', isPrimary: true }],
    phones: [{ number: '+4930901820' }],
    contact: { city: 'Bern', country: 'CH' },
    tagIds: [tag.id],
  })
  const position = await admin.query<{ id: string }>(
    `insert into app.positions (org_id, chapter_id, title) values ($1, $2, 'Chair') returning id`,
    [org.id, org.rootChapterId],
  )
  await admin.query(`insert into app.position_holders (org_id, position_id, person_id, starts_on) values ($1, $2, $3, '2020-01-01')`, [
    org.id,
    position.rows[0]?.id,
    made.id,
  ])
  const group = await admin.query<{ id: string }>(`insert into app.groups (org_id, name) values ($1, 'Readers') returning id`, [org.id])
  await admin.query(`insert into app.group_members (org_id, group_id, person_id, title) values ($1, $2, $3, 'Host')`, [
    org.id,
    group.rows[0]?.id,
    made.id,
  ])
  const plain = (await list(owner)).body.items[0]
  expect(plain).not.toHaveProperty('tags')
  expect(plain?.homeChapter).toMatchObject({ id: org.rootChapterId, name: 'Root' })
  const full = (await list(owner, { columns: 'primaryEmail,primaryPhone,city,country,tags,positions,groups,chapters' })).body.items[0]
  expect(full).toMatchObject({
    primaryEmail: 'first@x.org',
    primaryPhone: '+4930901820',
    city: 'Bern',
    country: 'CH',
    tags: [{ id: tag.id, name: 'Choir', color: 'gray', audience: 'officers' }],
    positions: [{ title: 'Chair', chapter: { name: 'Root' } }],
    groups: [{ name: 'Readers', title: 'Host' }],
    chapters: [{ name: 'Root', kind: 'member' }],
  })
})

test('filters find people by every field, AND between groups and OR inside', async ({ api, organisation, person, chapter, admin }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const west = await chapter(org, 'West')
  const town = await chapter(org, 'Town', west)
  const tag = (await owner.post('/data/tags', { name: 'Choir' })).body as { id: string }
  const ann = await enter(owner, {
    familyName: 'Ann',
    chapterId: town,
    joinedOn: '2020-05-05',
    gradYear: 2010,
    employer: 'Acme GmbH',
    jobTitle: 'Baker',
    memberNo: 'A1',
    emails: [{ address: 'ann@x.org' }],
    contact: { city: 'Bern', country: 'CH' },
    tagIds: [tag.id],
  })
  await enter(owner, {
    familyName: 'Bob',
    chapterId: org.rootChapterId,
    affiliationKind: 'alumni',
    lifecycle: 'alumni',
    joinedOn: '2021-05-05',
    gradYear: 2012,
    phones: [{ number: '+4930901820' }],
    doNotContact: true,
  })
  await enter(owner, { familyName: 'Cyd' })
  const position = await admin.query<{ id: string }>(
    `insert into app.positions (org_id, chapter_id, title) values ($1, $2, 'Senator') returning id`,
    [org.id, west],
  )
  await admin.query(
    `insert into app.position_holders (org_id, position_id, person_id, starts_on, ends_on) values ($1, $2, $3, '2020-01-01', current_date - 1)`,
    [org.id, position.rows[0]?.id, ann.id],
  )
  const group = await admin.query<{ id: string }>(`insert into app.groups (org_id, name) values ($1, 'Readers') returning id`, [org.id])
  await admin.query(`insert into app.group_members (org_id, group_id, person_id, title) values ($1, $2, $3, 'Chairman')`, [
    org.id,
    group.rows[0]?.id,
    ann.id,
  ])
  const cases: [string, string, unknown, string[]][] = [
    ['chapter', 'is', west, ['Ann']],
    ['chapter', 'is', org.rootChapterId, ['Ann', 'Bob']],
    ['chapter', 'empty', undefined, ['Cyd']],
    ['chapter', 'isNot', west, ['Bob', 'Cyd']],
    ['homeChapter', 'is', org.rootChapterId, ['Bob']],
    ['homeChapter', 'empty', undefined, ['Cyd']],
    ['affiliationKind', 'is', 'alumni', ['Bob']],
    ['affiliationKind', 'isNot', 'alumni', ['Ann', 'Cyd']],
    ['lifecycle', 'in', ['alumni', 'former'], ['Bob']],
    ['lifecycle', 'isNot', 'active', ['Bob']],
    ['tag', 'is', tag.id, ['Ann']],
    ['tag', 'notEmpty', undefined, ['Ann']],
    ['tag', 'isNot', tag.id, ['Bob', 'Cyd']],
    ['position', 'contains', 'sen', []],
    ['positionEver', 'contains', 'SEN', ['Ann']],
    ['positionEver', 'empty', undefined, ['Bob', 'Cyd']],
    ['group', 'is', group.rows[0]?.id, ['Ann']],
    ['groupTitle', 'is', 'chairman', ['Ann']],
    ['groupTitle', 'is', 'vice chairman', []],
    ['name', 'startsWith', 'b', ['Bob']],
    ['memberNo', 'is', 'a1', ['Ann']],
    ['memberNo', 'empty', undefined, ['Bob', 'Cyd']],
    ['employer', 'contains', 'acme', ['Ann']],
    ['employer', 'isNot', 'Acme GmbH', ['Bob', 'Cyd']],
    ['jobTitle', 'startsWith', 'bak', ['Ann']],
    ['city', 'is', 'bern', ['Ann']],
    ['country', 'contains', 'c', ['Ann']],
    ['email', 'contains', 'ann@', ['Ann']],
    ['joinedOn', 'is', '2020-05-05', ['Ann']],
    ['joinedOn', 'before', '2021-05-05', ['Ann']],
    ['joinedOn', 'after', '2020-05-05', ['Bob']],
    ['joinedOn', 'between', ['2020-05-05', '2021-05-05'], ['Ann', 'Bob']],
    ['joinedOn', 'empty', undefined, ['Cyd']],
    ['gradYear', 'is', 2010, ['Ann']],
    ['gradYear', 'after', 2010, ['Bob']],
    ['gradYear', 'between', [2010, 2012], ['Ann', 'Bob']],
    ['createdAt', 'after', '2000-01-01', ['Ann', 'Bob', 'Cyd']],
    ['updatedAt', 'before', '2000-01-01', []],
    ['hasEmail', 'is', true, ['Ann']],
    ['hasEmail', 'is', false, ['Bob', 'Cyd']],
    ['hasPhone', 'is', true, ['Bob']],
    ['doNotContact', 'is', true, ['Bob']],
    ['archived', 'is', true, []],
    ['archived', 'is', false, ['Ann', 'Bob', 'Cyd']],
  ]
  for (const [field, op, value, expected] of cases) {
    const answer = await list(owner, { filter: filter(field, op, value) })
    expect([field, op, value, answer.body.detail ?? names(answer)]).toEqual([field, op, value, expected])
    expect(answer.body.total).toBe(expected.length)
  }
  const both = JSON.stringify({
    and: [
      {
        or: [
          { field: 'name', op: 'is', value: 'Ann' },
          { field: 'name', op: 'is', value: 'Bob' },
        ],
      },
      { or: [{ field: 'gradYear', op: 'after', value: 2010 }] },
    ],
  })
  expect(names(await list(owner, { filter: both }))).toEqual(['Bob'])
})

test('an unknown field, operator, sort or column is refused by name, a wrong value where it stands', async ({ api, person }) => {
  const owner = api.as(await person({ idpRoles: ['org-owner'], chapterId: null }))
  for (const [query, said, status] of [
    [{ filter: filter('password', 'is', 'x') }, 'password', 400],
    [{ filter: filter('constructor', 'is', 'x') }, 'constructor', 400],
    [{ filter: filter('lifecycle', 'contains', 'x') }, 'contains', 400],
    [{ filter: filter('name', 'regex', 'x') }, 'filter', 400],
    [{ filter: '{"and":[' }, 'JSON', 400],
    [{ filter: '{"or":[]}' }, 'filter', 400],
    [{ sort: 'password' }, 'password', 400],
    [{ sort: 'name; drop table' }, 'drop', 400],
    [{ columns: 'primaryEmail,secrets' }, 'secrets', 400],
    [{ limit: 0 }, 'limit', 422],
    [{ limit: 201 }, 'limit', 422],
    [{ limit: '1e308' }, 'limit', 400],
    [{ offset: 10 }, 'offset', 400],
    [{ filter: filter('lifecycle', 'is', 'dead') }, 'lifecycle', 422],
    [{ filter: filter('joinedOn', 'is', '2021-02-30') }, 'joinedOn', 422],
    [{ filter: filter('joinedOn', 'between', ['2021-02-03']) }, 'joinedOn', 422],
    [{ filter: filter('chapter', 'is', "' or 1=1 --") }, 'chapter', 422],
    [{ filter: filter('gradYear', 'is', 1e300) }, 'gradYear', 422],
    [{ filter: filter('hasEmail', 'is', 'perhaps') }, 'hasEmail', 422],
    [{ filter: filter('name', 'contains', 'a\0b') }, 'name', 422],
    [
      {
        filter: JSON.stringify({
          and: Array.from({ length: 11 }, () => ({ or: Array.from({ length: 5 }, () => ({ field: 'name', op: 'is', value: 'x' })) })),
        }),
      },
      '50',
      422,
    ],
  ] as const) {
    const answer = await list(owner, query)
    expect([query, answer.status]).toEqual([query, status])
    expect(JSON.stringify(answer.body)).toContain(said)
  }
})

test('a cursor that is forged, cut, foreign or of another list is refused', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  for (const familyName of ['A', 'B', 'C']) await enter(owner, { familyName })
  const { nextCursor } = (await list(owner, { limit: 1 })).body
  const cursor = nextCursor ?? ''
  const bytes = Buffer.from(cursor, 'base64url')
  bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20)
  const stranger = api.as(await person({ idpRoles: ['org-owner'] }))
  for (const [client, query] of [
    [owner, { cursor: bytes.toString('base64url') }],
    [owner, { cursor: cursor.slice(0, 10) }],
    [owner, { cursor: 'x' }],
    [owner, { cursor: '' }],
    [owner, { cursor, sort: '-name' }],
    [owner, { cursor, q: 'a' }],
    [owner, { cursor, filter: filter('name', 'is', 'A') }],
    [stranger, { cursor }],
  ] as const)
    expect([query, (await list(client, query)).status]).toEqual([query, 400])
  expect((await list(owner, { cursor, limit: 2 })).status).toBe(200)
})

test('who answers best what was typed comes first: so called, beginning so, a word beginning so, and the others', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  for (const [givenName, familyName] of [
    ['Monika', 'Ackerberger'],
    ['Jan', 'van den Berg'],
    ['Lea', 'Bergbach'],
    ['', 'Berg'],
    ['Nils', 'Bergér'],
    ['Bergljot', 'Aas'],
    ['Otto', 'Zimmer'],
  ])
    await enter(owner, { givenName, familyName })
  const best = await list(owner, { q: 'Berg', sort: 'match' })
  expect(names(best)).toEqual(['Berg', 'Bergljot Aas', 'Lea Bergbach', 'Nils Bergér', 'Jan van den Berg', 'Monika Ackerberger'])
  expect(best.body).toMatchObject({ nextCursor: null, total: 6 })
  expect(names(await list(owner, { q: 'berg', sort: 'match', limit: 2 }))).toEqual(['Berg', 'Bergljot Aas'])
  // Nothing to match: by name, page after page.
  expect((await list(owner, { sort: 'match', limit: 2 })).body.nextCursor).not.toBeNull()
})

test('a list is summed up by status and by the month of joining, with its search and filters', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const today = new Date().toISOString().slice(0, 10)
  for (const [familyName, lifecycle, joinedOn] of [
    ['Adams', 'active', today],
    ['Baker', 'active', '1999-05-01'],
    ['Adamson', 'alumni', null],
  ])
    await enter(owner, { familyName, lifecycle, joinedOn })
  type Summary = { lifecycles: unknown[]; joins: { month: string; people: number }[] }
  const summary = async (query: string) => (await owner.get(`/data/people/summary${query}`)).body as Summary
  const all = await summary('')
  expect(all.lifecycles).toEqual([
    { lifecycle: 'active', people: 2 },
    { lifecycle: 'alumni', people: 1 },
  ])
  expect(all.joins).toHaveLength(12)
  expect(all.joins.at(-1)).toEqual({ month: today.slice(0, 7), people: 1 })
  expect(all.joins.slice(0, 11).every(({ people }) => people === 0)).toBe(true)
  expect((await summary('?q=adam')).lifecycles).toEqual([
    { lifecycle: 'active', people: 1 },
    { lifecycle: 'alumni', people: 1 },
  ])
  expect((await summary(`?filter=${encodeURIComponent(filter('lifecycle', 'in', ['alumni']))}`)).lifecycles).toEqual([
    { lifecycle: 'alumni', people: 1 },
  ])
})
