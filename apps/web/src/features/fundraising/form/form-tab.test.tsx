import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { documentOf } from '@guildhall/contract/formatted-document'
import type { CampaignChange } from '@guildhall/contract/features/fundraising'
import { ORPCError } from '@orpc/client'
import { fake } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import type { Campaign } from '../fundraising-api.ts'
import { answers, draft, garden, general, trees, views } from '../fundraising-testing.ts'

configure({ asyncUtilTimeout: 15_000 })
const { fundraising } = fake.data
const at = `/fundraising/${garden.id}/form`

/** A campaign whose page can be changed; `refuse` is asked first. */
function stored(first: Campaign, refuse: (change: CampaignChange) => void = () => {}) {
  let now = first
  const changes: CampaignChange[] = []
  const funds = [general, trees]
  const update = fundraising.update.handler(({ input: { campaignId: _id, ...input } }) => {
    const sent = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    const { fundId, fundIds } = input
    refuse(sent)
    changes.push(sent)
    now = {
      ...now,
      ...sent,
      ...(fundId !== undefined && { fund: funds.find(({ id }) => id === fundId) ?? null }),
      ...(fundIds !== undefined && { funds: funds.filter(({ id }) => fundIds.includes(id)) }),
      version: now.version + 1,
    }
    return now
  })
  return { changes, handlers: { lists: views, fundraising: { ...answers(() => now), update } } }
}
const preview = () => within(screen.getByRole('complementary', { name: 'Preview' }))

