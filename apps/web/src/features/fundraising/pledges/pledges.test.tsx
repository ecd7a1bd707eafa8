import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ORPCError } from '@orpc/client'
import type { Pledge } from '@guildhall/contract/features/fundraising.pledges'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fake } from '../../../testing/fake-api.ts'
import { personRow } from '../../../testing/people.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { ada, appeal, around, euros, funds, general, getCampaign, gift, pageOf, pledge } from '../giving-testing.ts'
import { settings } from '../fundraising-testing.ts'
import { instalmentsOf } from './instalments.ts'

configure({ asyncUtilTimeout: 25_000 })
// The code of the page, which a busy machine takes its time to make.
beforeAll(() => Promise.all([import('../campaigns/campaign-page.tsx'), import('./pledges-tab.tsx')]), 180_000)

afterEach(() => vi.unstubAllGlobals())

const { pledges, gifts } = fake.data.fundraising

test('a pledge is entered with its instalments shown beforehand, which add up', async () => {
  const user = userEvent.setup()
  const made: unknown[] = []
  renderPath('/fundraising/all/pledges?new=1', {
    data: {
      ...around,
      people: { list: fake.data.people.list.handler(() => pageOf([personRow(11, 'Ada', 'Byron')])) },
      fundraising: {
        funds,
        list: fake.data.fundraising.list.handler(() => pageOf([])),
        pledges: {
          list: pledges.list.handler(() => pageOf([])),
          get: pledges.get.handler(() => pledge),
          create: pledges.create.handler(({ input }) => {
            made.push(input)
            return pledge
          }),
        },
      },
    },
  })
  const dialog = within(await screen.findByRole('dialog', { name: 'New pledge' }))
  await user.click(await dialog.findByLabelText('Person'))
  await user.click(await screen.findByRole('option', { name: /Ada Byron/ }))
  await user.type(dialog.getByRole('textbox', { name: 'Amount' }), '100')
  await user.clear(dialog.getByRole('textbox', { name: 'Instalments' }))
  await user.type(dialog.getByRole('textbox', { name: 'Instalments' }), '3')
  expect(dialog.getByText('3 instalments, €100.00 in all')).toBeVisible()
  const shown = within(dialog.getByRole('list', { name: 'Instalments' })).getAllByRole('listitem')
  expect(shown.map((item) => item.textContent.replace(/^.*€/, '€'))).toEqual(['€33.34', '€33.33', '€33.33'])
  await user.click(dialog.getByRole('button', { name: 'Save pledge' }))
  await waitFor(() => expect(made).toHaveLength(1))
  expect(made[0]).toMatchObject({ personId: ada.id, money: euros(10_000), instalments: 3, interval: 'month', fundId: general.id })
  expect(await screen.findByRole('complementary', { name: 'Pledge of €100.00' })).toBeVisible()
})

test('an instalment is paid with a gift that is filled in, another is waived and taken back', async () => {
  const user = userEvent.setup()
  const recorded: unknown[] = []
  const waived: unknown[] = []
  let now = pledge
  renderPath(`/fundraising/all/pledges?open=${pledge.id}`, {
    data: {
      ...around,
      fundraising: {
        funds,
        get: getCampaign,
        list: fake.data.fundraising.list.handler(() => pageOf([])),
        pledges: {
          list: pledges.list.handler(() => pageOf([now])),
          get: pledges.get.handler(() => now),
          waive: pledges.waive.handler(({ input: { instalmentId, waived: isWaived } }) => {
            waived.push(isWaived)
            const state = isWaived ? ('waived' as const) : ('due' as const)
            now = {
              ...now,
              version: now.version + 1,
              instalments: now.instalments.map((one) => (one.id === instalmentId ? { ...one, state } : one)),
            }
            return now
          }),
        },
        gifts: {
          record: gifts.record.handler(({ input }) => {
            recorded.push(input)
            return gift
          }),
        },
      },
    },
  })
  const panel = within(await screen.findByRole('complementary', { name: 'Pledge of €100.00' }))
  await user.click(await panel.findByRole('button', { name: 'Record payment of €33.34, due Nov 1, 2026' }))
  expect(panel.queryByRole('button', { name: /^Pay / })).toBeNull()
  const dialog = within(await screen.findByRole('dialog', { name: 'Record gift' }))
  expect(await dialog.findByText(/Pays the instalment of €33.34 pledged by Ada Byron/)).toBeVisible()
  expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('33.34')
  await user.click(dialog.getByRole('button', { name: 'Record gift' }))
  await waitFor(() => expect(recorded).toHaveLength(1))
  expect(recorded[0]).toMatchObject({
    ...{ personId: ada.id, campaignId: appeal.id, money: euros(3334), instalmentId: pledge.instalments[0]?.id },
    allocations: [{ fundId: general.id, amount: 3334 }],
  })
  await user.click(panel.getByRole('button', { name: 'Actions for instalment 2' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Waive' }))
  expect(await panel.findByText('Waived')).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(panel.queryByText('Waived')).toBeNull())
  expect(waived).toEqual([true, false])
})

test('who has promised pays their instalments by card, and nobody else has the button', async () => {
  const user = userEvent.setup()
  const assign = vi.fn<(url: string) => void>()
  vi.stubGlobal('location', Object.assign({}, globalThis.location, { assign }))
  const sent: unknown[] = []
  let fails = true
  const own: Pledge = {
    ...pledge,
    instalments: pledge.instalments.map((one, at) => (at === 1 ? { ...one, state: 'waived' as const } : one)),
    may: { edit: false, pay: true },
  }
  renderPath(
    `/fundraising/all/pledges?open=${pledge.id}`,
    {
      data: {
        ...around,
        fundraising: {
          funds,
          list: fake.data.fundraising.list.handler(() => pageOf([])),
          settings: { get: fake.data.fundraising.settings.get.handler(() => settings) },
          pledges: { list: pledges.list.handler(() => pageOf([own])), get: pledges.get.handler(() => own) },
        },
      },
      actions: {
        fundraising: {
          pledges: {
            pay: fake.actions.fundraising.pledges.pay.handler(({ input }) => {
              sent.push(input)
              if (fails) throw new ORPCError('CONFLICT', { status: 409, data: { reason: 'instalment_not_due' } })
              return { giftId: gift.id, url: 'https://pay.example/1' }
            }),
          },
        },
      },
    },
    { holding: ['fundraising.read', 'gifts.read'] },
  )
  const panel = within(await screen.findByRole('complementary', { name: 'Pledge of €100.00' }))
  const pay = await panel.findByRole('button', { name: 'Pay €33.34 by card, due Nov 1, 2026' })
  expect(panel.getAllByRole('button', { name: /^Pay / })).toHaveLength(2)
  await user.click(pay)
  expect(await screen.findByText('The payment could not be started')).toBeVisible()
  expect(assign).not.toHaveBeenCalled()
  fails = false
  await user.click(pay)
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/1'))
  expect(sent).toEqual(Array.from({ length: 2 }, () => ({ pledgeId: pledge.id, instalmentId: pledge.instalments[0]?.id })))
})

test('instalments add up, and those of the 31st come at the end of shorter months', () => {
  const all = instalmentsOf({ amount: 100_000, instalments: 3, firstDueOn: '2026-12-31', interval: 'month' })
  expect(all).toEqual([
    { dueOn: '2026-12-31', amount: 33_334 },
    { dueOn: '2027-01-31', amount: 33_333 },
    { dueOn: '2027-02-28', amount: 33_333 },
  ])
})
