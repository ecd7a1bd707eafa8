import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Plan } from '@guildhall/contract/features/fundraising.plans'
import { beforeAll, expect, test } from 'vitest'
import { fake } from '../../../testing/fake-api.ts'
import { renderPath, renderWithApi } from '../../../testing/render-with-api.tsx'
import { around, euros, giftRow, pageOf, plan } from '../giving-testing.ts'
import { PersonPlans } from './plan-rows.tsx'

configure({ asyncUtilTimeout: 25_000 })
// The code of the page, which a busy machine takes its time to make.
beforeAll(() => Promise.all([import('../campaigns/campaign-page.tsx'), import('./plans-tab.tsx')]), 180_000)

const { plans, gifts } = fake.data.fundraising
const failing: Plan = { ...plan, status: 'past_due', failures: 2, retryOn: '2026-12-03' }

test('recurring gifts whose card failed say so, and are charged again on request', async () => {
  const user = userEvent.setup()
  const retried: unknown[] = []
  renderPath('/fundraising/all/recurring?view=failed', {
    data: {
      ...around,
      fundraising: {
        plans: {
          list: plans.list.handler(() => pageOf([failing])),
          get: plans.get.handler(() => failing),
          retry: plans.retry.handler(({ input }) => {
            retried.push(input)
            return plan
          }),
        },
        gifts: { list: gifts.list.handler(() => pageOf([{ ...giftRow, planId: plan.id, source: 'plan' }])) },
      },
    },
  })
  const row = within(await screen.findByRole('row', { name: /€20.00/ }))
  expect(row.getByText('Payment failed')).toBeVisible()
  await user.click(row.getByText('€20.00'))
  const panel = within(await screen.findByRole('complementary', { name: '€20.00 a month' }))
  expect(await panel.findByText('The card could not be charged 2 times. It is tried again on Dec 3, 2026.')).toBeVisible()
  expect(panel.getByText(/Visa •••• 4242, expires 04\/2028/)).toBeVisible()
  expect(within(await panel.findByRole('list', { name: 'Gifts' })).getByText('€50.00')).toBeVisible()
  await user.click(panel.getByRole('button', { name: 'Retry now' }))
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Retry the charge now?' })).getByRole('button', { name: 'Charge €20.00' }),
  )
  await waitFor(() => expect(retried).toEqual([{ planId: plan.id }]))
})

test('a donor changes, pauses and stops their own recurring gift; a pause is undone at once', async () => {
  const user = userEvent.setup()
  let now = plan
  const said: unknown[] = []
  const put = (change: Partial<Plan>) => (now = { ...now, ...change, version: now.version + 1 })
  renderWithApi(
    <PersonPlans personId={plan.donor?.id ?? ''} />,
    {
      data: {
        fundraising: {
          plans: {
            list: plans.list.handler(() => pageOf([now])),
            change: plans.change.handler(({ input }) => {
              said.push(input)
              return put({ money: input.money })
            }),
            pause: plans.pause.handler(({ input }) => {
              said.push(input)
              return put({ status: 'paused', pausedUntil: input.until })
            }),
            resume: plans.resume.handler(({ input }) => {
              said.push(input)
              return put({ status: 'active', pausedUntil: null })
            }),
            stop: plans.stop.handler(({ input }) => {
              said.push(input)
              return put({ status: 'cancelled', stoppedAt: '2026-11-24T10:00:00Z', stoppedBy: 'donor', stopReason: input.reason })
            }),
          },
        },
      },
    },
    { holding: ['fundraising.read'] },
  )
  await user.click(await screen.findByRole('button', { name: 'Change amount' }))
  let dialog = within(await screen.findByRole('dialog', { name: 'Change amount' }))
  await user.clear(dialog.getByRole('textbox', { name: 'Amount' }))
  await user.type(dialog.getByRole('textbox', { name: 'Amount' }), '30')
  await user.click(dialog.getByRole('button', { name: 'Change to €30.00 a month' }))
  expect(await screen.findByText('€30.00 a month')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Pause' }))
  dialog = within(await screen.findByRole('dialog', { name: 'Pause recurring gift' }))
  await user.click(dialog.getByRole('button', { name: 'Pause' }))
  expect(await screen.findByText('Paused until it is resumed.')).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('button', { name: 'Pause' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Stop' }))
  dialog = within(await screen.findByRole('dialog', { name: 'Stop recurring gift' }))
  await user.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Moving away')
  await user.click(dialog.getByRole('button', { name: 'Stop €30.00 a month' }))
  expect(await screen.findByText(/Stopped by the donor on Nov 24, 2026. Moving away/)).toBeVisible()
  const planId = plan.id
  expect(said).toEqual([{ planId, money: euros(3000) }, { planId, until: null }, { planId }, { planId, reason: 'Moving away' }])
  expect(screen.queryByRole('button', { name: 'Retry now' })).toBeNull()
})
