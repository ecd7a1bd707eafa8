import { configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { NewCampaign } from '@guildhall/contract/features/fundraising'
import { ORPCError } from '@orpc/client'
import { fake } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { answers, draft, figures, gardenRow, pageOf, views } from '../fundraising-testing.ts'

configure({ asyncUtilTimeout: 15_000 })
const { fundraising } = fake.data
const filterOf = (link: HTMLElement) => JSON.parse(new URL(link.getAttribute('href') ?? '', 'https://x').searchParams.get('filter') ?? '{}')

test('campaigns are cards that lead to their pages, and a table', async () => {
  const user = userEvent.setup()
  const { router } = renderPath('/fundraising', { data: { lists: views, fundraising: answers() } })
  expect(await screen.findByText('1 campaign')).toBeVisible()
  const card = within(await screen.findByRole('list', { name: 'Campaigns' })).getByRole('listitem')
  expect(within(card).getByText('Active')).toBeVisible()
  expect(within(card).getByRole('progressbar', { name: 'Progress towards the goal' })).toHaveAttribute(
    'aria-valuetext',
    '€5,000.00 of €10,000.00',
  )
  expect(within(card).getByText(/days left · 40 gifts · 31 donors/)).toBeVisible()
  await user.click(screen.getByRole('radio', { name: 'Table' }))
  const table = await screen.findByRole('table', { name: 'Campaigns' })
  expect(await within(table).findByText('€5,000.00')).toBeVisible()
  await user.click(within(table).getByRole('link', { name: 'Garden' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Garden' })).toBeVisible()
  expect(router.state.location.pathname).toBe(`/fundraising/${gardenRow.id}`)
})

test('views, search and filters ask the server, and say when nothing matches', async () => {
  const user = userEvent.setup()
  const asked: { q?: string | undefined; filter?: string | undefined }[] = []
  const list = fundraising.list.handler(({ input }) => {
    asked.push(input)
    return pageOf(input.q === 'xyz' ? [] : [gardenRow])
  })
  renderPath('/fundraising', { data: { lists: views, fundraising: { ...answers(), list } } })
  await screen.findByText('1 campaign')
  await user.click(screen.getByRole('button', { name: 'Ended' }))
  await user.type(screen.getByRole('searchbox', { name: 'Search campaigns' }), 'xyz')
  expect(await screen.findByText('No campaign matches')).toBeVisible()
  expect(asked.at(-1)).toMatchObject({ q: 'xyz', filter: expect.stringContaining('ended') })
  await user.click(screen.getByRole('button', { name: 'Clear search and filters' }))
  expect(await screen.findByRole('link', { name: 'Garden' })).toBeVisible()
})

test('every figure stands beside the period before and opens its list', async () => {
  const user = userEvent.setup()
  const periods: unknown[] = []
  const handler = fundraising.figures.handler(({ input }) => {
    periods.push(input)
    return figures
  })
  renderPath('/fundraising', { data: { lists: views, fundraising: { ...answers(), figures: handler } } })
  const part = await screen.findByRole('region', { name: 'Figures' })
  const raised = await within(part).findByRole('link', { name: /^Raised/ })
  expect(raised).toHaveTextContent('€12,000.00')
  expect(raised).toHaveTextContent('+20% from €10,000.00')
  expect(raised).toHaveAttribute('href', expect.stringContaining('/fundraising/all/donations'))
  expect(filterOf(raised).and).toContainEqual({ or: [{ field: 'counted', op: 'is', value: true }] })
  expect(within(part).getByRole('link', { name: /^Donors/ })).toHaveTextContent('-20% from 75')
  expect(within(part).getByRole('link', { name: /^Average gift/ })).toHaveTextContent('€125.00')
  expect(within(part).getByRole('link', { name: /^Recurring per month/ })).toHaveTextContent('As before')
  const kept = within(part).getByRole('link', { name: /^Donor retention/ })
  expect(kept).toHaveTextContent('60% the year before')
  expect(filterOf(kept).and).toEqual([{ or: [{ field: 'segment', op: 'in', value: ['notYet'] }] }])
  // Pledged, settled and refunded stand apart.
  expect(within(part).getByRole('link', { name: '€12,500.00' })).toHaveAttribute('href', expect.stringContaining('/donations'))
  expect(within(part).getByRole('link', { name: '€500.00' })).toHaveAttribute('href', expect.stringContaining('refunded'))
  expect(within(part).getByRole('link', { name: '€800.00' })).toHaveAttribute('href', expect.stringContaining('/pledges'))
  await user.click(within(part).getByRole('combobox', { name: 'Period' }))
  await user.click(await screen.findByRole('option', { name: 'Last year' }))
  const year = new Date().getFullYear() - 1
  await expect.poll(() => periods.at(-1)).toEqual({ since: `${year}-01-01`, until: `${year}-12-31` })
})

test('a new campaign takes a name, and opens its giving page', async () => {
  const user = userEvent.setup()
  const made: NewCampaign[] = []
  const create = fundraising.create.handler(({ input }) => {
    made.push(input)
    return { ...draft, name: input.name }
  })
  const { router } = renderPath('/fundraising?new=1', { data: { lists: views, fundraising: { ...answers(() => draft), create } } })
  const dialog = await screen.findByRole('dialog', { name: 'New campaign' })
  await user.click(await within(dialog).findByRole('button', { name: 'Create campaign' }))
  expect(within(dialog).getByRole('textbox', { name: 'Name' })).toBeInvalid()
  await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Roof')
  await user.type(within(dialog).getByRole('textbox', { name: /^Goal/ }), '25,000')
  await user.click(within(dialog).getByRole('button', { name: 'Create campaign' }))
  await expect.poll(() => router.state.location.pathname).toBe(`/fundraising/${draft.id}/form`)
  expect(made).toEqual([{ name: 'Roof', goal: 2_500_000, endsOn: null, chapterId: null }])
})

test('whoever may only read is offered nothing else', async () => {
  renderPath('/fundraising', { data: { lists: views, fundraising: answers() } }, { holding: ['fundraising.read'] })
  expect(await screen.findByRole('link', { name: gardenRow.name })).toBeVisible()
  // They come to give, and campaigns say themselves how far they are.
  expect(screen.queryByRole('region', { name: 'Figures' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'New campaign' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Gifts' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Draft' })).toBeNull()
  expect(screen.queryByRole('heading', { name: 'Latest gifts' })).toBeNull()
})

test('figures lead nowhere for whoever sees no donors', async () => {
  const holding = ['fundraising.read', 'fundraising.manage'] as const
  renderPath('/fundraising', { data: { lists: views, fundraising: answers() } }, { holding })
  const part = await screen.findByRole('region', { name: 'Figures' })
  expect(await within(part).findByText('€12,000.00')).toBeVisible()
  expect(within(part).queryByRole('link')).toBeNull()
})

test('nothing yet, and what could not be loaded', async () => {
  const user = userEvent.setup()
  let fails = true
  const failing = fundraising.figures.handler(() => {
    if (fails) throw new ORPCError('INTERNAL_SERVER_ERROR', { status: 500 })
    return figures
  })
  const list = fundraising.list.handler(() => pageOf([]))
  renderPath('/fundraising', { data: { lists: views, fundraising: { ...answers(), list, figures: failing } } })
  expect(await screen.findByText('No campaigns yet')).toBeVisible()
  expect(await screen.findByText('The figures could not be loaded')).toBeVisible()
  fails = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('€12,000.00')).toBeVisible()
  await user.click(screen.getAllByRole('button', { name: 'New campaign' })[0] ?? document.body)
  expect(await screen.findByRole('dialog', { name: 'New campaign' })).toBeVisible()
})

test('tabs across campaigns are those of the role, and a wrong one arrives all the same', async () => {
  renderPath(
    '/fundraising/all/funds',
    { data: { lists: views, fundraising: answers() } },
    { holding: ['fundraising.read', 'fundraising.manage'] },
  )
  const tabs = await screen.findByRole('navigation', { name: 'Sections of fundraising' })
  expect(
    within(tabs)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['Campaigns', 'Funds', 'Payouts', 'Settings'])
  expect(within(tabs).getByRole('link', { name: 'Funds' })).toHaveAttribute('aria-current', 'page')
  expect(await screen.findByRole('heading', { name: /^Funds/ })).toBeVisible()
})
