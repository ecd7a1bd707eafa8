import { configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { InvoiceDetail } from '@guildhall/contract/features/finance'
import { fake, uuid } from '../../testing/fake-api.ts'
import { renderPath } from '../../testing/render-with-api.tsx'

configure({ asyncUtilTimeout: 15_000 })

const euros = (amount: number) => ({ amount, currency: 'EUR' })
const draft: InvoiceDetail = {
  id: uuid(61),
  kind: 'invoice',
  state: 'draft',
  overdue: false,
  number: null,
  person: { id: uuid(2), displayName: 'Ann Bell' },
  chapter: null,
  billedTo: 'Ann Bell',
  reason: 'Dues 2027',
  total: euros(6000),
  paid: euros(0),
  credited: euros(0),
  balance: euros(0),
  issuedOn: null,
  dueOn: null,
  paidOn: null,
  sentAt: null,
  remindedAt: null,
  createdAt: '2026-11-20T10:00:00Z',
  version: 1,
  billing: null,
  note: '',
  lines: [{ id: uuid(62), text: 'Dues 2027', net: 6000, taxBps: 0, taxNote: '', tax: 0, share: null, credited: { net: 0, tax: 0 } }],
  payments: [],
  credits: [],
  corrects: null,
  voidReason: null,
  may: { edit: true, issue: true, void: true, credit: false, seeHistory: false },
}

test('one’s own invoices stand on the profile; a draft in the list is issued from its panel', async () => {
  let stored = draft
  const sent: unknown[] = []
  const { invoices } = fake.data.finance
  renderPath('/profile?section=membership', {
    data: {
      membership: { mine: fake.data.membership.mine.handler(() => ({ items: [], types: [] })) },
      finance: {
        invoices: {
          list: invoices.list.handler(() => ({ items: [stored], nextCursor: null, total: 1, totalIsExact: true })),
          get: invoices.get.handler(() => stored),
          issue: invoices.issue.handler(({ input }) => {
            sent.push(input)
            stored = { ...draft, state: 'issued', number: '2026-00001', dueOn: '2026-12-20', balance: euros(6000), version: 2 }
            return stored
          }),
        },
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Draft' }))
  const panel = await screen.findByRole('complementary', { name: 'Draft invoice' })
  await userEvent.click(await within(panel).findByRole('button', { name: 'Issue invoice' }))
  expect(await screen.findByRole('complementary', { name: 'Invoice 2026-00001' })).toBeVisible()
  expect(sent).toEqual([{ invoiceId: draft.id }])
  expect(screen.getByRole('row', { name: /2026-00001.*€60.00/ })).toBeVisible()
})

test('an issued invoice is mailed from its panel; its receipts stand there and under one’s invoices, each with its document', async () => {
  const issued: InvoiceDetail = {
    ...draft,
    state: 'paid',
    number: '2026-00001',
    dueOn: '2026-12-20',
    may: { ...draft.may, issue: false, void: false },
  }
  const { finance } = fake.data
  const receipt = {
    ...{ id: uuid(71), number: 'R-2026-00001', state: 'issued' as const, person: issued.person, chapter: null, amount: euros(6000) },
    ...{ issuedOn: '2026-11-22', receivedOn: '2026-11-22', replacesId: null },
  }
  const asked: string[] = []
  const url = URL.createObjectURL
  URL.createObjectURL = () => 'blob:x'
  renderPath('/profile?section=membership', {
    data: {
      membership: { mine: fake.data.membership.mine.handler(() => ({ items: [], types: [] })) },
      finance: {
        invoices: {
          list: finance.invoices.list.handler(() => ({ items: [issued], nextCursor: null, total: 1, totalIsExact: true })),
          get: finance.invoices.get.handler(() => issued),
        },
        receipts: { list: finance.receipts.list.handler(() => ({ items: [receipt], nextCursor: null, total: 1, totalIsExact: true })) },
        mailInvoice: finance.mailInvoice.handler(({ input }) => {
          asked.push(`mail ${input.invoiceId}`)
          return { mails: 1 }
        }),
      },
    },
    actions: {
      finance: {
        papers: {
          receipt: fake.actions.finance.papers.receipt.handler(({ input }) => {
            asked.push(`receipt ${input.receiptId}`)
            return new File(['%PDF-'], 'x.pdf', { type: 'application/pdf' })
          }),
        },
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'PDF of receipt R-2026-00001' }))
  await userEvent.click(screen.getByRole('button', { name: '2026-00001' }))
  const panel = await screen.findByRole('complementary', { name: 'Invoice 2026-00001' })
  await userEvent.click(await within(panel).findByRole('button', { name: 'Send by e-mail' }))
  expect(await within(panel).findByRole('table', { name: 'Receipts' })).toBeVisible()
  expect(asked).toEqual([`receipt ${receipt.id}`, `mail ${issued.id}`])
  URL.createObjectURL = url
})
