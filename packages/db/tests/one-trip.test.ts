import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { oneTrip } from '../src/one-trip.ts'
import { testDatabase } from '../src/testing.ts'

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client({ connectionString: (await testDatabase()).adminUrl })
  await client.connect()
  await client.query(
    `set timezone = 'UTC'; create temp table things (id bigint, made timestamptz, name text); insert into things values (1, '2026-11-22 10:00Z', 'One')`,
  )
})
afterAll(() => client.end())

const trip = (...texts: string[]) =>
  oneTrip(
    client,
    texts.map((text) => ({ text, values: [] })),
    5_000,
  )
const things = 'select * from things order by id'

test('a statement is described once, and its rows are read the same way ever after', async () => {
  const texts = ['select 7::int as seven', things, `update things set name = 'Two' where id = 1`, things]
  const [first, second] = [await trip(...texts), await trip(...texts)]
  expect(first.map(({ columns, rows }) => [columns, rows])).toEqual([
    [['seven'], [[7]]],
    [['id', 'made', 'name'], [[1, '2026-11-22T10:00:00Z', 'One']]],
    [[], []],
    [['id', 'made', 'name'], [[1, '2026-11-22T10:00:00Z', 'Two']]],
  ])
  expect(second.map(({ rows }) => rows)).toEqual([[[7]], [[1, '2026-11-22T10:00:00Z', 'Two']], [], [[1, '2026-11-22T10:00:00Z', 'Two']]])
  expect(second[2]).toMatchObject({ command: 'UPDATE', rowCount: 1 })
})

test('rows that would have another shape since are refused instead of misread', async () => {
  await trip(things)
  await client.query('alter table things drop column made')
  await expect(trip(things)).rejects.toThrow('cached plan must not change result type')
})

test('after a failure what was prepared is prepared again, and read as before', async () => {
  await expect(trip('select 1 as one', 'select 1 / 0')).rejects.toThrow('division by zero')
  expect((await trip('select 1 as one', 'select 2 as two')).map(({ columns, rows }) => [columns, rows])).toEqual([
    [['one'], [[1]]],
    [['two'], [[2]]],
  ])
})
