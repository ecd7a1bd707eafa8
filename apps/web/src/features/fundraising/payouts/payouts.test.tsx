import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ChapterShare, Payout } from '@guildhall/contract/features/fundraising.donors'
import { beforeAll, expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { around, euros, pageOf } from '../giving-testing.ts'

configure({ asyncUtilTimeout: 25_000 })
// The code of the page, which a busy machine takes its time to make.
beforeAll(() => Promise.all([import('../campaigns/campaign-page.tsx'), import('./payouts-tab.tsx')]), 180_000)

const { donors } = fake.data.fundraising
const bern = { id: uuid(21), name: 'Bern', code: 'BE' }
const share: ChapterShare = { chapter: bern, currency: 'EUR', share: 12_000, paidOut: 2000, balance: 10_000, gifts: 31, lastPaidOn: null }

test('a chapter is paid what is left of its share, and no more', async () => {
  const user = userEvent.setup()
  const recorded: unknown[] = []
  const payouts: Payout[] = []
  renderPath('/fundraising/all/payouts', {
    data: {
      ...around,
      fundraising: {
        donors: {
          shares: donors.shares.handler(() => ({ items: [share], may: { pay: true } })),
          payouts: donors.payouts.handler(() => pageOf(payouts)),
          recordPayout: donors.recordPayout.handler(({ input }) => {
            recorded.push(input)
            const { money, paidOn, reference, note } = input
            const payout = {
              id: uuid(22),
              chapter: bern,
              money,
              paidOn,
              reference,
              note,
              by: 'Olive Owner',
              createdAt: '2026-11-24T10:00:00Z',
              reversal: null,
              version: 1,
              may: { reverse: true },
            }
            payouts.push(payout)
            return payout
          }),
        },
      },
    },
  })
  const row = within(await screen.findByRole('row', { name: /Bern/ }))
  expect(row.getByRole('link', { name: 'Gifts behind €120.00 of Bern' })).toHaveAttribute('href', expect.stringContaining('share'))
  expect(row.getByText('€100.00')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Record payout' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Record payout' }))
  const amount = dialog.getByRole('textbox', { name: 'Amount' })
  expect(amount).toHaveValue('100.00')
  await user.clear(amount)
  await user.type(amount, '150')
  await user.click(dialog.getByRole('button', { name: 'Record payout' }))
  expect(await dialog.findByText('Enter at most €100.00: that is what is left.')).toBeVisible()
  await user.clear(amount)
  await user.type(amount, '80')
  await user.click(dialog.getByRole('button', { name: 'Record payout' }))
  await waitFor(() => expect(recorded).toMatchObject([{ chapterId: bern.id, money: euros(8000) }]))
  expect(within(await screen.findByRole('list', { name: 'Payouts' })).getByText('€80.00')).toBeVisible()
})

test('whoever may not pay sees the shares, and no gifts behind them without the right', async () => {
  renderPath(
    '/fundraising/all/payouts',
    {
      data: {
        lists: around.lists,
        fundraising: {
          donors: {
            shares: donors.shares.handler(() => ({ items: [share], may: { pay: false } })),
            payouts: donors.payouts.handler(() => pageOf([])),
          },
        },
      },
    },
    { holding: ['fundraising.read', 'fundraising.manage'] },
  )
  expect(await screen.findByRole('row', { name: /Bern/ })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Record payout' })).toBeNull()
  expect(screen.queryByRole('link', { name: /Gifts behind/ })).toBeNull()
})
