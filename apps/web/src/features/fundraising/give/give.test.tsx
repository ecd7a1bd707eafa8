import { act, configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { FundraisingSettings } from '@guildhall/contract/features/fundraising'
import type { Gift, OwnGift } from '@guildhall/contract/features/fundraising.gifts'
import { ORPCError } from '@orpc/client'
import { fake } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import type { Campaign } from '../fundraising-api.ts'
import { answers, euros, garden, gift, settings, trees, views, ways } from '../fundraising-testing.ts'

configure({ asyncUtilTimeout: 15_000 })
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
const at = `/fundraising/${garden.id}`
const { fundraising } = fake.data

type Given = { campaign?: Campaign; fees?: FundraisingSettings; get?: () => Gift; give?: (input: OwnGift) => string }

function page(address: string, { campaign = garden, fees = settings, get = () => gift, give = () => 'https://pay.example/1' }: Given = {}) {
  const assign = vi.fn<(url: string) => void>()
  vi.stubGlobal('location', Object.assign({}, globalThis.location, { assign }))
  const sent: OwnGift[] = []
  const checks = vi.fn<() => void>()
  const known = answers(() => campaign)
  const view = renderPath(address, {
    data: {
      lists: views,
      payments: ways,
      fundraising: {
        ...known,
        settings: { get: fundraising.settings.get.handler(() => fees) },
        gifts: { ...known.gifts, get: fundraising.gifts.get.handler(get) },
      },
    },
    actions: {
      fundraising: {
        gifts: {
          give: fake.actions.fundraising.gifts.give.handler(({ input }) => {
            sent.push(input)
            return { giftId: gift.id, url: give(input) }
          }),
        },
      },
      payments: {
        check: fake.actions.payments.check.handler(() => {
          checks()
          throw new ORPCError('NOT_FOUND', { status: 404 })
        }),
      },
    },
  })
  return { ...view, assign, sent, checks }
}
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Give to Garden' }))

test('a member gives what they choose, once, on the page of the provider', async () => {
  const user = userEvent.setup()
  const { assign, sent } = page(at)
  await user.click(await screen.findByRole('button', { name: 'Give' }))
  const form = await dialog()
  expect(await form.findByRole('radio', { name: /€25/ })).toBeChecked()
  await user.click(form.getByRole('radio', { name: /€50 plants a tree/ }))
  await user.click(form.getByRole('radio', { name: 'Monthly' }))
  await user.click(form.getByRole('combobox', { name: 'For' }))
  await user.click(await screen.findByRole('option', { name: 'Trees' }))
  // 1.5 % and €0.25 of the whole, fee included.
  await user.click(form.getByRole('checkbox', { name: 'Add €1.02 to cover the card fee' }))
  await user.click(form.getByRole('checkbox', { name: 'Give anonymously' }))
  await user.dblClick(form.getByRole('button', { name: 'Give €51.02 a month' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/1'))
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({
    campaignId: garden.id,
    money: euros(5_000),
    coverFee: true,
    fundId: trees.id,
    interval: 'month',
    isAnonymous: true,
    tribute: null,
  })
})

test('what cannot be given is said before anything is sent', async () => {
  const user = userEvent.setup()
  const { sent } = page(`${at}?give=1`)
  const form = await dialog()
  await user.click(await form.findByRole('radio', { name: 'Other amount' }))
  await user.click(form.getByRole('button', { name: 'Give' }))
  expect(await form.findByText('Choose an amount, or enter your own.')).toBeVisible()
  const own = form.getByRole('textbox', { name: 'Your amount' })
  await user.type(own, '1')
  await user.click(form.getByRole('button', { name: 'Give €1.00' }))
  expect(await form.findByText('The smallest gift is €5.00.')).toBeVisible()
  await user.clear(own)
  await user.type(own, '20000')
  await user.click(form.getByRole('button', { name: 'Give €20,000.00' }))
  expect(await form.findByText('The largest gift is €10,000.00.')).toBeVisible()
  expect(sent).toEqual([])
})

test('trying again after a failure begins the same gift', async () => {
  const user = userEvent.setup()
  let fails = true
  const { assign, sent } = page(`${at}?give=1`, {
    give: () => {
      if (fails) throw new ORPCError('BAD_GATEWAY', { status: 502 })
      return 'https://pay.example/2'
    },
  })
  const form = await dialog()
  await user.click(await form.findByRole('button', { name: 'Give €25.00' }))
  expect(await form.findByRole('alert')).toHaveTextContent('The server failed to answer.')
  fails = false
  await user.click(form.getByRole('button', { name: 'Give €25.00' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/2'))
  expect(new Set(sent.map(({ attempt }) => attempt)).size).toBe(1)
})

test('without a payment provider the office is named', async () => {
  page(`${at}?give=1`, { fees: { ...settings, takesCards: false } })
  const form = await dialog()
  expect(await form.findByText(/Gifts by card are not possible here/)).toBeVisible()
  expect(form.queryByRole('radio')).toBeNull()
})

test('back from paying, the gift is waited for and then thanked for', async () => {
  let status: Gift['status'] = 'pending'
  page(`${at}?given=${gift.id}`, { get: () => ({ ...gift, status }) })
  expect(await screen.findByText('Confirming your gift of €75.00 with the payment provider…')).toBeVisible()
  expect(screen.queryByText('Thank you')).toBeNull()
  status = 'settled'
  expect(await screen.findByText('The trees thank you.')).toBeVisible()
  expect(screen.getByText('€75.00 received. The receipt goes to olive@demo.example.')).toBeVisible()
})

test('a gift that is not confirmed after a minute is not waited for', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { checks } = page(`${at}?given=${gift.id}`)
  await screen.findByText(/^Confirming your gift/)
  for (let tries = 0; tries < 200 && !screen.queryByText('Your gift is not confirmed yet'); tries += 1)
    await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(screen.getByText('Your gift is not confirmed yet')).toBeVisible()
  // The provider itself was asked now and then.
  expect(checks.mock.calls.length).toBeGreaterThanOrEqual(3)
})

test('whoever left the payment page was charged nothing, and goes on with what they typed', async () => {
  const user = userEvent.setup()
  const { router } = page(`${at}?given=${gift.id}&cancelled=1`)
  expect(await screen.findByText('Nothing was charged')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Continue giving' }))
  const form = await dialog()
  expect(await form.findByRole('textbox', { name: 'Your amount' })).toHaveValue('75.00')
  expect(form.getByRole('combobox', { name: 'For' })).toHaveValue('Trees')
  expect(form.getByRole('checkbox', { name: 'Give anonymously' })).toBeChecked()
  expect(form.getByRole('textbox', { name: /^Message/ })).toHaveValue('For the oaks')
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(screen.queryByText('Nothing was charged')).toBeNull())
  expect(router.state.location.search).toEqual({})
})

test('a gift of somebody else is not told of', async () => {
  page(`${at}?given=${gift.id}`, {
    get: () => {
      throw new ORPCError('NOT_FOUND', { status: 404 })
    },
  })
  expect(await screen.findByText('Your gift could not be checked')).toBeVisible()
})
