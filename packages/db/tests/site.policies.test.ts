import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.end())

const organisersOnly = (verbs: string) =>
  expected(`
             west  foreign
    owner      ${verbs}  -
    admin      ${verbs}  -
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
    stranger   -  ${verbs}`)

test('messages of the contact page are read and ticked off by administrators', async () => {
  const attempts = {
    table: 'contact_messages',
    row: ({ message }: Place) => `id = '${message}'`,
    insert: ({ orgId }: Place) =>
      `(org_id, reference, name, email, topic, message) values ('${orgId}', 'X', 'A', 'a@example.org', 'T', 'M')`,
    update: 'handled_at = now()',
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, ['west', 'foreign'])).toBe(organisersOnly('SU'))
})

test('how often the contact page was used is nobody’s to see or change', async () => {
  await stage.admin.query(`insert into app.contact_attempts (org_id, source) values ($1, 'x'), ($2, 'x')`, [
    stage.west.orgId,
    stage.foreign.orgId,
  ])
  const attempts = {
    table: 'contact_attempts',
    row: ({ orgId }: Place) => `org_id = '${orgId}'`,
    insert: ({ orgId }: Place) => `(org_id, source) values ('${orgId}', 'y')`,
    update: 'attempts = 0',
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, ['west', 'foreign'])).toBe(organisersOnly('-'))
})
