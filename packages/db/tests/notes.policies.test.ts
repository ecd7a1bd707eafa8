import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Stage } from './stage.ts'

const columns = ['west', 'east', 'foreign'] as const
const nothing = `'{"type": "doc", "content": []}'`

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId, person, account } of columns.map((at) => stage[at]))
    for (const visibility of ['self', 'officers', 'organisation'])
      await stage.admin.query(
        `insert into app.notes (org_id, record_type, record_id, visibility, body, created_by) values ($1, 'person', $2, $3, ${nothing}, $4)`,
        [orgId, person, visibility, account],
      )
})
afterAll(() => stage.end())

const of = (visibility: string, update: string) =>
  tryAll(stage, { table: 'notes', row: (place) => `record_id = '${place.person}' and visibility = '${visibility}'`, update }, columns)

test('a note is read by those it is for, pinned by officers, and changed by nobody but its author', async () => {
  expect(await of('self', 'pinned = true')).toBe(
    expected(`
             west  east  foreign
    owner      -     -     -
    admin      -     -     -
    officer    -     -     -
    former     -     -     -
    safeguarding  -     -     -
    finance    -     -     -
    communications  -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     -`),
  )
  expect(await of('officers', 'pinned = true')).toBe(
    expected(`
             west  east  foreign
    owner      SU    SU    -
    admin      SU    SU    -
    officer    -     -     -
    former     -     -     -
    safeguarding  SU    -     -
    finance    -     -     -
    communications  -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SU`),
  )
  expect(await of('organisation', 'deleted_at = now()')).toBe(
    expected(`
             west  east  foreign
    owner      SU    SU    -
    admin      SU    SU    -
    officer    S     S     -
    former     -     -     -
    safeguarding  SU    -     -
    finance    -     -     -
    communications  -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SU`),
  )
  for (const change of [`body = ${nothing}, edited_at = now()`, `visibility = 'self'`])
    expect(await of('organisation', change)).toBe(
      expected(`
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    S     S     -
    former     -     -     -
    safeguarding  S     -     -
    finance    -     -     -
    communications  -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     S`),
    )
})

test('nobody reads, changes or writes notes about themselves, whatever rights they have', async () => {
  const { west, actors } = stage
  const owner = { ...actors.owner, accountId: west.account }
  const touched = await stage.database.asActor(owner, async (db) => {
    const seen = await sql`select from app.notes where record_id = ${west.person}`.execute(db)
    const changed = await sql`update app.notes set pinned = true where record_id = ${west.person}`.execute(db)
    return [seen.rows.length, Number(changed.numAffectedRows ?? 0)]
  })
  expect(touched).toEqual([0, 0])
  const written = stage.database.asActor(owner, (db) =>
    sql`insert into app.notes (org_id, record_type, record_id, visibility, body, author_id, created_by)
      values (${west.orgId}, 'person', ${west.person}, 'self', ${sql.raw(nothing)}, ${west.person}, ${west.account})`.execute(db),
  )
  await expect(written).rejects.toThrow(/row-level security/)
})
