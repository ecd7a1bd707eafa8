import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Role, Stage } from './stage.ts'

let stage: Stage
const columns = ['west', 'east', 'foreign'] as const
/** By chapter: a mentor, and a guardian of the minor there. */
const given = new Map<string, { mentor: string; guardian: string; type: string }>()
const of = ({ chapter }: Place) => {
  const found = given.get(chapter)
  if (!found) throw new Error('nothing was given there')
  return found
}

beforeAll(async () => {
  stage = await setStage()
  const one = async (text: string, values: unknown[]) => (await stage.admin.query<{ id: string }>(text, values)).rows[0]?.id ?? ''
  for (const name of columns) {
    const { orgId, chapter, person, blank, minor } = stage[name]
    const relate = (key: string, from: string, to: string) =>
      one(
        `insert into app.relationships (org_id, type_id, from_person_id, to_person_id)
         select $1, t.id, $3, $4 from app.relationship_types t where t.org_id = $1 and t.key = $2 returning id`,
        [orgId, key, from, to],
      )
    given.set(chapter, {
      mentor: await relate('mentor', blank, person),
      guardian: await relate('guardian', blank, minor),
      type: await one(`select id from app.relationship_types where org_id = $1 and key = 'mentor'`, [orgId]),
    })
  }
})
afterAll(() => stage.end())

test('relationships are read by officers of the chapter of either person, and written by nobody in passing', async () => {
  const attempts = {
    table: 'relationships',
    row: (place: Place) => `id = '${of(place).mentor}'`,
    insert: ({ orgId, person, minor, chapter }: Place) =>
      `(org_id, type_id, from_person_id, to_person_id) values ('${orgId}', '${of({ chapter } as Place).type}', '${person}', '${minor}')`,
    update: `note = 'x'`,
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, columns)).toBe(
    expected(`
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    S     -     -
    former     -     -     -
    safeguarding -   -     -
    finance    -     -     -
    communications - -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     S`),
  )
})

test('guardians are seen by those who see minors as well, and what the log says of them too', async () => {
  const seen = expected(`
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    -     -     -
    former     -     -     -
    safeguarding -   -     -
    finance    -     -     -
    communications - -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     S`)
  expect(await tryAll(stage, { table: 'relationships', row: (place: Place) => `id = '${of(place).guardian}'` }, columns)).toBe(seen)
  expect(await tryAll(stage, { table: 'audit_entries', row: (place: Place) => `entity_id = '${of(place).guardian}'` }, columns)).toBe(seen)
})

test('types are read by everybody of the organisation, and made and changed by administrators', async () => {
  const attempts = {
    table: 'relationship_types',
    row: (place: Place) => `id = '${of(place).type}'`,
    insert: ({ orgId }: Place) =>
      `(org_id, key, name, forward_label, inverse_label, created_by) values ('${orgId}', 'new', 'New', 'A', 'B', (select app.account_id()))`,
    update: `name = 'x'`,
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, columns)).toBe(
    expected(`
             west  east  foreign
    owner      SIU   SIU   -
    admin      SIU   SIU   -
    officer    S     S     -
    former     S     S     -
    safeguarding S   S     -
    finance    S     S     -
    communications S S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      S     S     -
    suspended  -     -     -
    stranger   -     -     SIU`),
  )
})

/** What the functions say to somebody who calls them by themselves. */
const call = (role: Role, text: string) =>
  stage.database
    .asActor(stage.actors[role], (db) => sql.raw(text).execute(db))
    .then(
      () => 'done',
      (error: unknown) => (error instanceof Error && 'constraint' in error ? String(error.constraint) : 'failed'),
    )

