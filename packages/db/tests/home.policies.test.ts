import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.end())

test('gaps in the data are shown to officers of the chapter and counted by the worker alone', async () => {
  const attempts = {
    table: 'data_health',
    row: ({ chapter }: Place) => `chapter_id = '${chapter}'`,
    insert: ({ orgId, leaf }: Place) => `(org_id, chapter_id, people, without_email) values ('${orgId}', '${leaf}', 0, 0)`,
    update: 'people = 0',
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, ['west', 'east', 'foreign'])).toBe(
    expected(`
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
    stranger   -     -     S`),
  )
})
