import { configure, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fake } from '../../../testing/fake-api.ts'
import { renderWithApi } from '../../../testing/render-with-api.tsx'
import { campaign, euros, pageOf, giftRow } from '../giving-testing.ts'
import { CampaignsCard } from './campaigns-card.tsx'
import { GivingWorkCard } from './giving-work-card.tsx'

configure({ asyncUtilTimeout: 25_000 })

const { gifts, plans, pledges, donors } = fake.data.fundraising
const counted = (total: number) => ({ items: [], nextCursor: null, total, totalIsExact: true })

test('what waits for those who manage gifts is counted, and each line leads to where it is done', async () => {
  const thank = { gift: giftRow, days: 9, late: true, subject: 'Thanks', body: 'Dear Ada', canMail: true }
  renderWithApi(<GivingWorkCard />, {
    data: {
      fundraising: {
        gifts: { thanks: { list: gifts.thanks.list.handler(() => ({ ...counted(12), items: [thank] })) } },
        plans: { list: plans.list.handler(() => counted(0)) },
        pledges: { list: pledges.list.handler(() => counted(1)) },
      },
    },
  })
  expect(await screen.findByRole('link', { name: '12 donors to thank' })).toHaveAttribute('href', '/fundraising/all/thanks')
  expect(screen.getByText('Late')).toBeVisible()
  expect(screen.getByRole('link', { name: '1 overdue pledge' })).toHaveAttribute('href', '/fundraising/all/pledges?view=overdue')
  expect(screen.queryByRole('link', { name: /recurring/ })).toBeNull()
})

test('members see open campaigns to give to, and what they gave this year', async () => {
  const summary = {
    lifetime: [euros(9000)],
    thisYear: [euros(5000)],
    gifts: 2,
    firstOn: null,
    lastOn: null,
    largest: null,
    pledged: [],
    years: [],
  }
  renderWithApi(
    <CampaignsCard />,
    {
      data: {
        fundraising: {
          list: fake.data.fundraising.list.handler(() => pageOf([campaign])),
          donors: { giving: donors.giving.handler(() => summary) },
        },
      },
    },
    { holding: ['fundraising.read'] },
  )
  const card = within(await screen.findByRole('list', { name: 'Campaigns' }))
  expect(card.getByRole('link', { name: 'Spring appeal' })).toBeVisible()
  expect(card.getByRole('link', { name: 'Give to Spring appeal' })).toHaveAttribute('href', expect.stringContaining('give=1'))
  expect(await screen.findByText('You gave €50.00 this year.')).toBeVisible()
})
