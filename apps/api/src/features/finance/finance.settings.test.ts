import { isNumberFormat, numberOf } from '@guildhall/contract/document-numbers'
import type { FinanceSettings } from '@guildhall/contract/features/finance'
import fc from 'fast-check'
import { expect } from 'vitest'
import { createServices } from '../../platform/services.ts'
import { textsIn } from '../../platform/texts/texts.ts'
import { test as base } from '../../testing.ts'
import type { Client, TestOrganisation, TestPerson } from '../../testing.ts'
import { findInvoicePaper, remindOfInvoices } from './papers/finance.papers.queries.ts'
import { invoiceDocument } from './papers/finance.papers.rules.ts'

type Office = {
  org: TestOrganisation
  boss: TestPerson
  ann: TestPerson
  client: Client
  settings(): Promise<FinanceSettings>
  change(change: object): Promise<{ status: number; body: unknown }>
  draft(): Promise<{ id: string; version: number }>
  /** Issues a new invoice: its id, number and due date. */
  issue(): Promise<{ id: string; number: string; issuedOn: string; dueOn: string; version: number }>
}

const test = base.extend<{ office: Office }>({
  office: async ({ api, organisation, person }, use) => {
    const org = await organisation()
    const boss = await person({ org, idpRoles: ['finance'] })
    const ann = await person({ org })
    const client = api.as(boss)
    const settings = async () => (await client.get('/data/finance-settings')).body as FinanceSettings
    const draft = async () =>
      (
        await client.post('/data/invoices', {
          ...{ owedBy: { personId: ann.personId }, reason: 'Dues', lines: [{ text: 'Dues', amount: 6000 }] },
        })
      ).body as { id: string; version: number }
    await use({
      ...{ org, boss, ann, client, settings, draft },
      change: async (change) => client.patch('/data/finance-settings', change, { 'if-match': `"${(await settings()).version}"` }),
      async issue() {
        const { id, version } = await draft()
        const issued = await client.post(`/data/invoices/${id}/issue`, {}, { 'if-match': `"${version}"` })
        expect(issued.status).toBe(200)
        return issued.body
      },
    })
  },
})

