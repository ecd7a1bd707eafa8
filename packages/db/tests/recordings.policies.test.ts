import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  await stage.admin.query(
    `insert into app.recording_parts (org_id, recording_id, part, account_id, events)
     select a.org_id, '01920000-0000-7000-8000-000000000009', 0, (array_agg(a.id))[1], '[]' from app.accounts a where a.org_id in ($1, $2) group by a.org_id`,
    [stage.west.orgId, stage.foreign.orgId],
  )
})
afterAll(() => stage.end())

test('recordings are read and deleted by administrators, and written by the recorder alone', async () => {
  const attempts = {
    table: 'recording_parts',
    row: ({ orgId }: Place) => `org_id = '${orgId}'`,
    insert: ({ orgId }: Place) =>
      `(org_id, recording_id, part, account_id, events) select '${orgId}', app.uuid7(), 0, app.account_id(), '[]'`,
    update: `events = '[]'`,
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, ['west', 'foreign'])).toBe(
    expected(`
             west  foreign
    owner      SD  -
    admin      SD  -
    officer    -  -
    former     -  -
    safeguarding  -  -
    finance    -  -
    communications  -  -
    events     -  -
    leader     -  -
    member     -  -
    guest      -  -
    suspended  -  -
    stranger   -  SD`),
  )
})
