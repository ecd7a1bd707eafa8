import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { ORPCError } from '@orpc/client'
import { fake, me } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import type { Campaign } from '../fundraising-api.ts'
import { answers, draft, euros, garden, general, overviewOf, views } from '../fundraising-testing.ts'

configure({ asyncUtilTimeout: 15_000 })
afterEach(() => vi.unstubAllGlobals())
const { fundraising } = fake.data
const at = `/fundraising/${garden.id}`

/** A campaign that answers its moves. */
function stored(first: Campaign) {
  let now = first
  const moves: string[] = []
  const put = (change: Partial<Campaign>) => (now = { ...now, ...change, version: now.version + 1 })
  return {
    moves,
    handlers: {
      lists: views,
      fundraising: {
        ...answers(() => now),
        move: fundraising.move.handler(({ input: { status } }) => {
          moves.push(status)
          return put({ status, may: { ...now.may, give: status === 'active' } })
        }),
        archive: fundraising.archive.handler(() => put({ archivedAt: '2026-11-24T10:00:00Z' })),
        restore: fundraising.restore.handler(() => put({ archivedAt: null })),
      },
    },
  }
}

test('a campaign is paused, resumed and ended, each with Undo', async () => {
  const user = userEvent.setup()
  const { moves, handlers } = stored(garden)
  renderPath(at, { data: handlers })
  const more = { name: 'More actions for Garden' }
  await user.click(await screen.findByRole('button', more))
  await user.click(await screen.findByRole('menuitem', { name: 'Pause' }))
  expect(await screen.findByText('Paused')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Give' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Resume' }))
  expect(await screen.findByRole('button', { name: 'Give' })).toBeVisible()
  await user.click(screen.getByRole('button', more))
  await user.click(await screen.findByRole('menuitem', { name: 'End' }))
  expect(await screen.findByText('Ended')).toBeVisible()
  const ended = (await screen.findByText('Garden ended')).closest('[role="status"]')
  await user.click(within(ended instanceof HTMLElement ? ended : document.body).getByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('button', { name: 'Give' })).toBeVisible()
  expect(moves).toEqual(['paused', 'active', 'ended', 'active'])
})

