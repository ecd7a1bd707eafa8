import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import type { Gift } from '@guildhall/contract/features/fundraising.gifts'
import { fake } from '../../../testing/fake-api.ts'
import { personRow } from '../../../testing/people.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { around, euros, fund, funds, general, getCampaign, gift, giftRow, library, pageOf, payment } from '../giving-testing.ts'

configure({ asyncUtilTimeout: 25_000 })
// The code of the page, which a busy machine takes its time to make.
beforeAll(
  () =>
    Promise.all([
      import('../campaigns/campaign-page.tsx'),
      import('./gifts-tab.tsx'),
      import('./record-gift-form.tsx'),
      import('./correct-dialog.tsx'),
    ]),
  180_000,
)

const { gifts } = fake.data.fundraising
const totals = gifts.totals.handler(() => ({ items: [{ currency: 'EUR', gifts: 12, settled: 60_000, refunded: 1000, raised: 59_000 }] }))

test('thanks that were noted are undone beside the gift; those that were mailed are not', async () => {
  const user = userEvent.setup()
  const at = '2026-11-21T10:00:00Z'
  let now: Gift = { ...gift, thankedAt: at, thanked: { by: 'Olive Owner', how: 'call', at }, may: { ...gift.may, thank: false } }
  const undone: unknown[] = []
  renderPath(`/fundraising/all/donations?open=${gift.id}`, {
    data: {
      ...around,
      fundraising: {
        funds,
        gifts: {
          list: gifts.list.handler(() => pageOf([giftRow])),
          totals,
          get: gifts.get.handler(() => now),
          thanks: {
            undo: gifts.thanks.undo.handler(({ input }) => {
              undone.push(input)
              now = {
                ...gift,
                thankedAt: at,
                thanked: { by: 'Olive Owner', how: 'mail', at },
                version: 4,
                may: { ...gift.may, thank: false },
              }
              return now
            }),
          },
        },
      },
    },
  })
  const panel = within(await screen.findByRole('complementary', { name: 'Gift of €50.00' }))
  await user.click(await panel.findByRole('button', { name: 'Undo thanks to Ada Byron' }))
  await waitFor(() => expect(undone).toEqual([{ giftId: gift.id }]))
  // Somebody has mailed thanks in between.
  await waitFor(() => expect(panel.queryByRole('button', { name: 'Undo thanks to Ada Byron' })).toBeNull())
})

test('gifts are listed with what they come to; a view narrows both, and a gift opens beside the list', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  const summed: unknown[] = []
  const { router } = renderPath('/fundraising/all/donations', {
    data: {
      ...around,
      fundraising: {
        funds,
        gifts: {
          list: gifts.list.handler(({ input }) => {
            asked.push(input)
            return pageOf([giftRow])
          }),
          totals: gifts.totals.handler(({ input }) => {
            summed.push(input)
            return { items: [{ currency: 'EUR', gifts: 12, settled: 60_000, refunded: 1000, raised: 59_000 }] }
          }),
          get: gifts.get.handler(() => gift),
        },
      },
    },
  })
  const row = within(await screen.findByRole('row', { name: /€50.00/ }))
  expect(row.getByRole('link', { name: 'Ada Byron' })).toBeVisible()
  expect(row.getByRole('link', { name: 'Spring appeal' })).toBeVisible()
  const sums = within(await screen.findByLabelText('Totals'))
  expect(sums.getByText('Raised').nextSibling).toHaveTextContent('€590.00')
  expect(sums.getByText('Refunded').nextSibling).toHaveTextContent('€10.00')
  await user.click(screen.getByRole('button', { name: 'Not thanked' }))
  const unthanked = JSON.stringify({
    and: [
      { or: [{ field: 'status', op: 'in', value: ['settled', 'partly_refunded'] }] },
      { or: [{ field: 'thanked', op: 'is', value: false }] },
    ],
  })
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ filter: unthanked }))
  await waitFor(() => expect(summed.at(-1)).toEqual({ filter: unthanked }))
  await user.click(await screen.findByText('€50.00'))
  const panel = within(await screen.findByRole('complementary', { name: 'Gift of €50.00' }))
  expect(await panel.findByRole('button', { name: 'PDF of receipt R-2026-00007' })).toBeVisible()
  expect(within(panel.getByRole('list', { name: 'Funds' })).getByText('General')).toBeVisible()
  expect(router.state.location.search).toMatchObject({ open: gift.id })
  expect(screen.getByRole('button', { name: 'Export' })).toBeVisible()
})

