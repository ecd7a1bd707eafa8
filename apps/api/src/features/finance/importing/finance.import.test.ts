import type { Import, ImportRow } from '@guildhall/contract/features/imports'
import { importTemplates } from '@guildhall/contract/features/imports'
import { daysFrom } from '@guildhall/contract/moments'
import { expect } from 'vitest'
import type { Client, TestOrganisation } from '../../../testing.ts'
import { bringIn, test as base, uploadFile, waitFor } from '../../imports/imports.testing.ts'
import { readLines } from '../../imports/imports.plan.public.ts'

type Books = { org: TestOrganisation; boss: Client; today: string; ann: string; counts(): Promise<Record<string, number>> }

const test = base.extend<{ books: Books }>({
  books: async ({ api, organisation, person, admin, worker: _ }, use) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const ann = await person({ org, familyName: 'Ann' })
    await admin.query(`update app.people set member_no = 'A1' where id = $1`, [ann.personId])
    await admin.query('insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $3, true)', [
      org.id,
      ann.personId,
      `ann-${org.id}@example.org`,
    ])
    await admin.query(`update app.chapters set code = 'ROOT' where id = $1`, [org.rootChapterId])
    const { rows } = await admin.query<{ today: string }>(`select to_char(current_date, 'YYYY-MM-DD') as today`)
    await use({
      ...{ org, boss, today: rows[0]?.today ?? '', ann: ann.personId ?? '' },
      async counts() {
        const found = await admin.query<Record<string, number>>(
          `select (select count(*)::int from app.invoices where org_id = $1) as invoices, (select count(*)::int from app.invoice_lines l join app.invoices i on i.id = l.invoice_id where i.org_id = $1) as lines,
             (select count(*)::int from app.payments where org_id = $1) as payments, (select count(*)::int from app.receipts where org_id = $1) as receipts,
             (select count(*)::int from app.number_series where org_id = $1) as series, (select count(*)::int from app.mail_messages where org_id = $1) as mails`,
          [org.id],
        )
        return found.rows[0] ?? {}
      },
    })
  },
})

const header = 'member_no,debtor_chapter,invoice_number,issued_on,due_on,text,lines,total,currency,paid_amount,paid_on,payment_method\n'
const codes = async (client: Client, one: Import, phase: string) =>
  ((await client.get(`/data/imports/${one.id}/rows?phase=${phase}&limit=100`)).body as { items: ImportRow[] }).items.map(
    ({ line, outcome, findings }) => [line, outcome, ...findings.map(({ code }) => code)],
  )
const list = async (boss: Client) =>
  (
    (await boss.get('/data/invoices?limit=50')).body as {
      items: { id: string; number: string; state: string; balance: number; version: number }[]
    }
  ).items

