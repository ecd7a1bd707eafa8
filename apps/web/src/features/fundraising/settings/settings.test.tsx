import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { CampaignChange, FundraisingSettings, FundraisingSettingsChange } from '@guildhall/contract/features/fundraising'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import type { Campaign } from '../fundraising-api.ts'
import { answers, garden, settings, views } from '../fundraising-testing.ts'

configure({ asyncUtilTimeout: 15_000 })
const { fundraising } = fake.data
const lyon = { id: uuid(61), name: 'Lyon', code: 'LYO' }

function ofAll(mayEdit = true) {
  let now: FundraisingSettings = { ...settings, mayEdit }
  const changes: FundraisingSettingsChange[] = []
  const calls = {
    get: fundraising.settings.get.handler(() => now),
    update: fundraising.settings.update.handler(({ input }) => {
      changes.push(input)
      const known = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
      return (now = { ...now, ...known, version: now.version + 1 })
    }),
  }
  return { changes, handlers: { lists: views, fundraising: { ...answers(), settings: calls } } }
}
async function enter(user: ReturnType<typeof userEvent.setup>, label: string, text: string) {
  await user.click(await screen.findByRole('button', { name: `Edit ${label}` }))
  const field = screen.getByRole('textbox', { name: label })
  await user.clear(field)
  await user.type(field, text)
}

test('fees and limits are entered as people write them', async () => {
  const user = userEvent.setup()
  const { changes, handlers } = ofAll()
  renderPath('/fundraising/all/settings', { data: handlers })
  expect(await screen.findByText('1.5%')).toBeVisible()
  await enter(user, 'Fee in percent', '2,9{Enter}')
  expect(await screen.findByText('2.9%')).toBeVisible()
  await enter(user, 'Fee per gift', '0.30{Enter}')
  await enter(user, 'Largest gift by card', '{Enter}')
  expect(await screen.findByText('No limit')).toBeVisible()
  await expect.poll(() => changes).toEqual([{ feeBps: 290 }, { feeFixed: 30 }, { maxAmount: null }])
  await enter(user, 'Fee in percent', '40{Enter}')
  expect(await screen.findByText('Enter a percentage from 0 to 20.')).toBeVisible()
  expect(changes).toHaveLength(3)
})

test('the draft of a thank-you is shown filled in', async () => {
  const user = userEvent.setup()
  renderPath('/fundraising/all/settings', { data: ofAll().handlers })
  const letter = await screen.findByRole('group', { name: 'Preview of the thank-you' })
  expect(within(letter).getByText('Thank you, Ada')).toBeVisible()
  expect(within(letter).getByText('Your €50.00 for Spring appeal helps Demo Society.')).toBeVisible()
  await enter(user, 'Subject', 'Dear {{first_name}{Enter}')
  expect(await within(letter).findByText('Dear Ada')).toBeVisible()
})

test('whoever may not change the settings reads them', async () => {
  renderPath('/fundraising/all/settings', { data: ofAll(false).handlers })
  expect(await screen.findByText('1.5%')).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull()
})

function ofCampaign(first: Campaign) {
  let now = first
  const changes: CampaignChange[] = []
  const update = fundraising.update.handler(({ input: { campaignId: _id, shareChapterId, shareBps, slug, visibility } }) => {
    const sent = { shareChapterId, shareBps, slug, visibility }
    changes.push(Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)))
    now = {
      ...now,
      ...(slug && { slug, givingUrl: `https://give.example/public/giving/${slug}` }),
      ...(visibility && { visibility }),
      ...(shareBps !== undefined && { share: shareBps > 0 ? { chapter: lyon, bps: shareBps } : null }),
      version: now.version + 1,
    }
    return now
  })
  const chapters = {
    list: fake.data.chapters.list.handler(() => ({ items: [], nextCursor: null, total: 0, totalIsExact: true })),
  }
  return { changes, handlers: { lists: views, chapters, fundraising: { ...answers(() => now), update } } }
}
const at = `/fundraising/${garden.id}/settings`

test('the address and who may give are changed in place; the currency is fixed after the first gift', async () => {
  const user = userEvent.setup()
  const { changes, handlers } = ofCampaign(garden)
  renderPath(at, { data: handlers })
  await enter(user, 'Address', 'Old Orchard{Enter}')
  expect(await screen.findByText('Use small letters, digits and single hyphens.')).toBeVisible()
  const field = screen.getByRole('textbox', { name: 'Address' })
  await user.clear(field)
  await user.type(field, 'orchard')
  expect(screen.getByText('https://give.example/public/giving/orchard')).toBeVisible()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(changes).toEqual([{ slug: 'orchard' }]))
  expect(screen.queryByRole('button', { name: 'Edit Currency' })).toBeNull()
  expect(screen.getByText('Fixed since the first gift.')).toBeVisible()
  const code = screen.getByRole('textbox', { name: 'Embed code' })
  await waitFor(() => expect(code).toHaveTextContent('https://give.example/public/giving/orchard/embed'))
})

test('a chapter’s share is changed as a whole', async () => {
  const user = userEvent.setup()
  const { changes, handlers } = ofCampaign({ ...garden, share: { chapter: lyon, bps: 1_000 } })
  renderPath(at, { data: handlers })
  expect(await screen.findByText('10% of each gift goes to Lyon. Donors see this on the giving page.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Change' }))
  const dialog = await screen.findByRole('dialog', { name: 'Chapter share' })
  const share = within(dialog).getByRole('textbox', { name: 'Share of each gift' })
  await user.clear(share)
  await user.click(within(dialog).getByRole('button', { name: 'Save share' }))
  expect(share).toBeInvalid()
  await user.type(share, '12.5')
  await user.click(within(dialog).getByRole('button', { name: 'Save share' }))
  expect(await screen.findByText('12.5% of each gift goes to Lyon. Donors see this on the giving page.')).toBeVisible()
  expect(changes).toEqual([{ shareChapterId: lyon.id, shareBps: 1_250 }])
})

test('a campaign for members has nothing to embed', async () => {
  renderPath(at, { data: ofCampaign({ ...garden, visibility: 'members' }).handlers })
  expect(await screen.findByText('Only members can give to this campaign, so it has no public page.')).toBeVisible()
  expect(screen.queryByRole('textbox', { name: 'Embed code' })).toBeNull()
})