test('a gift is refunded from the menu of its row, in words of gifts', async () => {
  const user = userEvent.setup()
  const refunds: unknown[] = []
  renderPath('/fundraising/all/donations', {
    data: {
      ...around,
      fundraising: { funds, gifts: { list: gifts.list.handler(() => pageOf([giftRow])), totals, get: gifts.get.handler(() => gift) } },
      payments: { get: fake.data.payments.get.handler(() => payment) },
    },
    actions: {
      payments: {
        refund: fake.actions.payments.refund.handler(({ input }) => {
          refunds.push(input)
          return { ...payment, state: 'refunded' }
        }),
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Actions for €50.00 from Ada Byron' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Refund' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Refund gift of Ada Byron' }))
  expect(dialog.getByText(/totals of the campaign and of its funds go down/)).toBeVisible()
  expect(dialog.queryByText(/No invoice changes/)).toBeNull()
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Given twice')
  await user.click(dialog.getByRole('button', { name: 'Refund €50.00' }))
  await waitFor(() => expect(refunds).toEqual([{ paymentId: payment.id, amount: 5000, reason: 'Given twice' }]))
  expect(await screen.findByText('Refund asked for at the payment provider')).toBeVisible()
})

test('what a gift was for is corrected, with a live remainder until the funds add up', async () => {
  const user = userEvent.setup()
  const changes: unknown[] = []
  renderPath(`/fundraising/all/donations?open=${gift.id}`, {
    data: {
      ...around,
      fundraising: {
        funds,
        list: fake.data.fundraising.list.handler(() => pageOf([])),
        get: getCampaign,
        gifts: {
          list: gifts.list.handler(() => pageOf([giftRow])),
          totals,
          get: gifts.get.handler(() => gift),
          update: gifts.update.handler(({ input }) => {
            changes.push(input)
            return gift
          }),
        },
      },
    },
  })
  const panel = within(await screen.findByRole('complementary', { name: 'Gift of €50.00' }))
  await user.click(await panel.findByRole('button', { name: 'Correct' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Correct gift of €50.00' }))
  await user.click(await dialog.findByRole('button', { name: 'Split over funds' }))
  expect(dialog.getByRole('combobox', { name: 'Fund 2' })).toHaveValue(library.id)
  const [first, second] = dialog.getAllByRole('textbox', { name: 'Amount' })
  if (!first || !second) throw new Error('two amounts')
  await user.type(first, '30')
  expect(dialog.getByText('€20.00 left')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Save changes' }))
  expect(await dialog.findByText('Enter an amount for each fund, or remove it.')).toBeVisible()
  expect(changes).toEqual([])
  await user.type(second, '20')
  expect(dialog.getByText('Adds up')).toBeVisible()
  await user.click(dialog.getByRole('checkbox', { name: /Anonymous/ }))
  await user.click(dialog.getByRole('button', { name: 'Save changes' }))
  await waitFor(() =>
    expect(changes).toEqual([
      {
        giftId: gift.id,
        allocations: [
          { fundId: general.id, amount: 3000 },
          { fundId: library.id, amount: 2000 },
        ],
        isAnonymous: true,
      },
    ]),
  )
})

test('a gift is recorded with donor and amount alone; another of the same pile follows', async () => {
  const user = userEvent.setup()
  const recorded: unknown[] = []
  renderPath('/fundraising/all/donations?new=1', {
    data: {
      ...around,
      people: { list: fake.data.people.list.handler(() => pageOf([])) },
      fundraising: {
        funds: { list: fake.data.fundraising.funds.list.handler(() => ({ items: [fund(general)] })) },
        list: fake.data.fundraising.list.handler(() => pageOf([])),
        gifts: {
          list: gifts.list.handler(() => pageOf([])),
          totals: gifts.totals.handler(() => ({ items: [] })),
          get: gifts.get.handler(() => gift),
          record: gifts.record.handler(({ input }) => {
            recorded.push(input)
            return { ...gift, money: euros(input.money.amount) }
          }),
        },
      },
    },
  })
  const dialog = within(await screen.findByRole('dialog', { name: 'Record gift' }))
  const donor = await dialog.findByRole('combobox', { name: 'Donor' })
  await user.click(donor)
  await user.paste('Hill Bakery')
  await user.type(dialog.getByRole('textbox', { name: 'Amount' }), '75')
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Method' }), 'cheque')
  await user.click(dialog.getByRole('button', { name: 'Save and record another' }))
  await waitFor(() => expect(recorded).toHaveLength(1))
  expect(recorded[0]).toMatchObject({
    ...{ personId: null, donorName: 'Hill Bakery', money: euros(7500), method: 'cheque', campaignId: null, sendReceipt: true },
    allocations: [{ fundId: general.id, amount: 7500 }],
  })
  // The next cheque: the method stays, donor and amount are empty, and one types on.
  await waitFor(() => expect(donor).toHaveValue(''))
  expect(donor).toHaveFocus()
  expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('')
  expect(dialog.getByRole('combobox', { name: 'Method' })).toHaveValue('cheque')
  await user.paste('Mill Bank')
  await user.type(dialog.getByRole('textbox', { name: 'Amount' }), '20')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(recorded).toHaveLength(2))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Record gift' })).toBeNull())
})

test('what the server refuses stands at its field, and a person is taken only when chosen', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  renderPath('/fundraising/all/donations?new=1', {
    data: {
      ...around,
      people: {
        list: fake.data.people.list.handler(() => pageOf([personRow(11, 'Ada', 'Byron')])),
      },
      fundraising: {
        funds,
        list: fake.data.fundraising.list.handler(() => pageOf([])),
        gifts: {
          list: gifts.list.handler(() => pageOf([])),
          totals: gifts.totals.handler(() => ({ items: [] })),
          record: gifts.record.handler(({ input, errors }) => {
            asked.push(input)
            throw errors.UNPROCESSABLE_CONTENT({
              data: { errors: [{ path: 'receivedOn', code: 'payment_in_future', message: 'That day is still to come.' }] },
            })
          }),
        },
      },
    },
  })
  const dialog = within(await screen.findByRole('dialog', { name: 'Record gift' }))
  const donor = await dialog.findByRole('combobox', { name: 'Donor' })
  await user.type(donor, 'Ada')
  await dialog.findByRole('option', { name: /Ada Byron/ })
  await user.keyboard('{ArrowDown}{Enter}')
  expect(donor).toHaveValue('Ada Byron')
  expect(dialog.getByRole('img', { name: 'In the directory' })).toBeVisible()
  await user.type(dialog.getByRole('textbox', { name: 'Amount' }), '10')
  await user.click(dialog.getByRole('button', { name: 'Record gift' }))
  await waitFor(() => expect(asked).toHaveLength(1))
  expect(asked[0]).toMatchObject({ personId: giftRow.donor?.id })
  await waitFor(() => expect(dialog.getByLabelText('Received on')).toHaveAccessibleDescription('Choose today or an earlier day.'))
  expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('10.00')
})
