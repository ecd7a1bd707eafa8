import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.end())

const columns = ['west', 'east', 'foreign'] as const

test('chapters are seen by everybody inside, edited by their officers, made and removed by administrators', async () => {
  const found = await tryAll(
    stage,
    {
      table: 'chapters',
      row: ({ leaf }) => `id = '${leaf}'`,
      insert: ({ orgId, chapter }) => `(org_id, parent_id, name, code) values ('${orgId}', '${chapter}', 'New', 'NEW')`,
      update: `about = 'x'`,
      remove: true,
    },
    columns,
  )
  expect(found).toBe(
    expected(`
             west  east  foreign
    owner      SIUD  SIUD  -
    admin      SIUD  SIUD  -
    officer    SU    S     -
    former     S     S     -
    guardian   S     S     -
    finance    S     S     -
    comms      S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      S     S     -
    suspended  -     -     -
    stranger   -     -     SIUD`),
  )
})

test('place, code and status of a chapter are not for its officers to change', async () => {
  const change = (set: string) =>
    stage.database.asActor(stage.actors.officer, (db) =>
      sql.raw(`update app.chapters set ${set} where id = '${stage.west.leaf}'`).execute(db),
    )
  for (const set of [`code = 'X'`, `status = 'closed'`, `level = 'national'`, 'parent_id = null']) {
    await expect(change(set)).rejects.toThrow('decided by the organisation')
  }
})

describe('what follows from other rows is only read', () => {
  const everybody = `
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    S     S     -
    former     S     S     -
    guardian   S     S     -
    finance    S     S     -
    comms      S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      S     S     -
    suspended  -     -     -
    stranger   -     -     S`
  const officers = `
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    S     -     -
    former     -     -     -
    guardian   -     -     -
    finance    S     S     -
    comms      S     S     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     S`
  test.each([
    ['chapter_ancestors', everybody, `(org_id, ancestor_id, chapter_id, distance)`, `1`, 'distance = 0'],
    ['chapter_counts', everybody, `(org_id, chapter_id, kind)`, `'friend'`, 'people = 99'],
    ['chapter_months', officers, `(org_id, chapter_id, month)`, `'2000-01-01'`, 'joins = 99'],
  ])('%s', async (table, grid, names, value, update) => {
    const ids = ({ orgId, chapter }: Place) =>
      table === 'chapter_ancestors' ? `'${orgId}', '${chapter}', '${chapter}'` : `'${orgId}', '${chapter}'`
    const attempts = {
      table,
      row: ({ chapter }: Place) => `chapter_id = '${chapter}'`,
      insert: (place: Place) => `${names} values (${ids(place)}, ${value})`,
      update,
      remove: true,
    } as const
    expect(await tryAll(stage, attempts, columns)).toBe(expected(grid))
  })
})

test('memberships are seen with the directory and kept by officers of the chapter', async () => {
  const found = await tryAll(
    stage,
    {
      table: 'affiliations',
      row: ({ affiliation }) => `id = '${affiliation}'`,
      insert: ({ orgId, blank, chapter }) =>
        `(org_id, person_id, chapter_id, kind) values ('${orgId}', '${blank}', '${chapter}', 'friend')`,
      update: `kind = 'alumni'`,
      remove: true,
    },
    columns,
  )
  expect(found).toBe(
    expected(`
             west  east  foreign
    owner      SIUD  SIUD  -
    admin      SIUD  SIUD  -
    officer    SIUD  S     -
    former     S     S     -
    guardian   S     -     -
    finance    S     S     -
    comms      S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SIUD`),
  )
})

test('an officer does not pull people of other chapters into the own one', async () => {
  const pull = (person: string) =>
    stage.database.asActor(stage.actors.officer, (db) =>
      db
        .insertInto('app.affiliations')
        .values({ org_id: stage.west.orgId, person_id: person, chapter_id: stage.west.chapter, kind: 'friend', starts_on: '2026-01-01' })
        .execute(),
    )
  await expect(pull(stage.east.person)).rejects.toThrow('belongs to a chapter outside yours')
})

describe('offices', () => {
  const appointed = `
             west  east  foreign
    owner      SIUD  SIUD  -
    admin      SIUD  SIUD  -
    officer    SIUD  S     -
    former     S     S     -
    guardian   S     G     -
    finance    S     S     -
    comms      S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      G     G     -
    suspended  -     -     -
    stranger   -     -     SIUD`

  test('are no secret inside, and defined by whoever appoints there', async () => {
    const attempts = {
      table: 'positions',
      row: ({ position }: Place) => `id = '${position}'`,
      insert: ({ orgId, chapter }: Place) => `(org_id, chapter_id, title) values ('${orgId}', '${chapter}', 'New')`,
      update: `mandatory = true`,
      remove: true,
    } as const
    expect(await tryAll(stage, attempts, columns)).toBe(expected(appointed.replaceAll('G', 'S')))
  })

  test('show who holds them to those who see the person', async () => {
    const attempts = {
      table: 'position_holders',
      row: ({ holder }: Place) => `id = '${holder}'`,
      insert: ({ orgId, position, blank }: Place) =>
        `(org_id, position_id, person_id, starts_on) values ('${orgId}', '${position}', '${blank}', '2026-01-01')`,
      update: `note = 'x'`,
      remove: true,
    } as const
    expect(await tryAll(stage, attempts, columns)).toBe(expected(appointed.replaceAll('G', '-')))
  })
})
