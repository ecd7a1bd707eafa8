import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId, chapter } of [stage.west, stage.east, stage.foreign])
    await stage.admin.query(
      `with t as (insert into app.membership_types (org_id, name, period, months, price_amount, price_currency) values ($1, $2, 'rolling', 12, 0, 'EUR') returning id),
       p as (insert into app.people (org_id, given_name) values ($1, 'Ada') returning id)
       insert into app.memberships (org_id, person_id, type_id, chapter_id, status) select $1, p.id, t.id, $3, 'awaiting_approval' from t, p`,
      [orgId, `Type of ${chapter}`, chapter],
    )
})
afterAll(() => stage.end())

const ofChapter = ({ chapter }: { chapter: string }) => `chapter_id = '${chapter}'`

test('types are seen by every account and kept by administrators', async () => {
  const found = await tryAll(
    stage,
    {
      table: 'membership_types',
      row: ({ chapter }) => `name = 'Type of ${chapter}'`,
      insert: ({ orgId }) =>
        `(org_id, name, period, price_amount, price_currency, created_by) values ('${orgId}', 'New', 'lifetime', 0, 'EUR', (select app.account_id()))`,
      update: `description = 'x'`,
      remove: true,
    },
    ['west', 'foreign'],
  )
  expect(found).toBe(
    expected(`
             west  foreign
    owner      SIU   -
    admin      SIU   -
    officer    S     -
    former     S     -
    safeguarding S   -
    finance    S     -
    communications S -
    events     S     -
    leader     S     -
    member     S     -
    guest      S     -
    suspended  -     -
    stranger   -     SIU`),
  )
})

test('memberships are seen and changed by officers of their chapter and above, seen by finance, and by nobody else but their person', async () => {
  const found = await tryAll(stage, { table: 'memberships', row: ofChapter, update: `auto_renew = false`, remove: true }, [
    'west',
    'east',
    'foreign',
  ])
  expect(found).toBe(
    expected(`
             west  east  foreign
    owner      SU    SU    -
    admin      SU    SU    -
    officer    SU    -     -
    former     -     -     -
    safeguarding -   -     -
    finance    S     S     -
    communications - -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SU`),
  )
})
