import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

const columns = ['west', 'east', 'foreign'] as const

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId, group, tag, memberTag } of columns.map((at) => stage[at]))
    for (const id of [tag, memberTag])
      await stage.admin.query(`insert into app.record_tags (org_id, record_type, record_id, tag_id) values ($1, 'group', $2, $3)`, [
        orgId,
        group,
        id,
      ])
})
afterAll(() => stage.end())

const on = (kind: 'tag' | 'memberTag') => (place: Place) => `record_id = '${place.group}' and tag_id = '${place[kind]}'`

test('an officers’ tag on a group is seen by those with a right over people there, and removed by those who look after the group', async () => {
  expect(await tryAll(stage, { table: 'record_tags', row: on('tag'), remove: true }, columns)).toBe(
    expected(`
             west  east  foreign
    owner      SD    SD    -
    admin      SD    SD    -
    officer    SD    -     -
    former     -     -     -
    safeguarding  -     -     -
    finance    -     -     -
    communications  -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SD`),
  )
})

test('a members’ tag on a group is seen with the group', async () => {
  expect(await tryAll(stage, { table: 'record_tags', row: on('memberTag'), remove: true }, columns)).toBe(
    expected(`
             west  east  foreign
    owner      SD    SD    -
    admin      SD    SD    -
    officer    SD    S     -
    former     S     S     -
    safeguarding  -     -     -
    finance    S     S     -
    communications  S     S     -
    events     S     S     -
    leader     SD    S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SD`),
  )
})