test('what is typed shows beside at once, and is saved with Undo when its field is left', async () => {
  const user = userEvent.setup()
  const { changes, handlers } = stored(garden)
  renderPath(at, { data: handlers })
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.clear(name)
  await user.type(name, 'Orchard')
  expect(await preview().findByText('Orchard')).toBeVisible()
  expect(changes).toEqual([])
  await user.tab()
  expect(await screen.findByRole('heading', { level: 1, name: 'Orchard' })).toBeVisible()
  expect(changes).toEqual([{ name: 'Orchard' }])
  expect(screen.getByText('All changes saved')).toBeVisible()
  const toast = screen.getByText('Name of Garden changed').closest<HTMLElement>('[role="status"]')
  await user.click(within(toast ?? document.body).getByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Garden' })).toBeVisible()
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Garden')
})

test('a field that was only looked at is not sent, and an empty name stays with the reason', async () => {
  const user = userEvent.setup()
  const { changes, handlers } = stored(garden)
  renderPath(at, { data: handlers })
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.click(name)
  await user.tab()
  await user.clear(name)
  await user.tab()
  expect(name).toBeInvalid()
  expect(screen.getByText('Some fields need another look')).toBeVisible()
  expect(changes).toEqual([])
})

test('suggested amounts are rows that are added, put in order and removed', async () => {
  const user = userEvent.setup()
  const { changes, handlers } = stored(garden)
  renderPath(at, { data: handlers })
  await user.click(await screen.findByRole('button', { name: 'Add amount' }))
  await user.type(screen.getByRole('textbox', { name: 'Amount 3' }), '100')
  await user.type(screen.getByRole('textbox', { name: 'What amount 3 makes possible' }), 'plants an avenue')
  // Not yet: the row has not been left.
  expect(changes).toEqual([])
  expect(await preview().findByText('plants an avenue')).toBeInTheDocument()
  await user.tab()
  await user.tab()
  const added = { amount: 10_000, words: 'plants an avenue' }
  await expect.poll(() => changes).toEqual([{ suggested: [...garden.suggested, added] }])
  await user.click(screen.getByRole('button', { name: 'Actions for Amount 1' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove' }))
  await expect.poll(() => changes.at(-1)).toEqual({ suggested: [garden.suggested[1], added] })
})

test('an amount without a number, and one that the server refuses, stay at their row', async () => {
  const user = userEvent.setup()
  const { changes, handlers } = stored(garden, ({ suggested }) => {
    if (suggested?.some(({ amount }) => amount < garden.minAmount))
      throw new ORPCError('UNPROCESSABLE_CONTENT', {
        status: 422,
        data: { errors: [{ path: 'suggested.0.amount', code: 'unknown_code', message: 'Suggest a larger amount.' }] },
      })
  })
  renderPath(at, { data: handlers })
  const first = await screen.findByRole('textbox', { name: 'Amount 1' })
  await user.clear(first)
  await user.tab()
  await user.tab()
  await user.tab()
  expect(await screen.findByText('Enter an amount.')).toBeVisible()
  await user.type(first, '1')
  await user.click(screen.getByRole('textbox', { name: 'Name' }))
  expect(await screen.findByText('Suggest a larger amount.')).toBeVisible()
  expect(first).toHaveValue('1.00')
  expect(changes).toEqual([])
})

test('choices are saved when they are made', async () => {
  const user = userEvent.setup()
  const { changes, handlers } = stored(draft)
  renderPath(at, { data: handlers })
  expect(await screen.findByRole('heading', { name: 'Before it can start' })).toBeVisible()
  await user.click(await screen.findByRole('combobox', { name: 'Fund' }))
  await user.click(await screen.findByRole('option', { name: 'General fund' }))
  expect(await screen.findByRole('heading', { name: 'Ready to start' })).toBeVisible()
  await user.click(screen.getByRole('switch', { name: /^Recurring gifts/ }))
  await expect.poll(() => changes).toEqual([{ fundId: general.id }, { allowsRecurring: false }])
  await user.click(screen.getByRole('combobox', { name: 'Measured by' }))
  await user.click(await screen.findByRole('option', { name: 'Number of donors' }))
  await expect.poll(() => changes.at(-1)).toEqual({ goalKind: 'donors', goal: null })
  await user.type(screen.getByRole('textbox', { name: /^Goal/ }), '200')
  await user.tab()
  await expect.poll(() => changes.at(-1)).toEqual({ goal: 200 })
  expect(await preview().findByText('of 200 donors')).toBeVisible()
})

test('what is missing leads to its field', async () => {
  const user = userEvent.setup()
  renderPath(at, { data: stored({ ...draft, endsOn: '2020-01-01' }).handlers })
  const part = (await screen.findByRole('heading', { name: 'Before it can start' })).closest('section') ?? document.body
  expect(
    within(part)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual([
    'Choose the fund that gifts go to.',
    'The last day has passed. Choose a later one, or none.',
    'Set a goal',
    'Add a summary',
    'Tell the story',
    'Add a cover picture',
    'Suggest amounts',
  ])
  await user.click(within(part).getByRole('link', { name: 'Add a summary' }))
  await waitFor(() => expect(screen.getByRole('textbox', { name: /^Summary/ })).toHaveFocus())
  // A second time as well.
  await user.click(within(part).getByRole('link', { name: 'Set a goal' }))
  await waitFor(() => expect(screen.getByRole('textbox', { name: /^Goal/ })).toHaveFocus())
  await user.click(within(part).getByRole('link', { name: 'Add a summary' }))
  await waitFor(() => expect(screen.getByRole('textbox', { name: /^Summary/ })).toHaveFocus())
})

test('the story is written in place, and shown beside', async () => {
  const { handlers } = stored({ ...garden, story: documentOf('Ten oaks.') })
  renderPath(at, { data: handlers })
  expect(await screen.findByRole('textbox', { name: /^Story/ })).toHaveTextContent('Ten oaks.')
  expect(preview().getByText('Ten oaks.')).toBeVisible()
})

test('what was typed is saved when the tab is left by a key', async () => {
  const user = userEvent.setup()
  const { changes, handlers } = stored(garden)
  const { router } = renderPath(at, { data: handlers })
  await user.type(await screen.findByRole('textbox', { name: /^Summary/ }), ' And a bench.')
  await router.navigate({ to: '/fundraising/$campaignId/{-$tab}', params: { campaignId: garden.id, tab: 'settings' } })
  await expect.poll(() => changes).toEqual([{ summary: 'Trees behind the hall. And a bench.' }])
})

test('an archived campaign is not edited', async () => {
  renderPath(at, { data: stored({ ...garden, archivedAt: '2026-11-01T00:00:00Z' }).handlers })
  expect(await screen.findByText('This campaign is archived')).toBeVisible()
  expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull()
})
