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
    await stage.admin.query(
      `insert into app.payment_fees (org_id, transaction_id, payment_id, kind, amount, currency, charged_at) values ($1, $2, $3, 'charge', 1, 'EUR', now())`,
      [orgId, `txn_${name}`, rows[0]?.id],
    )
    await stage.admin.query(
      `insert into app.provider_payouts (org_id, provider, provider_ref, state, amount, currency, arrives_on, made_at, counts)
       values ($1, 'stripe', $2, 'paid', 100, 'EUR', current_date, now(), true)`,
      [orgId, `po_${name}`],
    )
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

test('what the provider keeps is read by officers of the chapter and finance, payouts by finance of the whole organisation', async () => {
  const written = (row: (place: Place) => string, table: string, insert: (place: Place) => string, update: string) =>
    tryAll(stage, { table, row, insert, update, remove: true } as const, columns)
  const seen = (officer: string) =>
    expected(`
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    ${officer}     -     -
    former     -     -     -
    safeguarding  -     -     -
    finance    S     S     -
    communications  -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     S`)
  const nameOf = (place: Place) => columns.find((name) => stage[name] === place)
  const fee = ({ orgId, chapter }: Place) =>
    `(org_id, transaction_id, payment_id, kind, amount, currency, charged_at) values ('${orgId}', 'txn_new', '${payments.get(chapter)}', 'charge', 1, 'EUR', now())`
  expect(await written((place) => `transaction_id = 'txn_${nameOf(place)}'`, 'payment_fees', fee, 'amount = 0')).toBe(seen('S'))
  const payout = ({ orgId }: Place) =>
    `(org_id, provider, provider_ref, state, amount, currency, arrives_on, made_at, counts) values ('${orgId}', 'stripe', 'po_new', 'paid', 1, 'EUR', current_date, now(), true)`
  expect(await written((place) => `provider_ref = 'po_${nameOf(place)}'`, 'provider_payouts', payout, 'amount = 0')).toBe(seen('-'))
})
