import { configure, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { FundraisingFigures } from '@guildhall/contract/features/fundraising'
import { wholeChapter } from '../../../testing/chapters.ts'
import { fake } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { campaign, pageOf } from '../giving-testing.ts'

configure({ asyncUtilTimeout: 25_000 })

const chapter = wholeChapter()
const figures: FundraisingFigures = {
  ...{ currency: 'EUR', raised: 90_000, settled: 91_000, refunded: 1000, pledged: 5000, gifts: 31, donors: 24, averageGift: 2903 },
  ...{ recurring: 4000, retained: 0.6, before: { raised: 60_000, gifts: 20, donors: 18, recurring: 3000, retained: 0.5 } },
}

test('a chapter’s officer sees what was raised, its campaigns and its share, and no donors', async () => {
  const { fundraising } = fake.data
  const share = { chapter: { id: chapter.id, name: chapter.name, code: chapter.code }, currency: 'EUR' }
  renderPath(
    `/chapter/${chapter.id}/fundraising`,
    {
      data: {
        chapters: { get: fake.data.chapters.get.handler(() => chapter) },
        fundraising: {
          figures: fundraising.figures.handler(() => figures),
          list: fundraising.list.handler(() => pageOf([campaign])),
          donors: {
            shares: fundraising.donors.shares.handler(() => ({
              items: [{ ...share, share: 12_000, paidOut: 2000, balance: 10_000, gifts: 31, lastPaidOn: '2026-10-01' }],
              may: { pay: false },
            })),
            payouts: fundraising.donors.payouts.handler(() => pageOf([])),
          },
        },
      },
    },
    { holding: ['fundraising.read', 'fundraising.manage'] },
  )
  expect(await screen.findByText('€900.00')).toBeVisible()
  expect(screen.getByText('€600.00 by this day last year')).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Spring appeal' })).toBeVisible()
  expect(within(await screen.findByRole('table', { name: 'Chapter shares' })).getByText('€100.00')).toBeVisible()
  expect(screen.queryByRole('link', { name: /Gifts behind|Raised this year/ })).toBeNull()
})
