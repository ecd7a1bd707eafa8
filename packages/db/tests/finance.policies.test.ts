import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
const columns = ['west', 'east', 'foreign'] as const
const drafts = new Map<string, string>()

beforeAll(async () => {
  stage = await setStage()
  for (const name of columns) {
    const { orgId, person, chapter } = stage[name]
    await stage.admin.query(
      `insert into app.dues_rates (org_id, chapter_id, name, charged_to, period, price_amount, price_currency) values ($1, $2, 'Dues', 'person', 'year', 100, 'EUR')`,
      [orgId, chapter],
    )
    const { rows } = await stage.admin.query<{ id: string }>(
      `insert into app.invoices (org_id, kind, person_id, books_chapter_id, currency) values ($1, 'invoice', $2, $3, 'EUR') returning id`,
      [orgId, person, chapter],
    )
    drafts.set(chapter, rows[0]?.id ?? '')
  }
})
afterAll(() => stage.end())

test('rates are read by officers of the chapter and kept by finance', async () => {
  const attempts = {
    table: 'dues_rates',
    row: ({ chapter }: Place) => `chapter_id = '${chapter}'`,
    update: 'due_days = 30',
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, columns)).toBe(
    expected(`
             west  east  foreign
    owner      SU    SU    -
    admin      SU    SU    -
    officer    S     -     -
    former     -     -     -
    safeguarding  -     -     -
    finance    SU    SU    -
    communications  -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SU`),
  )
})

test('nobody writes an invoice by statement; drafts are for officers and finance', async () => {
  const attempts = {
    table: 'invoices',
    row: ({ chapter }: Place) => `id = '${drafts.get(chapter)}'`,
    insert: ({ orgId, person }: Place) => `(org_id, kind, person_id, currency) values ('${orgId}', 'invoice', '${person}', 'EUR')`,
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
