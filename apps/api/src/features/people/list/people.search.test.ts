import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type pg from 'pg'
import { expect } from 'vitest'
import { statement } from '../../../platform/records/statement.ts'
import { fits, isFar, reachOf } from './people.search.queries.ts'
import { test } from '../../../testing.ts'
import type { Client, TestOrganisation, TestPerson } from '../../../testing.ts'

type Page = {
  items: { id: string; displayName: string; person: { displayName: string } }[]
  nextCursor: string | null
  total: number
  totalIsExact: boolean
}

const read = async (client: Client, path: string, query: Record<string, string>) => {
  const answer = await client.get(`/data/${path}?${new URLSearchParams(query).toString()}`)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body as Page
}
const nameOf = (nth: number) => `Ann Crowd${String(nth).padStart(5, '0')}`
const containing = (...values: string[]) =>
  JSON.stringify({ and: [{ or: values.map((value) => ({ field: 'name', op: 'contains', value })) }] })

/** More people than are counted, who share a given name and the domain of their addresses. They join one after another. */
async function crowd(admin: pg.Pool, org: TestOrganisation, count = 10_050): Promise<number> {
  await admin.query(
    `with added as (
      insert into app.people (org_id, given_name, family_name, joined_on)
      select $1, 'Ann', 'Crowd' || to_char(n, 'FM00000'), '1990-01-01'::date + n from generate_series(1, $2::int) n returning id, family_name)
    insert into app.person_emails (org_id, person_id, address, is_primary) select $1, id, lower(family_name) || '@crowd.example', true from added`,
    [org.id, count],
  )
  return count
}

test('what more people fit than are counted is read page by page in any order, with filters, and in rosters', async ({
  api,
  admin,
  organisation,
  person,
  chapter,
}) => {
  // What the database knows of an organisation that has just imported its people: another one's.
  await crowd(admin, await organisation(), 300)
  await admin.query('analyze app.people, app.person_emails')
  const org = await organisation()
  const secretary = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const member = api.as(await person({ org }))
  const count = await crowd(admin, org)
  const few = [7, 70, 700, 7_000]
  const branch = await chapter(org, 'Branch')
  const group = await admin.query<{ id: string }>(
    `insert into app.groups (org_id, name, visibility) values ($1, 'Circle', 'members') returning id`,
    [org.id],
  )
  const groupId = group.rows[0]?.id ?? ''
  const family = few.map((nth) => nameOf(nth).slice(4))
  await admin.query(
    `insert into app.affiliations (org_id, person_id, chapter_id, starts_on, is_primary) select $1, id, $2, '2020-01-01', true from app.people where org_id = $1 and family_name = any ($3)`,
    [org.id, branch, family],
  )
  await admin.query(
    `insert into app.group_members (org_id, group_id, person_id) select $1, $2, id from app.people where org_id = $1 and family_name = any ($3)`,
    [org.id, groupId, family],
  )

  for (const q of ['@crowd.example', 'ann', 'ann crowd']) {
    for (const [sort, first, second] of [
      ['name', nameOf(1), nameOf(3)],
      ['-name', nameOf(count), nameOf(count - 2)],
      ['-joinedOn', nameOf(count), nameOf(count - 2)],
      ['joinedOn', nameOf(1), nameOf(3)],
    ] as const) {
      const page = await read(secretary, 'people', { q, sort, limit: '2' })
      expect([q, sort, page.items[0]?.displayName, page.total, page.totalIsExact]).toEqual([q, sort, first, 10_000, false])
      const next = await read(secretary, 'people', { q, sort, limit: '2', cursor: page.nextCursor ?? '' })
      expect([q, sort, next.items[0]?.displayName]).toEqual([q, sort, second])
    }
    const filtered = await read(secretary, 'people', { q, filter: containing('crowd0070') })
    expect(filtered.items.map(({ displayName }) => displayName)).toEqual(Array.from({ length: 10 }, (_, nth) => nameOf(700 + nth)))
    expect(filtered).toMatchObject({ total: 10, totalIsExact: true, nextCursor: null })
    for (const path of [`chapters/${branch}/members`, `groups/${groupId}/members`, 'group-memberships']) {
      const roster = await read(secretary, path, { q, limit: '3' })
      expect([path, roster.items.map((item) => item.person.displayName), roster.total]).toEqual([path, few.slice(0, 3).map(nameOf), 4])
      const rest = await read(secretary, path, { q, limit: '3', cursor: roster.nextCursor ?? '' })
      expect([path, rest.items.map((item) => item.person.displayName), rest.nextCursor]).toEqual([path, [nameOf(7_000)], null])
    }
  }
  const long = {
    filter: containing('CROWD0070', ...Array.from({ length: 12 }, (_, nth) => `nobody ${nth}`)),
    sort: '-joinedOn',
    limit: '6',
  }
  const latest = await read(secretary, 'people', long)
  expect(latest.items.map(({ displayName }) => displayName)).toEqual(Array.from({ length: 6 }, (_, nth) => nameOf(709 - nth)))
  expect(latest).toMatchObject({ total: 10, totalIsExact: true })
  const earlier = await read(secretary, 'people', { ...long, cursor: latest.nextCursor ?? '' })
  expect(earlier.items.map(({ displayName }) => displayName)).toEqual(Array.from({ length: 4 }, (_, nth) => nameOf(703 - nth)))
  // Addresses that only the office sees find nobody for a member.
  for (const sort of ['name', '-joinedOn']) expect((await read(member, 'people', { q: '@crowd.example', sort })).items).toEqual([])
  expect((await read(member, 'people', { q: 'ann crowd', sort: '-joinedOn' })).total).toBe(10_000)
  // Addresses of people who are archived count for nobody, however many there are.
  await admin.query(
    `insert into app.person_emails (org_id, person_id, address) select org_id, person_id, 'second.' || address from app.person_emails where org_id = $1`,
    [org.id],
  )
  await admin.query(`update app.people set deleted_at = now() where org_id = $1 and given_name = 'Ann' and family_name <> all ($2)`, [
    org.id,
    family,
  ])
  for (const sort of ['name', '-joinedOn'])
    expect(await read(secretary, 'people', { q: '@crowd.example', sort })).toMatchObject({ total: 4, totalIsExact: true })
})