test('invoices of another system keep their numbers, take none of ours, stand in lists and statements, and open ones can be paid', async ({
  books: { org, boss, today, ann, counts },
  admin,
}) => {
  const on = (days: number) => daysFrom(today, days)
  const file =
    header +
    'A1,,R-17,2024-11-30,2024-12-30,Dues 2025,,60.00,EUR,60.00,2024-12-20,Überweisung\n' +
    `A1,,R-18,${on(-40)},${on(-10)},Dues,Membership: 50.00; Postage: 4.50,"54,50",EUR,20,${on(-20)},cash\n` +
    `,ROOT,R-19,${on(-40)},${on(20)},Levy,,900,EUR,,,\n`
  const uploaded = await uploadFile(boss, 'invoices', 'invoices.csv', file)
  expect(uploaded.import.columns.map(({ target }) => target)).toEqual([
    ...['memberNo', 'debtorChapter', 'number', 'issuedOn', 'dueOn', 'text', 'lines', 'total', 'currency', 'paidAmount', 'paidOn', 'method'],
  ])
  const checked = await waitFor(boss, uploaded.import.id, 'check')
  const all = { create: 3, update: 0, unchanged: 0, skip: 0, reject: 0 }
  expect([checked.counts.check, await codes(boss, checked, 'check')]).toEqual([
    all,
    [
      [2, 'create'],
      [3, 'create'],
      [4, 'create'],
    ],
  ])
  expect(await counts()).toMatchObject({ invoices: 0, payments: 0 })
  const done = await waitFor(boss, checked.id, 'run')
  expect(done.counts.run).toEqual(all)
  expect(await counts()).toEqual({ invoices: 3, lines: 4, payments: 2, receipts: 0, series: 0, mails: 0 })
  const { rows } = await admin.query(
    `select foreign_number as no, state, total_amount::int as total, paid_amount::int as paid, balance_amount::int as balance, to_char(paid_on, 'YYYY-MM-DD') as paid_on, number
       from app.invoices where org_id = $1 order by 1`,
    [org.id],
  )
  expect(rows).toEqual([
    { no: 'R-17', state: 'paid', total: 6000, paid: 6000, balance: 0, paid_on: '2024-12-20', number: null },
    { no: 'R-18', state: 'partly_paid', total: 5450, paid: 2000, balance: 3450, paid_on: null, number: null },
    { no: 'R-19', state: 'issued', total: 90000, paid: 0, balance: 90000, paid_on: null, number: null },
  ])
  expect((await list(boss)).map(({ number }) => number).toSorted()).toEqual(['R-17', 'R-18', 'R-19'])
  const statement = (await boss.get(`/data/debtors/${ann}/statement?since=2024-01-01&until=${today}`)).body as {
    closing: number
    entries: { number: string | null; amount: number }[]
  }
  expect([statement.closing, statement.entries.map(({ amount }) => amount)]).toEqual([3450, [6000, -6000, 5450, -2000]])

  // Nothing about it can be changed, not even by whoever owns the rows.
  await expect(
    admin.query(`update app.invoices set total_amount = 1 where org_id = $1 and foreign_number = 'R-18'`, [org.id]),
  ).rejects.toThrow(/stays as it is/)
  await expect(
    admin.query(`update app.invoices set foreign_number = 'R-99' where org_id = $1 and foreign_number = 'R-18'`, [org.id]),
  ).rejects.toThrow(/stays as it is/)
  // Reminders that were due before it came are not made up for; the next one comes on its day.
  await admin.query('select app.remind_invoices($1, $2, null, 100)', [org.id, today])
  expect((await counts())['mails']).toBe(0)
  await admin.query('select app.remind_invoices($1, $2, null, 100)', [org.id, on(5)])
  expect((await counts())['mails']).toBe(1)

  const again = await bringIn(boss, 'invoices', file)
  expect([again.counts.check, again.counts.run]).toEqual(Array(2).fill({ create: 0, update: 0, unchanged: 3, skip: 0, reject: 0 }))

  // The rest of one is paid here: it stays when the import is undone, and the payments that came along go with the others.
  const open = (await list(boss)).find(({ number }) => number === 'R-18')
  const paid = await boss.post('/data/payments', {
    ...{ method: 'cash', money: { amount: 3450, currency: 'EUR' }, receivedOn: today },
    allocations: [{ invoiceId: open?.id, amount: 3450 }],
  })
  expect(paid.status, paid.text).toBe(201)
  expect((await list(boss)).find(({ number }) => number === 'R-18')?.state).toBe('paid')
  expect((await counts())['receipts']).toBe(1)
  const undone = await waitFor(boss, done.id, 'undo')
  expect([undone.status, undone.counts.undo]).toEqual(['partly_undone', { removed: 2, restored: 0, kept: 1 }])
  expect(await counts()).toMatchObject({ invoices: 1, lines: 2, payments: 2 })
  expect((await list(boss)).map(({ number }) => number)).toEqual(['R-18'])
})

