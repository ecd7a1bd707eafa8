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
    safeguarding  S     S     -
    finance    S     S     -
    communications  S     S     -
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
    safeguarding  S     S     -
    finance    S     S     -
    communications  S     S     -
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
    safeguarding  -     -     -
    finance    S     S     -
    communications  S     S     -
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
    safeguarding  S     -     -
    finance    S     S     -
    communications  S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SIUD`),
  )
})

describe('a tie to a chapter', () => {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const tie = async (person: string, chapter: string, startsOn: string, endsOn: string | null, kind = 'friend') => {
    const { rows } = await stage.admin.query<{ id: string }>(
      `insert into app.affiliations (org_id, person_id, chapter_id, kind, starts_on, ends_on) values ($1, $2, $3, $4, $5, $6) returning id`,
      [stage.west.orgId, person, chapter, kind, startsOn, endsOn],
    )
    return rows[0]?.id ?? ''
  }
  const newcomer = async () => {
    const { rows } = await stage.admin.query<{ id: string }>(
      `insert into app.people (org_id, given_name) values ($1, 'Guest') returning id`,
      [stage.west.orgId],
    )
    return rows[0]?.id ?? ''
  }
  const asOfficer = (text: string) =>
    stage.database.asActor(stage.actors.officer, async (db) => (await sql.raw(text).execute(db)).numAffectedRows)
  const add = (person: string, chapter: string, from = day(-1)) =>
    asOfficer(
      `insert into app.affiliations (org_id, person_id, chapter_id, kind, starts_on) values ('${stage.west.orgId}', '${person}', '${chapter}', 'advisor', '${from}')`,
    )
  const change = (id: string, set: string) => asOfficer(`update app.affiliations set ${set} where id = '${id}'`)
  const refused = 'does not belong to a chapter of yours today'

  test('is not made by an officer who has no right over the person', async () => {
    await expect(add(stage.east.person, stage.west.chapter)).rejects.toThrow(refused)
    const left = await newcomer()
    await tie(left, stage.west.chapter, '2020-01-01', '2021-01-01')
    await expect(add(left, stage.west.chapter)).rejects.toThrow(refused)
    const coming = await newcomer()
    await tie(coming, stage.west.chapter, day(20), null)
    await expect(add(coming, stage.west.chapter)).rejects.toThrow(refused)
  })

  test('is not opened again or brought forward by one either, whatever the column', async () => {
    const left = await newcomer()
    const over = await tie(left, stage.west.chapter, '2020-01-01', '2021-01-01')
    for (const set of [
      'ends_on = null',
      `ends_on = '${day(0)}'`,
      `ends_on = '${day(9)}', kind = 'member'`,
      `starts_on = '${day(1)}', ends_on = null`,
    ])
      await expect(change(over, set)).rejects.toThrow(refused)
    const coming = await tie(await newcomer(), stage.west.chapter, day(20), null)
    await expect(change(coming, `starts_on = '${day(0)}'`)).rejects.toThrow(refused)
    // Corrections of what is over, and less than there was, open nothing.
    expect(await change(over, `starts_on = '2019-01-01', ends_on = '2020-06-30', kind = 'alumni'`)).toBe(1n)
    expect(await change(coming, `starts_on = '${day(30)}', ends_on = '${day(60)}'`)).toBe(1n)
  })

  test('is made and prolonged where the right over the person stands already', async () => {
    const ours = await newcomer()
    const current = await tie(ours, stage.west.chapter, '2020-01-01', day(5))
    expect(await change(current, `ends_on = null, kind = 'member'`)).toBe(1n)
    expect(await add(ours, stage.west.leaf)).toBe(1n)
    const before = await tie(ours, stage.west.leaf, '2020-01-01', '2021-01-01')
    expect(await change(before, 'ends_on = null')).toBe(1n)
    expect(
      await stage.database.asActor(stage.actors.admin, async (db) => {
        const back = await tie(await newcomer(), stage.west.chapter, '2020-01-01', '2021-01-01')
        return (await sql.raw(`update app.affiliations set ends_on = null where id = '${back}'`).execute(db)).numAffectedRows
      }),
    ).toBe(1n)
  })

  test('makes nobody a member by their own hand', async () => {
    const { actors, west, admin, database } = stage
    const outside = await newcomer()
    await tie(outside, west.chapter, '2020-01-01', null, 'friend')
    const { rows } = await admin.query<{ id: string }>(
      `insert into app.accounts (org_id, issuer, subject, status, person_id) values ($1, 'https://issuer.example', 'outside', 'active', $2) returning id`,
      [west.orgId, outside],
    )
    const me = { ...actors.officer, accountId: rows[0]?.id ?? '' }
    await admin.query(
      `insert into app.grants (org_id, account_id, role_id, scope_kind, chapter_id, starts_on)
       select $1, $2, id, 'chapter', $3, '2020-01-01' from app.roles where org_id = $1 and key = 'chapter-admin'`,
      [west.orgId, me.accountId, west.chapter],
    )
    const attempt = (text: string) => database.asActor(me, async (db) => (await sql.raw(text).execute(db)).numAffectedRows)
    const own = `person_id = '${outside}'`
    await expect(attempt(`update app.affiliations set kind = 'member' where ${own}`)).rejects.toThrow('makes themselves a member')
    await expect(
      attempt(
        `insert into app.affiliations (org_id, person_id, chapter_id, kind) values ('${west.orgId}', '${outside}', '${west.chapter}', 'alumni')`,
      ),
    ).rejects.toThrow('makes themselves a member')
    expect(await attempt(`update app.affiliations set starts_on = '2020-02-01' where ${own}`)).toBe(1n)
    await admin.query(`update app.affiliations set kind = 'member' where ${own}`)
    expect(await attempt(`update app.affiliations set kind = 'advisor' where ${own}`)).toBe(1n)
  })
})

describe('offices', () => {
  const appointed = `
             west  east  foreign
    owner      SIUD  SIUD  -
    admin      SIUD  SIUD  -
    officer    SIUD  S     -
    former     S     S     -
    safeguarding  S     G     -
    finance    S     S     -
    communications  S     S     -
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
