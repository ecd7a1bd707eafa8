import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId, chapter } of [stage.west, stage.east, stage.foreign])
    await stage.admin.query('insert into app.__records_table__ (org_id, chapter_id, name) values ($1, $2, $3)', [orgId, chapter, 'There'])
})
afterAll(() => stage.end())

test('__records_words__ are read by members and run by officers of their chapter; nobody deletes one', async () => {
  const found = await tryAll(
    stage,
    {
      table: '__records_table__',
      row: ({ chapter }) => `chapter_id = '${chapter}'`,
      insert: ({ orgId, chapter }) =>
        `(org_id, chapter_id, name, created_by) values ('${orgId}', '${chapter}', 'New', (select app.account_id()))`,
      update: `description = 'x'`,
      remove: true,
    },
    ['west', 'east', 'foreign'],
  )
  expect(found).toBe(
    expected(`
             west  east  foreign
    owner      SIU   SIU   -
    admin      SIU   SIU   -
    officer    SIU   S     -
    former     S     S     -
    safeguarding -     -     -
    finance    S     S     -
    communications S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SIU`),
  )
})
