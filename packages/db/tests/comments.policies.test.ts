import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Stage } from './stage.ts'

const columns = ['west', 'east', 'foreign'] as const
const nothing = `'{"type": "doc", "content": []}'`

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId, group, secret, account } of columns.map((at) => stage[at]))
    for (const id of [group, secret])
      await stage.admin.query(
        `insert into app.comments (org_id, record_type, record_id, body, created_by) values ($1, 'group', $2, ${nothing}, $3)`,
        [orgId, id, account],
      )
})
afterAll(() => stage.end())

test('comments are read where the group is, changed by nobody but their author, and hidden by those who look after the group', async () => {
  const of = (group: string, update: string) =>
    tryAll(
      stage,
      { table: 'comments', row: (place) => `record_id = '${group === 'secret' ? place.secret : place.group}'`, update },
      columns,
    )
  expect(await of('open', `hidden_at = now(), hidden_reason = 'x'`)).toBe(
    expected(`
             west  east  foreign
    owner      SU    SU    -
    admin      SU    SU    -
    officer    SU    S     -
    former     S     S     -
    safeguarding  -     -     -
    finance    S     S     -
    communications  S     S     -
    events     S     S     -
    leader     SU    S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SU`),
  )
  // What somebody said is theirs: everybody who may hide it is refused, as if there were no such right.
  expect(await of('open', `body = ${nothing}, edited_at = now()`)).toBe(
    expected(`
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    S     S     -
    former     S     S     -
    safeguarding  -     -     -
    finance    S     S     -
    communications  S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     S`),
  )
  expect(await of('secret', `hidden_at = now(), hidden_reason = 'x'`)).toBe(
    expected(`
             west  east  foreign
    owner      SU    SU    -
    admin      SU    SU    -
    officer    SU    -     -
    former     -     -     -
    safeguarding  -     -     -
    finance    -     -     -
    communications  -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SU`),
  )
})
