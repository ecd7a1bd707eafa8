import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { demoPeopleCsv } from './people-csv.ts'
import { addFrame, addGuestAndGrants, addHolders } from './organisation-rows.ts'
import { addPerson } from './person-rows.ts'
import type { DemoSize } from './sizes.ts'
import { demoShapes } from './sizes.ts'
import { columns, newSheet } from './tables.ts'
import type { Table } from './tables.ts'
import { worldOf } from './world.ts'

const today = '2026-11-21'
type Row = Record<string, string>

function texts(size: DemoSize, seed?: number): Record<string, string> {
  const world = worldOf({ size, today, ...(seed === undefined ? {} : { seed }) })
  const sheet = newSheet(world.orgId)
  addFrame(sheet, world)
  for (let index = 0; index < world.people; index++) addPerson(sheet, world, index, 'https://issuer.example')
  addGuestAndGrants(sheet, world, 'https://issuer.example')
  expect([...addHolders(sheet, world, 1_000)].length).toBeGreaterThan(0)
  return Object.fromEntries(sheet.take().map(({ table, text }) => [table, text]))
}

function rowsOf(tables: Record<string, string>, table: Table): Row[] {
  const names = ['org_id', ...columns[table]]
  return (tables[table] ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => Object.fromEntries(line.split('\t').map((value, nth) => [names[nth], value])))
}

const digest = (tables: Record<string, string>) => createHash('sha256').update(JSON.stringify(tables)).digest('hex')
const demo = texts('demo')
const people = rowsOf(demo, 'people')
const share = (count: number) => (100 * count) / people.length
const within = (value: number, low: number, high: number) => {
  expect(value).toBeGreaterThanOrEqual(low)
  expect(value).toBeLessThanOrEqual(high)
}
const groupBy = (rows: Row[], column: string) => Map.groupBy(rows, (row) => row[column]!)

test('the same seed and day give the same bytes, another seed others', () => {
  expect(digest(texts('demo'))).toBe(digest(demo))
  expect(digest(texts('demo', 7))).not.toBe(digest(demo))
})

test('a person is made without those before, so portions of any size agree', () => {
  const world = worldOf({ size: 'demo', today })
  const [whole, alone] = [newSheet(world.orgId), newSheet(world.orgId)]
  for (let index = 0; index < 200; index++) addPerson(whole, world, index, 'https://issuer.example')
  addPerson(alone, world, 199, 'https://issuer.example')
  expect(whole.take()[0]!.text.endsWith(alone.take()[0]!.text)).toBe(true)
})

test.each(['small', 'demo', 'large'] as const)('the sizes are the promised ones: %s', (size) => {
  const world = worldOf({ size, today })
  expect([world.people, world.chapters.length, world.groups.all.length]).toEqual([
    demoShapes[size].people,
    demoShapes[size].levels.reduce((sum, count) => sum + count),
    demoShapes[size].groups,
  ])
  expect(Math.max(...world.chapters.map(({ depth }) => depth))).toBe(demoShapes[size].levels.length)
  expect(new Set(world.chapters.map(({ code }) => code)).size).toBe(world.chapters.length)
})

