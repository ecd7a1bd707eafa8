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
  reason: 'Dues 2027',
  total: euros(6000),
  paid: euros(0),
  credited: euros(0),
  balance: euros(0),
  issuedOn: null,
  dueOn: null,
  paidOn: null,
  createdAt: '2026-11-20T10:00:00Z',
  version: 1,
  billing: null,
  note: '',
  lines: [{ text: 'Dues 2027', net: 6000, taxBps: 0, taxNote: '', tax: 0, share: null }],
  payments: [],
  credits: [],
  corrects: null,
  voidReason: null,
  may: { issue: true, void: true, credit: false },
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