test('an invoice with a fault is rejected with a word about it; a refund of an imported payment takes no receipt', async ({
  books: { org, boss, today },
  admin,
  api,
  person,
}) => {
  const row = (more: string) => `A1,,${more}\n`
  const one = await bringIn(
    boss,
    'invoices',
    header +
      row('R-1,2024-01-01,2024-01-31,Dues,,60,EUR,60,2024-01-15,cash') +
      row('R-1,2024-01-01,2024-01-31,Dues,,60,EUR,,,') +
      row(',2024-01-01,2024-01-31,Dues,,60,EUR,,,') +
      row('R-2,,2024-01-31,Dues,,60,EUR,,,') +
      row('R-3,2024-01-01,2023-12-31,Dues,,60,EUR,,,') +
      row('R-4,2024-01-01,2024-01-31,Dues,,,EUR,,,') +
      row('R-5,2024-01-01,2024-01-31,Dues,just text,60,EUR,,,') +
      row('R-6,2024-01-01,2024-01-31,Dues,A: 10; B: 20,60,EUR,,,') +
      row('R-7,2024-01-01,2024-01-31,Dues,,60,EUR,60.01,2024-01-15,') +
      row('R-8,2024-01-01,2024-01-31,Dues,,60,EUR,10,,') +
      row('R-9,2190-01-01,2190-01-31,Dues,,60,EUR,,,') +
      row('R-10,2024-01-01,2024-01-31,Dues,,-60,EUR,,,') +
      row('R-11,2024-01-01,2024-01-31,Dues,,60,EURO,,,') +
      row('R-12,2024-01-01,2024-01-31,Dues,,60,EUR,,,barter') +
      ',NOWHERE,R-13,2024-01-01,2024-01-31,Dues,,60,EUR,,,\n' +
      `EXAMPLE-1,,${Object.values(importTemplates.invoices).slice(2, 6).join(',')},,60.00,EUR,,,\n`,
  )
  expect(one.counts.check).toEqual(one.counts.run)
  expect(await codes(boss, one, 'run')).toEqual([
    [2, 'create'],
    [3, 'reject', 'duplicate_row'],
    [4, 'reject', 'missing'],
    [5, 'reject', 'missing'],
    [6, 'reject', 'dates_reversed'],
    [7, 'reject', 'missing'],
    [8, 'reject', 'not_lines'],
    [9, 'reject', 'total_differs'],
    [10, 'reject', 'paid_more'],
    [11, 'reject', 'missing'],
    [12, 'reject', 'day_in_future'],
    [13, 'reject', 'not_an_amount'],
    [14, 'reject', 'too_long'],
    [15, 'reject', 'not_a_choice'],
    [16, 'reject', 'unknown_chapter_code'],
    [17, 'reject', 'unknown_member_no'],
  ])
  // The same number for another amount is not the same invoice.
  const other = await bringIn(boss, 'invoices', header + row('R-1,2024-01-01,2024-01-31,Dues,,61,EUR,,,'))
  expect(await codes(boss, other, 'run')).toEqual([[2, 'reject', 'number_taken']])

  const { rows } = await admin.query<{ id: string; version: number }>('select id, version from app.payments where org_id = $1', [org.id])
  const refunded = await boss.post(
    `/actions/payments/${rows[0]?.id}/refund`,
    { amount: 1000, reason: 'Too much' },
    { 'if-match': `"${rows[0]?.version}"`, ...boss.proof },
  )
  expect(refunded.status, refunded.text).toBeLessThan(300)
  const after = await admin.query(
    `select (select count(*)::int from app.receipts where org_id = $1) as receipts, (select count(*)::int from app.mail_messages where org_id = $1 and template = 'receipt') as mails`,
    [org.id],
  )
  expect(after.rows).toEqual([{ receipts: 0, mails: 0 }])
  // And from then on it is not taken away any more.
  const undone = await waitFor(boss, one.id, 'undo')
  expect(undone.counts.undo).toEqual({ removed: 0, restored: 0, kept: 1 })

  // An officer who imports people but keeps no books brings in no invoice.
  const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] }))
  const theirs = await bringIn(officer, 'invoices', header + row(`R-50,2024-01-01,2024-01-31,Dues,,60,EUR,,,`))
  expect([theirs.counts.check, theirs.counts.run]).toEqual(Array(2).fill({ create: 0, update: 0, unchanged: 0, skip: 0, reject: 1 }))
  expect(today > '2024').toBe(true)
})

test('lines of a cell are texts and amounts', () => {
  expect(readLines('Dues 2024: 60.00; Postage: 4,50;', 'EUR')).toEqual([
    { text: 'Dues 2024', amount: 6000 },
    { text: 'Postage', amount: 450 },
  ])
  expect(readLines('At 10:30: 5', 'EUR')).toEqual([{ text: 'At 10:30', amount: 500 }])
  expect(['Dues', ': 5', 'Dues: -5', '', ';', 'Dues: 1.250'].map((cell) => readLines(cell, 'EUR'))).toEqual(Array(6).fill(null))
})