test('every id is a version 7 UUID and stands once', () => {
  for (const table of [
    'people',
    'chapters',
    'groups',
    'affiliations',
    'group_members',
    'person_emails',
    'positions',
    'position_holders',
    'accounts',
  ] as const) {
    const ids = rowsOf(demo, table).map(({ id }) => id!)
    expect(ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
  }
})

test('one chapter, and no other, has 6 % of all people', () => {
  const sizes = [...groupBy(people, 'home_chapter_id').values()].map((rows) => share(rows.length)).sort((a, b) => b - a)
  within(sizes[0]!, 5, 7.5)
  expect(sizes[1]!).toBeLessThan(sizes[0]!)
})

test('30 % of the people are or were in more than one chapter', () => {
  const several = [...groupBy(rowsOf(demo, 'affiliations'), 'person_id').values()].filter(
    (rows) => new Set(rows.map((row) => row.chapter_id)).size > 1,
  )
  within(share(several.length), 27, 33)
})

test('3 % stand in the register twice', () => {
  const world = worldOf({ size: 'demo', today })
  const births = new Map(rowsOf(demo, 'person_private').map((row) => [row.person_id, row.birth_date] as const))
  const initials = (row: Row) =>
    [row.given_name, row.family_name]
      .map((name) => name!.normalize('NFKD')[0])
      .sort()
      .join('')
  let twins = 0
  people.forEach((row, index) => {
    const near = people.slice(Math.max(0, index - 21), index)
    const same = (other: Row) => births.get(row.id) === births.get(other.id) && initials(row) === initials(other)
    if (births.has(row.id) && near.some(same)) twins++
  })
  expect(world.people).toBe(people.length)
  // Some twins have no birth date; the others must be found by it and their initials.
  within(share(twins), 1.6, 3.5)
})

test('15 % have no e-mail address and 4 % share one', () => {
  const byAddress = groupBy(rowsOf(demo, 'person_emails'), 'address')
  const reached = new Set([...byAddress.values()].flat().map((row) => row.person_id))
  within(share(people.length - reached.size), 13, 17)
  const sharing = [...byAddress.values()].filter((rows) => rows.length > 1).flat()
  within(share(sharing.length), 3, 5)
})

test('every address and number is one that nobody can have', () => {
  const foreign = rowsOf(demo, 'person_emails').filter(({ address }) => !/@(example\.(org|com)|demo\.example)$/.test(address!))
  expect(foreign).toEqual([])
  const fictional =
    /^\+(442079460\d{3}|44(161|131|117)4960\d{3}|447700900\d{3}|1\d{3}55501\d\d|49(30|69|40|221|89)\d{7,8}|33[12346]\d{8}|46\d{8,9}|35320\d{7}|61[2378]5550\d{4})$/
  expect(rowsOf(demo, 'person_phones').filter(({ number }) => !fictional.test(number!))).toEqual([])
})

test('10 % of the names carry accents or stand in a script of their own, among them six scripts', () => {
  const names = people.map((row) => `${row.given_name} ${row.family_name}`)
  within(share(names.filter((name) => /[^\p{ASCII}]/u.test(name)).length), 8, 12)
  for (const script of [
    /\p{Script=Cyrillic}/u,
    /\p{Script=Greek}/u,
    /\p{Script=Arabic}/u,
    /\p{Script=Han}/u,
    /\p{Script=Hebrew}/u,
    /[ÀÉÍØåäöü]/u,
  ]) {
    expect(names.some((name) => script.test(name))).toBe(true)
  }
})

test('20 % lapsed, 5 % died, some are minors, applicants and retired', () => {
  const count = (lifecycle: string) => share(people.filter((row) => row.lifecycle === lifecycle).length)
  within(count('former'), 17, 23)
  within(count('deceased'), 3.5, 6.5)
  within(count('alumni'), 2, 12)
  within(count('prospect'), 0.5, 4)
  within(share(people.filter((row) => row.minor_until !== '\\N').length), 1, 4)
})

test('names come in the shapes that forms forget', () => {
  const family = people.map((row) => row.family_name!)
  expect(family.some((name) => name.includes("'"))).toBe(true)
  expect(family.some((name) => name.includes('-'))).toBe(true)
  expect(family.some((name) => name === '')).toBe(true)
  expect(Math.max(...family.map((name) => name.length))).toBeGreaterThan(85)
  expect(people.filter((row) => row.preferred_name !== '').length).toBeGreaterThan(50)
  expect(people.filter((row) => row.former_names !== '{}').length).toBeGreaterThan(30)
})

test('twelve years of history: joining grows, and offices have past, current and coming terms', () => {
  const years = groupBy(
    people.filter((row) => row.joined_on !== '\\N'),
    'joined_on',
  )
  const joined = (year: number) => [...years].filter(([day]) => day.startsWith(String(year))).flatMap(([, rows]) => rows).length
  expect(joined(2015)).toBeGreaterThan(20)
  expect(joined(2025)).toBeGreaterThan(3 * joined(2016))
  const holders = rowsOf(demo, 'position_holders')
  const past = holders.filter((row) => row.ends_on! < today)
  const coming = holders.filter((row) => row.starts_on! > today)
  expect(past.length).toBeGreaterThan(300)
  expect(coming.length).toBeGreaterThan(10)
  expect(holders.length - past.length - coming.length).toBeGreaterThan(100)
})

test('the same people come as a spreadsheet, one line each', async () => {
  let text = ''
  for await (const chunk of demoPeopleCsv({ people: 500, size: 'demo' })) text += chunk
  const lines = text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(501)
  expect(lines[0]).toContain('Chapter code')
})
