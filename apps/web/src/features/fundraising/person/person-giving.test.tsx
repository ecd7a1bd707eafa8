import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { GivingSummary } from '@guildhall/contract/features/fundraising.donors'
import { afterEach, expect, test, vi } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { wholePerson } from '../../../testing/people.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { settings } from '../fundraising-testing.ts'
import { around, euros, funds, gift, giftRow, pageOf, plan, pledge } from '../giving-testing.ts'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 25_000 })
afterEach(() => vi.unstubAllGlobals())

const { donors, gifts, plans, pledges } = fake.data.fundraising
const giving: GivingSummary = {
  ...{
    lifetime: [euros(120_000)],
    thisYear: [euros(5000)],
    gifts: 14,
    firstOn: '2019-05-01',
    lastOn: '2026-11-20',
    largest: euros(50_000),
  },
  pledged: [euros(10_000)],
  years: [
    { year: 2025, raised: 45_000 },
    { year: 2026, raised: 5000 },
  ],
}
const fundraising = {
  funds,
  list: fake.data.fundraising.list.handler(() => pageOf([])),
  donors: { giving: donors.giving.handler(() => giving) },
  gifts: { list: gifts.list.handler(() => pageOf([giftRow])), get: gifts.get.handler(() => gift) },
  plans: { list: plans.list.handler(() => pageOf([plan])) },
  pledges: { list: pledges.list.handler(() => pageOf([pledge])), get: pledges.get.handler(() => pledge) },
}
const people = {
  overview: fake.data.people.overview.handler(() => ({ person: wholePerson(11, 'Ada', 'Byron'), recentChanges: [] })),
  neighbours: fake.data.people.neighbours.handler(() => ({ previous: null, next: null })),
}

test('a person’s giving stands on their page: figures, gifts, pledges and recurring gifts; a gift is recorded for them', async () => {
  const user = userEvent.setup()
  renderPath(`/person/${uuid(11)}/giving`, { data: { ...around, people, fundraising } })
  expect(await screen.findByText('€1,200.00')).toBeVisible()
  expect(screen.getByText(/14 gifts, since May 1, 2019/)).toBeVisible()
  expect(screen.getByText('Most in 2025: €450.00')).toBeVisible()
  expect(within(await screen.findByRole('list', { name: 'Recurring gifts' })).getByText('€20.00 a month')).toBeVisible()
  expect(within(await screen.findByRole('list', { name: 'Pledges' })).getByRole('button', { name: 'Pledge of €100.00' })).toBeVisible()
  await user.click(within(await screen.findByRole('list', { name: 'Gifts' })).getByRole('button', { name: '€50.00' }))
  expect(await screen.findByRole('complementary', { name: 'Gift of €50.00' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Record gift' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Record gift' }))
  expect(await dialog.findByRole('combobox', { name: 'Donor' })).toHaveValue('Ada Byron')
})

test('an instalment is paid from one’s own giving, and back from paying it is waited for and thanked for', async () => {
  const user = userEvent.setup()
  const assign = vi.fn<(url: string) => void>()
  vi.stubGlobal('location', Object.assign({}, globalThis.location, { assign }))
  const sent: unknown[] = []
  const own = { ...pledge, may: { edit: false, pay: true } }
  let status: 'pending' | 'settled' = 'pending'
  const api = {
    data: {
      fundraising: {
        ...fundraising,
        settings: { get: fake.data.fundraising.settings.get.handler(() => settings) },
        gifts: { ...fundraising.gifts, get: gifts.get.handler(() => ({ ...gift, money: euros(3334), status })) },
        pledges: { list: pledges.list.handler(() => pageOf([own])), get: pledges.get.handler(() => own) },
      },
    },
    actions: {
      fundraising: {
        pledges: {
          pay: fake.actions.fundraising.pledges.pay.handler(({ input }) => {
            sent.push(input)
            return { giftId: gift.id, url: 'https://pay.example/1' }
          }),
        },
      },
    },
  }
  const { unmount } = renderPath('/profile?section=giving', api, { holding: ['fundraising.read'] })
  await user.click(await screen.findByRole('button', { name: 'Pay €33.34 by card, due Nov 1, 2026' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/1'))
  expect(sent).toEqual([{ pledgeId: pledge.id, instalmentId: pledge.instalments[0]?.id }])
  unmount()
  vi.unstubAllGlobals()
  const { router } = renderPath(`/profile?section=giving&given=${gift.id}`, api, { holding: ['fundraising.read'] })
  expect(await screen.findByText('Confirming your gift of €33.34 with the payment provider…')).toBeVisible()
  status = 'settled'
  expect(await screen.findByText('Your gift of €33.34 to Spring appeal has arrived.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ section: 'giving' }))
  expect(screen.queryByText(/has arrived/)).toBeNull()
})

test('who left the payment page is told that nothing was charged', async () => {
  renderPath(
    `/profile?section=giving&given=${gift.id}&cancelled=1`,
    {
      data: {
        fundraising: {
          ...fundraising,
          gifts: { ...fundraising.gifts, get: gifts.get.handler(() => ({ ...gift, status: 'pending' as const })) },
        },
      },
    },
    { holding: ['fundraising.read'] },
  )
  expect(await screen.findByText('You left the payment page before your gift of €50.00 was paid.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Continue giving' })).toBeNull()
})

test('whoever does not read gifts finds no giving on the page of a person', async () => {
  renderPath(`/person/${uuid(11)}`, { data: { people } }, { holding: ['fundraising.read', 'people.write'] })
  expect(await screen.findByRole('heading', { level: 1, name: /Ada Byron/ })).toBeVisible()
  const tabs = screen.getAllByRole('link', { name: 'Giving' }).map((link) => link.getAttribute('href'))
  // That of the bar of a phone alone.
  expect(tabs).toEqual(['/fundraising'])
})

test('one’s own giving is in the profile, with receipts and the statement as documents', async () => {
  const user = userEvent.setup()
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:here', revokeObjectURL: () => {} }))
  const printed: unknown[] = []
  renderPath(
    '/profile?section=giving',
    {
      data: { fundraising },
      actions: {
        finance: {
          papers: {
            receipt: fake.actions.finance.papers.receipt.handler(({ input }) => {
              printed.push(input)
              return new File(['%PDF'], 'receipt.pdf', { type: 'application/pdf' })
            }),
          },
        },
        fundraising: {
          donors: {
            printStatement: fake.actions.fundraising.donors.printStatement.handler(({ input }) => {
              printed.push(input)
              return new File(['%PDF'], 'statement.pdf', { type: 'application/pdf' })
            }),
          },
        },
      },
    },
    { holding: ['fundraising.read'] },
  )
  await user.click(await screen.findByRole('button', { name: 'PDF of receipt R-2026-00007' }))
  await waitFor(() => expect(printed).toEqual([{ receiptId: giftRow.receipt?.id }]))
  expect(within(await screen.findByRole('list', { name: 'Recurring gifts' })).getByRole('button', { name: 'Stop' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Download PDF' }))
  await waitFor(() => expect(printed).toHaveLength(2))
  expect(printed[1]).toMatchObject({ personId: uuid(2) })
  // Recording and correcting are the office’s.
  expect(screen.queryByRole('button', { name: 'Record gift' })).toBeNull()
})
