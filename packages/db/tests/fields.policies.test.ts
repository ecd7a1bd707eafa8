import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../src/index.ts'
import { expected, rowSecurity, rowsTouched, tryAll, withoutGuard } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
/** Of each organisation: one field per audience, and the choices of one. */
const fields = new Map<string, Record<string, string>>()

const kinds = {
  open: { audience: 'everyone', sensitive: false, own: false },
  own: { audience: 'self', sensitive: false, own: true },
  kept: { audience: 'officers', sensitive: false, own: false },
  secret: { audience: 'officers', sensitive: true, own: false },
  health: { audience: 'self', sensitive: true, own: false },
} as const
type Kind = keyof typeof kinds

beforeAll(async () => {
  stage = await setStage()
  for (const { orgId } of [stage.west, stage.foreign]) {
    const made: Record<string, string> = {}
    for (const type of ['people', 'chapters', 'groups']) {
      for (const [kind, { audience, sensitive, own }] of Object.entries(kinds)) {
        const { rows } = await stage.admin.query<{ id: string }>(
          `insert into app.fields (org_id, record_type, key, label, type, audience, sensitive, own_editable) values ($1, $2, $3, $3, 'text', $4, $5, $6) returning id`,
          [orgId, type, kind, audience, sensitive, own],
        )
        made[`${type}.${kind}`] = rows[0]?.id ?? ''
      }
    }
    fields.set(orgId, made)
  }
  for (const place of [stage.west, stage.east, stage.foreign]) {
    for (const kind of Object.keys(kinds)) {
      for (const [type, column, id] of [
        ['people', 'person_id', place.person],
        ['people', 'person_id', place.minor],
        ['chapters', 'chapter_id', place.chapter],
        ['groups', 'group_id', place.group],
      ]) {
        await stage.admin.query(`insert into app.${type}_field_values (org_id, ${column}, field_id, value) values ($1, $2, $3, 'x')`, [
          place.orgId,
          id,
          fields.get(place.orgId)?.[`${type}.${kind}`],
        ])
      }
    }
  }
})
afterAll(() => stage.end())

const fieldOf = (place: Place, type: string, kind: string) => fields.get(place.orgId)?.[`${type}.${kind}`] ?? ''
const columns = ['west', 'east', 'foreign'] as const

const ofPeople = (kind: Kind, who: 'person' | 'minor' = 'person') => ({
  table: 'people_field_values',
  row: (place: Place) => `person_id = '${place[who]}' and field_id = '${fieldOf(place, 'people', kind)}'`,
  insert: (place: Place) =>
    `(org_id, person_id, field_id, value) values ('${place.orgId}', '${place.blank}', '${fieldOf(place, 'people', kind)}', 'y')`,
  update: `value = 'z'`,
  remove: true as const,
})

