import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId, account } of [stage.west, stage.foreign]) {
    await stage.admin.query(
      `insert into app.saved_views (org_id, account_id, list, name, spec, shared_with) values ($1, $2, 'people', 'Mine', '{}', 'me'), ($1, $2, 'people', 'Ours', '{}', 'organisation')`,
      [orgId, account],
    )
  }
})
afterAll(() => stage.end())

const columns = ['west', 'foreign'] as const
const same = (verbs: string, guests = verbs, stranger = verbs) =>
  expected(`
             west  foreign
    owner      ${verbs}  -
    admin      ${verbs}  -
    officer    ${verbs}  -
    former     ${verbs}  -
    safeguarding  ${guests}  -
    finance    ${verbs}  -
    communications  ${verbs}  -
    events     ${verbs}  -
    leader     ${verbs}  -
    member     ${verbs}  -
    guest      ${guests}  -
    suspended  -  -
    stranger   -  ${stranger}`)

describe('saved views', () => {
  const attempts = (sharing: 'me' | 'organisation') => ({
    table: 'saved_views',
    row: ({ orgId }: Place) => `org_id = '${orgId}' and shared_with = '${sharing}'`,
    insert: ({ orgId }: Place) =>
      `(org_id, account_id, list, name, spec, shared_with) values ('${orgId}', app.account_id(), 'people', 'New', '{}', '${sharing}')`,
    update: `name = 'x'`,
    remove: true as const,
  })

  test('of someone else are private; everybody saves their own', async () => {
    expect(await tryAll(stage, attempts('me'), columns)).toBe(same('I'))
  })

  test('that are shared are seen by members, and shared by administrators and communications', async () => {
    const found = await tryAll(stage, attempts('organisation'), columns)
    expect(found).toBe(same('S', '-', 'SI').replace(/^(owner|admin|communications)( +)S /gm, '$1$2SI'))
  })
})