const capital = fc.stringMatching(/^[A-Z ._/#-]{0,20}$/)
const separator = fc.stringMatching(/^[A-Z ._/#-]{1,10}$/)
const formats = fc
  .tuple(capital, fc.constantFrom('{year}', '{yy}'), separator, fc.constantFrom('{number}', '{number:1}', '{number:4}', '{number:9}'))
  .map((parts) => parts.join(''))

test('a preview says just what the database writes, and no two places of a year have the same number in any two formats', async ({
  admin,
}) => {
  const year = fc.integer({ min: 1900, max: 2199 })
  const place = fc.integer({ min: 1, max: 2_000_000 })
  const cases = fc.sample(fc.tuple(formats, formats, year, place, place), 1000)
  const { rows } = await admin.query<{ number: string }>(
    `select app_private.number_text(c ->> 0, (c ->> 2)::int, (c ->> 3)::int) as number from jsonb_array_elements($1::jsonb) c`,
    [JSON.stringify(cases)],
  )
  for (const [at, [format, other, on, first, second]] of cases.entries()) {
    expect(isNumberFormat(format)).toBe(true)
    expect(rows[at]?.number).toBe(numberOf(format, on, first))
    if (first !== second) expect(numberOf(other, on, second)).not.toBe(numberOf(format, on, first))
  }
})

test('another format applies to the next number; what was given stays, and the series goes on without a gap', async ({ office, api }) => {
  const { next } = await office.settings()
  expect(next).toMatchObject({ invoice: 1, creditNote: 1, receipt: 1 })
  const first = await office.issue()
  expect(first.number).toBe(`${next.year}-00001`)
  expect(await office.change({ invoiceFormat: 'INV/{yy}-{number:3}' })).toMatchObject({ status: 200, body: { next: { invoice: 2 } } })
  const second = await office.issue()
  expect(second.number).toBe(`INV/${String(next.year).slice(2)}-002`)
  expect((await office.client.get(`/data/invoices/${first.id}`)).body).toMatchObject({ number: first.number })
  const printed = await api.as(office.ann).post(`/actions/invoices/${second.id}/pdf`, {})
  expect(printed.headers['content-disposition']).toContain(`INV-${String(next.year).slice(2)}-002.pdf`)
  // Credit notes and receipts have formats of their own, which must differ.
  expect(await office.change({ creditNoteFormat: 'INV/{year}-{number}' })).toMatchObject({ body: { reason: 'number_formats_alike' } })
  for (const wrong of [
    '{number}-{year}',
    '{year}{number}',
    '{year}-',
    '2-{year}-{number}',
    'inv-{year}-{number}',
    '{year}-{number}-{number}',
  ])
    expect(await office.change({ invoiceFormat: wrong })).toMatchObject({ status: 422 })
  expect(await office.change({ creditNoteFormat: 'C-{year}-{number:4}', receiptFormat: 'Q-{year}-{number:2}' })).toMatchObject({
    status: 200,
  })
  const credited = await office.client.post(`/data/invoices/${second.id}/credit`, { reason: 'Left' }, { 'if-match': `"${second.version}"` })
  expect(credited.body).toMatchObject({ credits: [{ number: `C-${next.year}-0001` }] })
  await office.client.post('/data/payments', {
    ...{ method: 'cash', money: { amount: 6000, currency: 'EUR' }, receivedOn: '2026-01-05' },
    allocations: [{ invoiceId: first.id, amount: 6000 }],
  })
  expect((await office.client.get(`/data/receipts?invoiceId=${first.id}`)).body).toMatchObject({ items: [{ number: `Q-${next.year}-01` }] })
})

test('the first number of a year is set before one was given, never afterwards, and only for that year', async ({ office, admin }) => {
  expect(await office.change({ invoiceStart: 421 })).toMatchObject({ status: 200, body: { next: { invoice: 421, receipt: 1 }, begun: [] } })
  const drafts = await Promise.all(Array.from({ length: 6 }, () => office.draft()))
  const issued = await Promise.all(
    drafts.map(({ id, version }) => office.client.post(`/data/invoices/${id}/issue`, {}, { 'if-match': `"${version}"` })),
  )
  const places = issued.map(({ body }) => Number((body as { number: string }).number.slice(-5)))
  expect(places.toSorted((one, other) => one - other)).toEqual([421, 422, 423, 424, 425, 426])
  const begun = { status: 422, body: { reason: 'number_series_begun' } }
  expect(await office.change({ invoiceStart: 900 })).toMatchObject(begun)
  expect(await office.change({ invoiceStart: 1 })).toMatchObject(begun)
  expect(await office.change({ receiptStart: 77 })).toMatchObject({ status: 200, body: { next: { receipt: 77 }, begun: ['invoice'] } })
  // As if that had been said a year ago.
  await admin.query('update app.number_series set year = year - 1 where org_id = $1', [office.org.id])
  await admin.query('alter table app.finance_settings disable trigger user')
  await admin.query('update app.finance_settings set start_year = start_year - 1 where org_id = $1', [office.org.id])
  await admin.query('alter table app.finance_settings enable trigger user')
  expect(await office.settings()).toMatchObject({ invoiceStart: 1, next: { invoice: 1, receipt: 1 }, begun: [] })
  expect(await office.change({ creditNoteStart: 5 })).toMatchObject({ body: { next: { invoice: 1, creditNote: 5, receipt: 1 } } })
})

test('invoices are due after the days of the settings and carry issuer, footer and, while open, the account of today', async ({
  office,
  api,
}) => {
  const before = await office.issue()
  expect(
    await office.change({
      dueDays: 10,
      legalName: 'The Society e.V.',
      address: 'Main Street 1\n10115 Berlin',
      taxId: 'DE123',
      invoiceFooter: 'VR 17',
    }),
  ).toMatchObject({ status: 200 })
  const { id, issuedOn, dueOn } = await office.issue()
  expect(Date.parse(dueOn) - Date.parse(issuedOn)).toBe(10 * 86_400_000)
  const account = { accountHolder: 'The Society', accountNumber: 'DE02 1203', transferNote: 'Two days' }
  expect((await office.client.patch('/data/payment-settings', account, { 'if-match': '"1"' })).status).toBe(200)
  const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
  const said = async (invoice: string) => {
    const paper = await worker.database.withoutActor((tx) => findInvoicePaper(tx, office.org.id, invoice))
    return paper && invoiceDocument(textsIn('en'), paper)
  }
  try {
    const paper = await said(id)
    expect(paper?.from).toEqual(expect.arrayContaining(['The Society e.V.', 'Main Street 1', '10115 Berlin', 'Tax number: DE123']))
    expect(paper?.foot).toEqual(['VR 17'])
    expect(paper?.notes).toEqual(
      expect.arrayContaining(['Account number: DE02 1203', expect.stringMatching(/^Reference: \d{4}-00002$/), 'Two days']),
    )
    // What was issued before keeps its text.
    expect((await said(before.id))?.from).not.toContain('The Society e.V.')
    expect((await said(before.id))?.foot).toEqual([])
    await office.client.post('/data/payments', {
      ...{ method: 'cash', money: { amount: 6000, currency: 'EUR' }, receivedOn: '2026-01-05' },
      allocations: [{ invoiceId: id, amount: 6000 }],
    })
    expect((await said(id))?.notes.join()).not.toContain('DE02')
  } finally {
    await worker.close()
  }
})

test('reminders go out after the days of the settings, none twice when the days change, and none at all without days', async ({
  office,
  api,
}) => {
  const { id, dueOn } = await office.issue()
  const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
  const dayAfter = (days: number) => new Date(Date.parse(dueOn) + days * 86_400_000).toISOString().slice(0, 10)
  const remind = async (days: number) =>
    worker.database.withoutActor(async (tx) => (await remindOfInvoices(tx, office.org.id, dayAfter(days), null)) as { mails?: number })
  try {
    await office.change({ reminderDays: [] })
    expect(await remind(40)).toMatchObject({ mails: 0 })
    await office.change({ reminderDays: [9, 5, 5] })
    expect(await office.settings()).toMatchObject({ reminderDays: [5, 9] })
    expect([await remind(4), await remind(5), await remind(5), await remind(10), await remind(10)]).toMatchObject(
      [0, 1, 0, 1, 0].map((mails) => ({ mails })),
    )
    expect(await office.client.get(`/data/invoices/${id}`)).toMatchObject({ status: 200 })
  } finally {
    await worker.close()
  }
})

test('finance of the whole organisation changes the settings, officers who read the books see them, and members neither', async ({
  office,
  api,
  admin,
}) => {
  expect(await api.as(office.ann).get('/data/finance-settings')).toMatchObject({ status: 403 })
  const local = await api.as(office.ann).patch('/data/finance-settings', { dueDays: 3 }, { 'if-match': '"1"' })
  expect(local).toMatchObject({ status: 403 })
  await office.change({ taxId: 'DE999' })
  const { rows } = await admin.query<{ n: number }>(
    `select count(*)::int as n from app.audit_entries where org_id = $1 and entity = 'finance_settings' and diff::text like '%DE999%'`,
    [office.org.id],
  )
  expect(rows[0]?.n).toBe(1)
})

test('another bank account is audited and told to all who keep the books, and to the account that changed it', async ({
  office,
  api,
  person,
  admin,
}) => {
  const { org, boss, client } = office
  const other = await person({ org, idpRoles: ['finance'] })
  const owner = await person({ org, idpRoles: ['org-owner'] })
  const told = async (who: TestPerson) =>
    ((await api.as(who).get('/data/notifications')).body as { items: { kind: string }[] }).items.map(({ kind }) => kind)
  const set = async (accountNumber: string) => {
    const { version } = (await client.get('/data/payment-settings')).body as { version: number }
    expect((await client.patch('/data/payment-settings', { accountNumber }, { 'if-match': `"${version}"` })).status).toBe(200)
  }
  await set('DE02')
  for (const who of [boss, other, owner]) expect(await told(who)).toEqual(['bank-account-changed'])
  expect(await told(office.ann)).toEqual([])
  // Nobody can have it kept from them.
  const off = await api.as(other).put('/data/notification-preferences/bank-account-changed', { inInbox: false, mail: 'off' })
  expect(off.status).not.toBe(200)
  await set('DE03')
  await set('DE03')
  expect(await told(other)).toHaveLength(2)
  const { rows } = await admin.query<{ mails: number; entries: number }>(
    `select (select count(*)::int from app.mail_messages m where m.org_id = $1 and m.template = 'notification' and m.essential) as mails,
      (select count(*)::int from app.audit_entries e where e.org_id = $1 and e.entity = 'payment_settings' and e.action = 'update') as entries`,
    [org.id],
  )
  expect(rows[0]).toEqual({ mails: 6, entries: 2 })
})