test('a value that everybody sees is read by whoever sees the person, and written by officers', async () => {
  expect(await tryAll(stage, ofPeople('open'), columns)).toBe(
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

test('a value for officers is read where they may reach people', async () => {
  const grid = `
             west  east  foreign
    owner      SIUD  SIUD  -
    admin      SIUD  SIUD  -
    officer    SIUD  -     -
    former     -     -     -
    safeguarding  -     -     -
    finance    S     S     -
    communications  S     S     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SIUD`
  expect(await tryAll(stage, ofPeople('kept'), columns)).toBe(expected(grid))
  expect(await tryAll(stage, ofPeople('own'), columns)).toBe(expected(grid))
})

test('a sensitive value needs the right to sensitive data, also of the person’s own officers', async () => {
  const grid = `
             west  east  foreign
    owner      SIUD  SIUD  -
    admin      SIUD  SIUD  -
    officer    -     -     -
    former     -     -     -
    safeguarding  S     -     -
    finance    -     -     -
    communications  -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SIUD`
  expect(await tryAll(stage, ofPeople('secret'), columns)).toBe(expected(grid))
  expect(await tryAll(stage, ofPeople('health'), columns)).toBe(expected(grid))
})

test('values of a minor are seen by whoever sees the minor', async () => {
  const { row, table } = ofPeople('open', 'minor')
  expect(await tryAll(stage, { table, row }, ['west', 'east'])).toBe(
    expected(`
             west  east
    owner      S  S
    admin      S  S
    officer    -  -
    former     -  -
    safeguarding  S     -
    finance    -     -
    communications  -     -
    events     -     -
    leader     -     -
    member     -     -
    guest      -     -
    suspended  -     -
    stranger   -     -`),
  )
})

test('values of chapters and groups are kept by who keeps these', async () => {
  const of = (type: 'chapters' | 'groups', kind: Kind) => {
    const [column, id] = type === 'chapters' ? (['chapter_id', 'chapter'] as const) : (['group_id', 'group'] as const)
    return {
      table: `${type}_field_values`,
      row: (place: Place) => `${column} = '${place[id]}' and field_id = '${fieldOf(place, type, kind)}'`,
      update: `value = 'z'`,
      remove: true as const,
    }
  }
  expect(await tryAll(stage, of('chapters', 'open'), columns)).toBe(
    expected(`
             west  east  foreign
    owner      SUD  SUD  -
    admin      SUD  SUD  -
    officer    SUD  S     -
    former     S     S     -
    safeguarding  S     S     -
    finance    S     S     -
    communications  S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      S     S     -
    suspended  -     -     -
    stranger   -     -     SUD`),
  )
  expect(await tryAll(stage, of('groups', 'kept'), columns)).toBe(
    expected(`
             west  east  foreign
    owner      SUD  SUD  -
    admin      SUD  SUD  -
    officer    SUD  -     -
    former     -     -     -
    safeguarding  -     -     -
    finance    -     -     -
    communications  -     -     -
    events     -     -     -
    leader     SUD   -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SUD`),
  )
})

const as = <Row>(actor: Actor, text: string) => stage.database.asActor(actor, async (db) => (await sql.raw<Row>(text).execute(db)).rows)
const keys = async (actor: Actor, text: string) => (await as<{ key: string }>(actor, text)).map(({ key }) => key)

test('fields themselves are words to those who may read a value somewhere', async () => {
  const list = `select key from app.fields where record_type = 'people' order by key`
  expect(await keys(stage.actors.member, list)).toEqual(['health', 'open', 'own'])
  expect(await keys(stage.actors.finance, list)).toEqual(['health', 'kept', 'open', 'own'])
  expect(await keys(stage.actors.officer, list)).toEqual(['health', 'kept', 'open', 'own'])
  expect(await keys(stage.actors.safeguarding, list)).toEqual(['health', 'open', 'own', 'secret'])
  expect(await keys(stage.actors.suspended, list)).toEqual([])
})

test('of one’s own record one reads and writes what is for oneself, and never what is kept to officers', async () => {
  const { west, actors, admin } = stage
  const { rows } = await admin.query<{ person: string }>('select person_id as person from app.accounts where id = $1', [
    actors.member.accountId,
  ])
  const mine = rows[0]?.person ?? ''
  for (const kind of Object.keys(kinds)) {
    await admin.query(`insert into app.people_field_values (org_id, person_id, field_id, value) values ($1, $2, $3, 'mine')`, [
      west.orgId,
      mine,
      fieldOf(west, 'people', kind),
    ])
  }
  const read = `select f.key from app.people_field_values v join app.fields f on f.id = v.field_id where v.person_id = '${mine}' order by f.key`
  const log = `select f.key from app.audit_entries e join app.fields f on f.id = e.record_id where e.person_id = '${mine}' and e.entity = 'people_field_values' order by f.key`
  expect(await keys(actors.member, read)).toEqual(['health', 'open', 'own'])
  expect(await keys(actors.member, log)).toEqual(['health', 'open', 'own'])
  const write = (kind: Kind) =>
    `update app.people_field_values set value = 'changed' where person_id = '${mine}' and field_id = '${fieldOf(west, 'people', kind)}' returning 'done' as key`
  expect(await keys(actors.member, write('own'))).toEqual(['done'])
  expect(await keys(actors.member, write('open'))).toEqual([])
  expect(await keys(actors.member, write('kept'))).toEqual([])
  // Whatever rights one has.
  const owner = { ...actors.owner, accountId: actors.member.accountId }
  expect(await keys(owner, read)).toEqual(['health', 'open', 'own'])
  expect(await keys(owner, log)).not.toContain('kept')
  // And others read in the log what they read of the record.
  expect(await keys(actors.finance, log)).toEqual(['kept', 'open', 'own', 'own'])
  expect(await keys(actors.leader, log)).toEqual([])
})

test('a value has the form of its field, and its key sorts as the value does', async () => {
  const { west, admin } = stage
  const field = async (type: string) => {
    const { rows } = await admin.query<{ id: string }>(
      `insert into app.fields (org_id, record_type, key, label, type) values ($1, 'people', $2, $2, $3) returning id`,
      [west.orgId, `form_${type}`, type],
    )
    return rows[0]?.id ?? ''
  }
  const set = async (id: string, value: string) =>
    (
      await admin.query<{ value: string; key: string }>(
        `insert into app.people_field_values (org_id, person_id, field_id, value) values ($1, $2, $3, $4)
         on conflict (org_id, person_id, field_id, slot) do update set value = excluded.value returning value, key`,
        [west.orgId, west.person, id, value],
      )
    ).rows[0]
  const number = await field('number')
  const sorted = []
  for (const value of ['-5', '-4.5', '0', '2', '10', '10.25']) sorted.push((await set(number, value))?.key ?? '')
  expect(sorted).toEqual(sorted.toSorted())
  expect((await set(number, '10.50'))?.value).toBe('10.5')
  await expect(set(number, 'ten')).rejects.toThrow('does not fit')
  await expect(set(await field('date'), '30.11.2026')).rejects.toThrow('does not fit')
  await expect(set(await field('flag'), 'yes')).rejects.toThrow('does not fit')
  await expect(set(await field('url'), 'javascript:alert(1)')).rejects.toThrow('does not fit')
  await expect(set(await field('choice'), west.person)).rejects.toThrow('does not fit')
  await expect(set(await field('person'), stage.foreign.person)).rejects.toThrow('does not fit')
  await expect(set(fieldOf(stage.foreign, 'people', 'open'), 'x')).rejects.toThrow('no such field')
  await expect(set(fieldOf(west, 'chapters', 'open'), 'x')).rejects.toThrow('no such field')
})

test('a choice that is in use is replaced before it goes', async () => {
  const { west, admin, actors } = stage
  const {
    rows: [made],
  } = await admin.query<{ field: string; small: string; large: string }>(
    `with f as (insert into app.fields (org_id, record_type, key, label, type) values ($1, 'people', 'sizes', 'Sizes', 'choices') returning id),
      a as (insert into app.field_choices (org_id, field_id, label) select $1, id, 'Small' from f returning id),
      b as (insert into app.field_choices (org_id, field_id, label) select $1, id, 'Large' from f returning id)
     select f.id as field, a.id as small, b.id as large from f, a, b`,
    [west.orgId],
  )
  if (!made) throw new Error('no field was made')
  for (const [person, choice] of [
    [west.person, made.small],
    [west.blank, made.small],
    [west.blank, made.large],
  ])
    await admin.query(`insert into app.people_field_values (org_id, person_id, field_id, value) values ($1, $2, $3, $4)`, [
      west.orgId,
      person,
      made.field,
      choice,
    ])
  await expect(as(actors.owner, `delete from app.field_choices where id = '${made.small}'`)).rejects.toThrow('in use')
  expect(await as(actors.owner, `select choice, records from app.field_uses('${made.field}') order by records`)).toEqual([
    { choice: made.large, records: 1 },
    { choice: made.small, records: 2 },
  ])
  expect(await as(actors.member, `select choice from app.field_uses('${made.field}')`)).toEqual([])
  await expect(as(actors.member, `select app.field_choice_replace('${made.field}', '${made.small}', '${made.large}')`)).rejects.toThrow(
    'manage fields',
  )
  await as(actors.owner, `select app.field_choice_replace('${made.field}', '${made.small}', '${made.large}')`)
  await as(actors.owner, `delete from app.field_choices where id = '${made.small}'`)
  expect(await as(actors.owner, `select value from app.people_field_values where field_id = '${made.field}'`)).toEqual([
    { value: made.large },
    { value: made.large },
  ])
})

test('whoever stands for a merged record takes over what they lack, and of an erased one nothing stays', async () => {
  const { east, admin } = stage
  const values = async (person: string) =>
    (
      await admin.query<{ key: string; value: string }>(
        `select f.key, v.value from app.people_field_values v join app.fields f on f.org_id = v.org_id and f.id = v.field_id where v.person_id = $1 order by f.key`,
        [person],
      )
    ).rows.map(({ key, value }) => `${key} ${value}`)
  await admin.query(`insert into app.people_field_values (org_id, person_id, field_id, value) values ($1, $2, $3, 'kept as it was')`, [
    east.orgId,
    east.blank,
    fieldOf(east, 'people', 'open'),
  ])
  await admin.query(`update app.people set lifecycle = 'merged', merged_into = $2 where id = $1`, [east.person, east.blank])
  expect(await values(east.blank)).toEqual(['health x', 'kept x', 'open kept as it was', 'own x', 'secret x'])
  await admin.query(`update app.people set lifecycle = 'erased' where id = $1`, [east.blank])
  expect(await values(east.blank)).toEqual([])
})

test('a kind of record has at most 60 fields', async () => {
  const { foreign, admin } = stage
  await expect(
    admin.query(
      `insert into app.fields (org_id, record_type, key, label, type) select $1, 'groups', 'f' || n, 'F', 'text' from generate_series(1, 60) n`,
      [foreign.orgId],
    ),
  ).rejects.toThrow('at most 60')
})

test('control: without row-level security members read values for officers, and officers sensitive ones', async () => {
  const { west } = stage
  const values = (type: string, kind: Kind) => `select from app.${type}_field_values where field_id = '${fieldOf(west, type, kind)}'`
  for (const [role, type, kind] of [
    ['member', 'people', 'kept'],
    ['officer', 'people', 'secret'],
    ['member', 'groups', 'kept'],
    ['member', 'chapters', 'secret'],
  ] as const) {
    const off = await withoutGuard(stage, rowSecurity(`${type}_field_values`), () => rowsTouched(stage, role, values(type, kind)))
    expect([role, type, kind, await rowsTouched(stage, role, values(type, kind)), off > 0]).toEqual([role, type, kind, 0, true])
  }
})
