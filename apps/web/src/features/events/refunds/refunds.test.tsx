import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { RefundState, RegistrationRefund } from '@guildhall/contract/features/events'
import { expect, test } from 'vitest'
import { fake, me, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { registration } from '../events-testing.ts'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })

const refund = (last: number, name: string, refundState: RefundState, more: Partial<RegistrationRefund> = {}): RegistrationRefund => ({
  ...registration,
  ...{ id: uuid(last), name, status: 'cancelled', cause: 'cancelled', price: { amount: 1500, currency: 'EUR' } },
  ...{ refund: refundState === 'refunded' ? 0 : 1500, refundTotal: 1500, refundState, changedAt: '2026-11-20T10:00:00Z' },
  refundFailure: null,
  mayRefund: refundState === 'by_hand' || refundState === 'failed',
  ...more,
})

function open(stored: RegistrationRefund[], { failsOnce = false } = {}) {
  const { registrations } = fake.data.events
  const asked: unknown[] = []
  const refunded: string[] = []
  let rows = stored
  let fails = failsOnce
  const { router } = renderPath('/account-management/refunds', {
    data: {
      account: {
        me: fake.data.account.me.handler(() => me()),
        updateLogin: fake.data.account.updateLogin.handler(() => {}),
        changes: fake.data.account.changes.handler(async function* () {}),
      },
      events: {
        registrations: {
          refunds: registrations.refunds.handler(({ input }) => {
            asked.push(input)
            if (fails) {
              fails = false
              throw new Error('no answer')
            }
            const items = rows.filter(({ refundState }) => input.state === undefined || refundState === input.state)
            return { items, nextCursor: null, total: items.length, totalIsExact: true }
          }),
          refund: registrations.refund.handler(({ input: { registrationId } }) => {
            refunded.push(registrationId)
            const become = (row: RegistrationRefund): RegistrationRefund =>
              row.refundState === 'failed'
                ? { ...row, refundState: 'due', mayRefund: false }
                : { ...row, refundState: 'refunded', refund: 0, mayRefund: false }
            rows = rows.map((row) => (row.id === registrationId ? become(row) : row))
            return { ...registration, id: registrationId }
          }),
        },
      },
    },
  })
  return { asked, refunded, router }
}
const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }))

test('what was paid by hand is refunded after a confirmation that says what it does, and what failed is tried again', async () => {
  const user = userEvent.setup()
  const { refunded } = open([
    refund(401, 'Ann Bell', 'by_hand'),
    refund(402, 'Ben Cole', 'failed', { refundFailure: 'card_closed' }),
    refund(403, 'Cid Dorn', 'in_progress'),
  ])
  const ann = await row('Ann Bell')
  expect(ann.getByText('€15.00')).toBeVisible()
  expect(ann.getByText('Refund by hand')).toBeVisible()
  expect(ann.getByRole('link', { name: 'Winter lecture' })).toHaveAttribute('href', `/event/${registration.event.id}`)
  expect((await row('Cid Dorn')).queryByRole('button')).toBeNull()
  await user.click(ann.getByRole('button', { name: 'Refund Ann Bell' }))
  const byHand = within(await screen.findByRole('dialog', { name: 'Refund Ann Bell?' }))
  expect(byHand.getByText(/This only records the refund: give €15.00 back yourself./)).toBeVisible()
  expect(refunded).toEqual([])
  await user.click(byHand.getByRole('button', { name: 'Refund €15.00' }))
  await waitFor(() => expect(refunded).toEqual([uuid(401)]))
  expect(await (await row('Ann Bell')).findByText('Refunded')).toBeVisible()
  expect((await row('Ben Cole')).getByText(/^The card is lost, expired or closed./)).toBeVisible()
  await user.click((await row('Ben Cole')).getByRole('button', { name: 'Try the refund of Ben Cole again' }))
  const again = within(await screen.findByRole('dialog', { name: 'Try the refund of Ben Cole again?' }))
  expect(again.getByText(/The payment provider is asked again/)).toBeVisible()
  await user.click(again.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(refunded).toEqual([uuid(401), uuid(402)]))
  expect(await (await row('Ben Cole')).findByText('Waiting')).toBeVisible()
})

test('refunds are filtered by state, in the address too', async () => {
  const user = userEvent.setup()
  const { asked, router } = open([refund(401, 'Ann Bell', 'by_hand'), refund(402, 'Ben Cole', 'failed')])
  await row('Ann Bell')
  await user.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Failed')
  await waitFor(() => expect(screen.queryByText('Ann Bell')).toBeNull())
  await row('Ben Cole')
  expect(asked.at(-1)).toMatchObject({ state: 'failed' })
  expect(router.state.location.search).toEqual({ refund: 'failed' })
  await user.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Waiting')
  expect(await screen.findByText('No refund matches')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  await row('Ann Bell')
})

test('without refunds it says when there will be one; after an error it can be loaded again', async () => {
  const user = userEvent.setup()
  open([], { failsOnce: true })
  expect(await screen.findByText('The refunds could not be loaded')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No ticket refunds yet')).toBeVisible()
})
