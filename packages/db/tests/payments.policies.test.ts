import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
const columns = ['west', 'east', 'foreign'] as const
const payments = new Map<string, string>()

beforeAll(async () => {
  stage = await setStage()
  for (const name of columns) {
    const { orgId, person, chapter } = stage[name]
    const { rows } = await stage.admin.query<{ id: string }>(
      `insert into app.payments (org_id, person_id, books_chapter_id, method, amount, currency) values ($1, $2, $3, 'cash', 100, 'EUR') returning id`,
      [orgId, person, chapter],
    )
    payments.set(chapter, rows[0]?.id ?? '')
    await stage.admin.query('insert into app.payment_settings (org_id) values ($1) on conflict do nothing', [orgId])
  }
})
afterAll(() => stage.end())

test('nobody writes a payment by statement; officers of the chapter and finance read it', async () => {
  const attempts = {
    table: 'payments',
    row: ({ chapter }: Place) => `id = '${payments.get(chapter)}'`,
    insert: ({ orgId, person }: Place) =>
      `(org_id, person_id, method, amount, currency) values ('${orgId}', '${person}', 'cash', 1, 'EUR')`,
    update: `note = 'x'`,
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, columns)).toBe(
    expected(`
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    S     -     -
    former     -     -     -
    safeguarding  -     -     -
    finance    S     S     -
    communications  -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     S`),
  )
})

test('everybody knows the account that invoices are paid to, and finance of the whole organisation changes it', async () => {
  const attempts = {
    table: 'payment_settings',
    row: ({ orgId }: Place) => `org_id = '${orgId}'`,
    update: `bank_name = 'x'`,
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, ['west', 'foreign'])).toBe(
    expected(`
             west  foreign
    owner      SU    -
    admin      SU    -
    officer    S     -
    former     S     -
    safeguarding  S     -
    finance    SU    -
    communications  S     -
    events     S     -
    leader     S     -
    member     S     -
    guest      S     -
    suspended  -     -
    stranger   -     SU`),
  )
})