test('people met along a list are those whom the search collects, for everybody', async ({ api, admin, organisation, person, chapter }) => {
  const org = await organisation({ directoryReach: 'chapter' })
  const [north, south] = [await chapter(org, 'North'), await chapter(org, 'South')]
  const readers: Record<string, TestPerson> = {
    secretary: await person({ org, idpRoles: ['org-admin'], chapterId: north, familyName: 'Muñoz', email: 'office@north.example' }),
    officer: await person({ org, grants: [{ role: 'chapter-admin', chapterId: south }], chapterId: north, email: 'Ana@south.example' }),
    member: await person({ org, chapterId: south, givenName: 'Ana', familyName: 'Onate', email: 'ana.onate@south.example' }),
  }
  await person({ org, chapterId: north, givenName: 'Anatol', familyName: 'Ng', email: 'ng@north.example' })
  await admin.query(
    `insert into app.person_phones (org_id, person_id, number) select org_id, id, '+49 170 5551234' from app.people where org_id = $1`,
    [org.id],
  )
  await admin.query(`update app.people set member_no = 'A-' || substr(id::text, 30, 4) where org_id = $1 and family_name = 'Ng'`, [org.id])
  let found = 0
  for (const [who, reader] of Object.entries(readers)) {
    const idpRoles = who === 'secretary' ? ['org-admin'] : []
    const matching = async (where: RawBuilder<SqlBool>) =>
      api.services.database.read(
        { orgId: org.id, accountId: reader.accountId, idpRoles },
        statement(sql<{ name: string }>`select p.display_name as name from app.people p where ${where} order by 1`),
      )
    for (const words of [
      'ana',
      'AN',
      'n',
      'ng',
      'munoz',
      'Muñoz',
      'ana onate',
      '@south.example',
      'south',
      'ana.o',
      '@',
      '5551234',
      '170 555',
      'A-',
      '%',
      '_',
      '\\',
      'nobody',
    ]) {
      const collected = await matching(fits(words, undefined))
      const met = await matching(fits(words, { people: 10_001, namesAlone: false }))
      expect([who, words, met]).toEqual([who, words, collected])
      const reach = await reachOf(
        { read: (query) => api.services.database.read({ orgId: org.id, accountId: reader.accountId, idpRoles }, query) },
        words,
      )
      expect([who, words, reach?.people, isFar(reach)]).toEqual([who, words, collected.length, false])
      found += collected.length
    }
  }
  expect(found).toBeGreaterThan(30)
})
