import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId, account } of [stage.west, stage.foreign]) {
    await stage.admin.query(
      `with i as (insert into app.imports (org_id, kind, file_name, file_size, file_hash, file_key, created_by) values ($1, 'people', 'a.csv', 1, 'x', 'imports/x', $2) returning id)
       insert into app.import_rows (org_id, import_id, phase, line, step, outcome) select $1, i.id, 'check', 1, 1, 'create' from i`,
      [orgId, account],
    )
    await stage.admin.query(
      `insert into app.import_mappings (org_id, kind, name, mapping, created_by) values ($1, 'people', 'Usual', '{}', $2)`,
      [orgId, account],
    )
  }
})
afterAll(() => stage.end())

const columns = ['west', 'foreign'] as const
const ours = ({ orgId }: Place) => `org_id = '${orgId}'`

test('an import is its maker’s and the administrators’; who may import somewhere starts one', async () => {
  const attempts = {
    table: 'imports',
    row: ours,
    insert: ({ orgId }: Place) =>
      `(org_id, kind, file_name, file_size, file_hash, file_key, created_by) values ('${orgId}', 'people', 'b.csv', 1, 'x', 'imports/y', app.account_id())`,
    update: `status = 'checking'`,
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, columns)).toBe(
    expected(`
             west  foreign
    owner      SIU  -
    admin      SIU  -
    officer    I    -
    former     -    -
    safeguarding  -    -
    finance    -    -
    communications  -    -
    events     -    -
    leader     -    -
    member     -    -
    guest      -    -
    suspended  -    -
    stranger   -    SIU`),
  )
})

test('its ledger is seen with it; lines of a check are made anew, lines of a run stay', async () => {
  const attempts = { table: 'import_rows', row: ours, update: `line = 9`, remove: true } as const
  const insert = ({ orgId }: Place) =>
    `(org_id, import_id, phase, line, step, outcome) select i.org_id, i.id, 'run', 2, 2, 'create' from app.imports i where i.org_id = '${orgId}'`
  const administrators = `
             west  foreign
    owner      SID  -
    admin      SID  -
    officer    -    -
    former     -    -
    safeguarding  -    -
    finance    -    -
    communications  -    -
    events     -    -
    leader     -    -
    member     -    -
    guest      -    -
    suspended  -    -
    stranger   -    SID`
  expect(await tryAll(stage, { ...attempts, insert }, columns)).toBe(expected(administrators))
  await stage.admin.query(`update app.import_rows set phase = 'run' where org_id = any ($1)`, [[stage.west.orgId, stage.foreign.orgId]])
  expect(await tryAll(stage, attempts, columns)).toBe(expected(administrators.replaceAll('SID', 'S')))
})

test('a saved mapping serves everybody who imports', async () => {
  const attempts = {
    table: 'import_mappings',
    row: ours,
    insert: ({ orgId }: Place) => `(org_id, kind, name, mapping, created_by) values ('${orgId}', 'people', 'New', '{}', app.account_id())`,
    update: `mapping = '{}'`,
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, columns)).toBe(
    expected(`
             west  foreign
    owner      SIUD  -
    admin      SIUD  -
    officer    SI    -
    former     -     -
    safeguarding  -     -
    finance    -     -
    communications  -     -
    events     -     -
    leader     -     -
    member     -     -
    guest      -     -
    suspended  -     -
    stranger   -     SIUD`),
  )
})