test('a draft says what is missing, and is started once that is there', async () => {
  const user = userEvent.setup()
  const { handlers, moves } = stored(draft)
  const { router, unmount } = renderPath(at, { data: handlers })
  expect(await screen.findByRole('heading', { name: 'Before it can start' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Start' }))
  const dialog = await screen.findByRole('dialog', { name: 'Start Garden' })
  await user.click(within(dialog).getByRole('button', { name: 'Choose the fund that gifts go to.' }))
  await expect.poll(() => router.state.location.pathname).toBe(`${at}/form`)
  expect(await screen.findByRole('combobox', { name: 'Fund' })).toHaveFocus()
  expect(moves).toEqual([])
  unmount()

  const ready = stored({ ...draft, fund: general })
  renderPath(at, { data: ready.handlers })
  await user.click(await screen.findByRole('button', { name: 'Start' }))
  const confirm = await screen.findByRole('dialog', { name: 'Start Garden' })
  expect(within(confirm).getByText('General fund')).toBeVisible()
  await user.click(within(confirm).getByRole('button', { name: 'Start campaign' }))
  expect(await screen.findByText('Active')).toBeVisible()
  expect(ready.moves).toEqual(['active'])
})

test('the overview leads from every figure and gift to the list behind it', async () => {
  renderPath(at, { data: stored(garden).handlers })
  expect(await screen.findByRole('progressbar', { name: 'Progress towards the goal' })).toHaveAttribute('aria-valuenow', '50')
  const milestones = within(screen.getByRole('list', { name: 'Milestones' })).getAllByRole('listitem')
  expect(milestones.map((one) => one.textContent)).toEqual([
    '25%Nov 10, 2026',
    '50%Nov 20, 2026',
    '75%not reached yet',
    '100%not reached yet',
  ])
  const part = screen.getByRole('region', { name: 'Figures' })
  for (const [name, tab] of [
    [/^Raised/, 'donations'],
    [/^Donors/, 'donors'],
    [/^Average gift/, 'donations'],
    [/^Recurring per month/, 'recurring'],
    ['€300.00', 'pledges'],
  ] as const)
    expect(within(part).getByRole('link', { name })).toHaveAttribute('href', expect.stringContaining(`${at}/${tab}`))
  expect(screen.getByRole('link', { name: 'Ada Byron' })).toHaveAttribute('href', expect.stringContaining('open='))
  expect(screen.getByText('Anonymous')).toBeVisible()
  expect(await screen.findByText('€5,000.00 raised since Nov 1, 2026')).toBeVisible()
  expect(screen.getByText(/A year earlier it was €2,000.00/)).toBeVisible()
  expect(screen.getByText('€50 to €100: 25 of 40 gifts')).toBeVisible()
  expect(screen.getByText('General fund: €4,000.00')).toBeVisible()
})

test('the pictures are tables too, whose rows open the gifts', async () => {
  const user = userEvent.setup()
  const { router } = renderPath(at, { data: stored(garden).handlers })
  const sizes = (await screen.findByText('€50 to €100: 25 of 40 gifts')).closest('figure')
  await user.click(within(sizes ?? document.body).getByRole('button', { name: 'View as table' }))
  await user.click(within(sizes ?? document.body).getByRole('button', { name: '€50 to €100' }))
  await expect.poll(() => router.state.location.pathname).toBe(`${at}/donations`)
  expect(JSON.stringify(router.state.location.search)).toContain('{"field":"money","op":"between","value":[50,99.99]}')
})

test('new gifts appear by themselves while somebody looks', async () => {
  let hasArrived = false
  const told = Promise.withResolvers<void>()
  const changes = fake.data.account.changes.handler(async function* ({ input, signal }) {
    const left = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
    yield { type: 'ready' as const }
    await Promise.race([told.promise, left])
    if (input.campaignId === garden.id) yield { type: 'campaign' as const, campaignId: garden.id }
    await left
  })
  const overview = fundraising.overview.handler(() => {
    const known = overviewOf(garden)
    const fresh = { id: null, name: 'Grace Hopper', money: euros(9_900), at: '2026-11-21T10:00:00Z', isRecurring: false }
    return hasArrived ? { ...known, latest: [fresh, ...known.latest] } : known
  })
  const { handlers } = stored(garden)
  const account = { me: fake.data.account.me.handler(() => me()), changes }
  renderPath(at, { data: { ...handlers, fundraising: { ...handlers.fundraising, overview }, account } })
  await screen.findByText('Ada Byron')
  await new Promise((resolve) => setTimeout(resolve, 200))
  hasArrived = true
  told.resolve()
  expect(await screen.findByText('Grace Hopper')).toBeVisible()
  expect(await screen.findByText('New gift: €99.00 from Grace Hopper')).toBeInTheDocument()
})

test('whoever may only read sees how it goes, and nothing of donors or settings', async () => {
  const campaign = { ...garden, may: { edit: false, give: true, record: false, seeGifts: false, manageGifts: false } }
  renderPath(at, { data: stored(campaign).handlers }, { holding: ['fundraising.read'] })
  expect(await screen.findByText('Ten oaks for the next hundred years.')).toBeVisible()
  const tabs = screen.getByRole('navigation', { name: 'Sections of Garden' })
  expect(
    within(tabs)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['Overview'])
  expect(screen.getByRole('button', { name: 'Give' })).toBeVisible()
  for (const name of ['More actions for Garden', 'Start', 'Record gift']) expect(screen.queryByRole('button', { name })).toBeNull()
  expect(within(await screen.findByRole('region', { name: 'Figures' })).queryByRole('link')).toBeNull()
})

test('a campaign is copied under a name of its own, and archived with Undo', async () => {
  const user = userEvent.setup()
  const { handlers } = stored({ ...garden, status: 'ended', endsOn: '2020-01-01', may: { ...garden.may, give: false } })
  const names: string[] = []
  const copy = fundraising.copy.handler(({ input }) => {
    names.push(input.name)
    return { ...draft, name: input.name }
  })
  const { router } = renderPath(at, { data: { ...handlers, fundraising: { ...handlers.fundraising, copy } } })
  await user.click(await screen.findByRole('button', { name: 'More actions for Garden' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Archive' }))
  expect(await screen.findByText('Archived')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(screen.queryByText('Archived')).toBeNull())
  // Its last day has passed: it cannot be reopened.
  expect(screen.queryByRole('button', { name: 'Reopen' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'More actions for Garden' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Copy' }))
  const dialog = await screen.findByRole('dialog', { name: 'Copy Garden' })
  const name = await within(dialog).findByRole('textbox', { name: 'Name' })
  await user.clear(name)
  await user.type(name, 'Garden 2027')
  await user.click(within(dialog).getByRole('button', { name: 'Copy campaign' }))
  await expect.poll(() => router.state.location.pathname).toBe(`/fundraising/${draft.id}/form`)
  expect(names).toEqual(['Garden 2027'])
})

test('the link is shared, and the QR code saved', async () => {
  const user = userEvent.setup()
  const saved: string[] = []
  const code = fake.actions.fundraising.gifts.code.handler(({ input }) => {
    saved.push(input.campaignId)
    return new File(['<svg/>'], 'garden.svg', { type: 'image/svg+xml' })
  })
  URL.createObjectURL = () => 'blob:x'
  renderPath(`${at}?share=1`, { data: stored(garden).handlers, actions: { fundraising: { gifts: { code } } } })
  const dialog = await screen.findByRole('dialog', { name: 'Share Garden' })
  expect(within(dialog).getByRole('textbox', { name: 'Link' })).toHaveValue(garden.givingUrl)
  await user.click(within(dialog).getByRole('button', { name: 'Copy link' }))
  expect(await screen.findByText('Link copied')).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe(garden.givingUrl)
  await user.click(within(dialog).getByRole('button', { name: 'Download QR code' }))
  await expect.poll(() => saved).toEqual([garden.id])
})

test('a campaign that is not there, and one that could not be loaded', async () => {
  const missing = fundraising.get.handler(() => {
    throw new ORPCError('NOT_FOUND', { status: 404 })
  })
  const { unmount } = renderPath(at, { data: { lists: views, fundraising: { ...answers(), get: missing } } })
  expect(await screen.findByRole('heading', { level: 1, name: /find this page/ })).toBeVisible()
  unmount()
  const failing = fundraising.get.handler(() => {
    throw new ORPCError('INTERNAL_SERVER_ERROR', { status: 500 })
  })
  renderPath(at, { data: { lists: views, fundraising: { ...answers(), get: failing } } })
  expect(await screen.findByText('This campaign could not be loaded')).toBeVisible()
})
