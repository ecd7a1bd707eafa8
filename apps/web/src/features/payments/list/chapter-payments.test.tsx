import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Payment } from '@guildhall/contract/features/payments'
import { wholeChapter } from '../../../testing/chapters.ts'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'

configure({ asyncUtilTimeout: 15_000 })

const chapter = wholeChapter()
const euros = (amount: number) => ({ amount, currency: 'EUR' })
const payment: Payment = {
  ...{ id: uuid(71), kind: 'manual', method: 'cash', state: 'settled', failure: null, money: euros(6000), refunded: euros(0) },
  ...{ unallocated: euros(1000), person: { id: uuid(2), displayName: 'Ann Bell' }, chapter: null, receivedOn: '2026-11-20' },
  ...{ settledAt: '2026-11-20T10:00:00Z', invoice: null, reference: '', note: '', isTest: false, counts: true, disputeState: null },
  ...{ reversal: null, allocations: [{ invoiceId: uuid(61), number: '2026-00007', amount: 5000 }], refunds: [] },
  ...{ createdAt: '2026-11-20T10:00:00Z', version: 1 },
  may: { refund: false, reverse: false, allocate: false },
}

test('payments are listed with views; what is not allocated has one, and a payment opens beside the list', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  const summed: unknown[] = []
  const { payments } = fake.data
  const { router } = renderPath(`/chapter/${chapter.id}/finance/payments`, {
    data: {
      chapters: { get: fake.data.chapters.get.handler(() => chapter) },
      payments: {
        list: payments.list.handler(({ input }) => {
          asked.push(input)
          return { items: [payment], nextCursor: null, total: 1, totalIsExact: true }
        }),
        totals: payments.totals.handler(({ input }) => {
          summed.push(input)
          return { items: [{ currency: 'EUR', payments: 3, received: 1234500, refunded: 2000 }], differences: 2 }
        }),
        get: payments.get.handler(() => payment),
      },
    },
  })
  const row = within(await screen.findByRole('row', { name: /€60.00/ }))
  expect(row.getByRole('link', { name: 'Ann Bell' })).toBeVisible()
  expect(row.getByText('2026-00007')).toBeVisible()
  const totals = within(await screen.findByLabelText('Totals'))
  expect(totals.getByText('Received').nextSibling).toHaveTextContent('€12,345.00')
  expect(totals.getByText('Refunded').nextSibling).toHaveTextContent('€20.00')
  expect(screen.getByText('Open differences').nextSibling).toHaveTextContent('2')
  await user.click(screen.getByRole('button', { name: 'Not allocated' }))
  const unallocated = JSON.stringify({ and: [{ or: [{ field: 'unallocated', op: 'is', value: true }] }] })
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ filter: unallocated }))
  await waitFor(() => expect(summed.at(-1)).toEqual({ filter: unallocated }))
  expect(await screen.findByText('€10.00')).toBeVisible()
  await user.click(screen.getByText('€10.00'))
  expect(await screen.findByRole('complementary', { name: 'Payment of €60.00' })).toBeVisible()
  expect(router.state.location.search).toMatchObject({ payment: payment.id })
  expect(screen.getByRole('button', { name: 'Export' })).toBeVisible()
})