test('functions that write ask the same, whoever calls them', async () => {
  const { west, east } = stage
  const propose = (from: string, to: string) =>
    `select app.propose_relationship('${JSON.stringify({ type_id: of(west).type, from_person_id: from, to_person_id: to })}'::jsonb)`
  expect(await call('member', propose(west.person, west.blank))).toBe('relationship_not_yours')
  expect(await call('officer', propose(east.person, east.blank))).toBe('relationship_not_yours')
  expect(await call('officer', propose(west.minor, west.blank))).toBe('person_not_found')
  expect(await call('stranger', propose(west.person, west.blank))).toBe('relationship_type_unknown')
  for (const text of [
    `select app.end_relationship('${of(west).guardian}', null, 1)`,
    `select app.verify_relationship('${of(west).guardian}', 1)`,
    `select app.change_relationship('${of(west).guardian}', '{"note":"x"}', 1)`,
    `select app.reopen_relationship('${of(west).guardian}', 1)`,
  ])
    for (const role of ['member', 'officer', 'safeguarding', 'stranger'] as const)
      expect([text, role, await call(role, text)]).not.toContain('done')
  const rows = JSON.stringify([{ type_id: of(west).type, from_person_id: west.person, to_person_id: west.blank }])
  for (const role of ['member', 'leader', 'finance', 'stranger'] as const)
    expect([role, await call(role, `select app.import_relationships('${rows}'::jsonb)`)]).toEqual([role, 'relationship_not_yours'])
  expect(await call('member', `select app.remove_imported_relationships('[{"key":{"id":"${of(west).mentor}"}}]'::jsonb)`)).toBe(
    'relationship_not_yours',
  )
  const { rows: left } = await stage.admin.query('select state, version from app.relationships where id = any ($1)', [
    [of(west).mentor, of(west).guardian],
  ])
  expect(left).toEqual([
    { state: 'active', version: 1 },
    { state: 'active', version: 1 },
  ])
})

test('exports stand in the log, and what became of relationships that are gone is read by those who see all of them', async () => {
  const { orgId, person, blank } = stage.west
  const gone = randomUUID()
  await stage.admin.query(
    `insert into app.relationships (org_id, id, type_id, from_person_id, to_person_id) select $1, $2, t.id, $3, $4 from app.relationship_types t
      where t.org_id = $1 and t.key = 'household'`,
    [orgId, gone, person, blank],
  )
  await stage.admin.query('delete from app.relationships where id = $1', [gone])
  await stage.database.asActor(stage.actors['owner'], (db) =>
    sql`select app.record_audit('export', 'relationships', ${person}::uuid, '{"rows":1}'::jsonb)`.execute(db),
  )
  const logged = async (role: Role) =>
    (
      await stage.database.asActor(stage.actors[role], (db) =>
        sql<{
          action: string
        }>`select action from app.audit_entries where entity = 'relationships' and entity_id in (${gone}, ${person}) order by seq`.execute(
          db,
        ),
      )
    ).rows.map(({ action }) => action)
  expect(await logged('owner')).toEqual(['create', 'delete', 'export'])
  for (const role of ['officer', 'safeguarding', 'member', 'stranger'] as const) expect([role, await logged(role)]).toEqual([role, []])
})

test('who is hidden from a reader stands in no relationship for them, and is named to nobody else than the other of the two', async () => {
  const { orgId, person, minor } = stage.west
  const { rows } = await stage.admin.query<{ id: string }>(
    `insert into app.relationships (org_id, type_id, from_person_id, to_person_id) select $1, t.id, $2, $3 from app.relationship_types t
      where t.org_id = $1 and t.key = 'household' returning id`,
    [orgId, person, minor],
  )
  const found = async (role: Role, text: string) =>
    (await stage.database.asActor(stage.actors[role], (db) => sql.raw(text).execute(db))).rows.length
  const seen = `select from app.relationships where id = '${rows[0]?.id}'`
  expect([await found('owner', seen), await found('officer', seen)]).toEqual([1, 0])
  for (const role of ['officer', 'leader', 'stranger'] as const)
    expect([role, await found(role, `select from app.related_names('{${minor}}')`)]).toEqual([role, 0])
})
