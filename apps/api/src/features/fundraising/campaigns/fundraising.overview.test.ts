import type { Campaign, CampaignOverview, FundraisingFigures } from '@guildhall/contract/features/fundraising'
import { expect } from 'vitest'
import type { Client } from '../../../testing.ts'
import { made, match, test } from '../fundraising.testing.ts'
import { lineOf, mostPoints, sizesOf } from './fundraising.overview.rules.ts'

const overviewOf = async (client: Client, { id }: Pick<Campaign, 'id'>) =>
  made<CampaignOverview>(await client.get(`/data/campaigns/${id}/overview`))

test('the overview of a campaign follows its gifts: line, sizes, funds, milestones and the latest', async ({
  boss,
  fund,
  campaign,
  gift,
  person,
  org,
}) => {
  const [main, library] = [await fund('Main'), await fund('Library')]
  const one = await campaign({ fundId: main.id, fundIds: [library.id], goal: 10_000, endsOn: '2090-01-01' })
  const ada = await person({ org, givenName: 'Ada', familyName: 'Byron' })
  await gift(one, 1_000, { receivedOn: '2025-10-01' })
  await gift(one, 2_500, { receivedOn: '2025-10-01', personId: ada.personId })
  await gift(one, 3_000, { receivedOn: '2026-10-02', allocations: [{ fundId: main.id, amount: 1_000 }, { fundId: library.id, amount: 2_000 }] }) // prettier-ignore
  const last = await gift(one, 5_000, { receivedOn: '2026-10-03', isAnonymous: true })
  const money = (amount: number) => ({ amount, currency: 'EUR' })
  expect(await overviewOf(boss, one)).toMatchObject({
    campaign: { reached: 11_500, totals: { raised: 11_500, gifts: 4, donors: 2 } },
    line: [
      { day: '2025-10-01', raised: 3_500, before: null },
      { day: '2026-10-02', raised: 6_500, before: 3_500 },
      { day: '2026-10-03', raised: 11_500, before: 3_500 },
    ],
    sizes: [
      { from: 1_000, to: 2_000, gifts: 1 },
      { from: 2_000, to: 5_000, gifts: 2 },
      { from: 5_000, to: null, gifts: 1 },
    ],
    funds: [
      { fund: { name: 'Main' }, raised: 9_500 },
      { fund: { name: 'Library' }, raised: 2_000 },
    ],
    milestones: [
      { percent: 25, reachedOn: '2025-10-01' },
      { percent: 50, reachedOn: '2026-10-02' },
      { percent: 75, reachedOn: '2026-10-03' },
      { percent: 100, reachedOn: '2026-10-03' },
    ],
    latest: [
      { id: last.id, name: null, money: money(5_000), isRecurring: false },
      { name: 'Hill Bakery', money: money(3_000) },
      { name: 'Ada Byron', money: money(2_500) },
      { name: 'Hill Bakery', money: money(1_000) },
    ],
  })

  // What is corrected or taken back is gone from all of it.
  await boss.patch(`/data/gifts/${last.id}`, { allocations: [{ fundId: library.id, amount: 5_000 }] }, match(last.version))
  const { payment } = made<{ payment: { id: string; version: number } }>(await boss.get(`/data/gifts/${last.id}`))
  expect((await overviewOf(boss, one)).funds).toMatchObject([{ raised: 7_000 }, { raised: 4_500 }])
  await boss.post(`/data/payments/${payment.id}/reverse`, { reason: 'Bounced' }, match(payment.version))
  const after = await overviewOf(boss, one)
  expect(after.campaign.totals).toMatchObject({ raised: 6_500, settled: 6_500, gifts: 3 })
  expect(after.sizes).toEqual([
    { from: 1_000, to: 2_000, gifts: 1 },
    { from: 2_000, to: null, gifts: 2 },
  ])
  expect(after.funds).toMatchObject([{ fund: { name: 'Main' }, raised: 4_500 }, { raised: 2_000 }])
  expect(after.line).toHaveLength(2)
  expect(after.latest).toHaveLength(3)
})

test('a gift that goes to another campaign takes its size and its funds along', async ({ boss, campaign, gift, fund }) => {
  const main = await fund('Main')
  const [from, to] = [await campaign({ fundId: main.id }), await campaign({ fundId: main.id })]
  const { id, version } = await gift(from, 700)
  made(await boss.patch(`/data/gifts/${id}`, { campaignId: to.id }, match(version)))
  expect(await overviewOf(boss, from)).toMatchObject({
    campaign: { totals: { raised: 0, gifts: 0 } },
    sizes: [],
    funds: [],
    line: [],
    latest: [],
  })
  expect(await overviewOf(boss, to)).toMatchObject({
    ...{ campaign: { totals: { raised: 700, gifts: 1 } }, sizes: [{ from: 500, to: null, gifts: 1 }] },
    ...{ funds: [{ fund: { name: 'Main' }, raised: 700 }], line: [{ raised: 700 }], latest: [{ id }] },
  })
})

test('an officer sees what came for a campaign of the chapter and everywhere, and no donor', async ({
  api,
  officer,
  west,
  person,
  org,
  campaign,
  gift,
}) => {
  const ada = await person({ org, chapterId: west, givenName: 'Ada', familyName: 'Byron' })
  const local = await campaign({ chapterId: west })
  await gift(local, 5_000, { personId: ada.personId, note: 'Knows the bakery' })
  const member = api.as(await person({ org, chapterId: west }))
  for (const client of [officer, member]) {
    const overview = await overviewOf(client, local)
    expect(overview).toMatchObject({
      campaign: { totals: { raised: 5_000, donors: 1 } },
      latest: [{ id: null, name: null, money: { amount: 5_000 } }],
    })
    const pages = [
      '/data/gifts',
      '/data/gifts/totals',
      '/data/donors',
      '/data/pledges',
      '/data/recurring-gifts',
      '/data/payments',
      '/data/receipts',
      '/data/fundraising/figures',
    ]
    const texts = [JSON.stringify(overview), ...(await Promise.all(pages.map(async (page) => (await client.get(page)).text)))]
    for (const text of texts) expect(text).not.toMatch(/Ada|Byron|bakery/)
  }
})

test('figures are those of a period and of the year before, as far as their reader may see', async ({
  api,
  boss,
  officer,
  org,
  west,
  person,
  campaign,
  gift,
  fund,
}) => {
  const ada = await person({ org })
  const [local, national] = [await campaign({ chapterId: west }), await campaign()]
  const main = await fund()
  await gift(national, 1_000, { receivedOn: '2025-02-01', personId: ada.personId })
  await gift(national, 500, { receivedOn: '2025-12-31', donorName: 'Old friend' })
  await gift(national, 2_000, { receivedOn: '2026-02-01', personId: ada.personId })
  await gift(local, 4_000, { receivedOn: '2026-03-01' })
  await gift(null, 300, { receivedOn: '2026-03-01', allocations: [{ fundId: main.id, amount: 300 }] })
  const figures = async (client: Client, query = '') =>
    made<FundraisingFigures>(await client.get(`/data/fundraising/figures?since=2026-01-01&until=2026-06-30${query}`))
  expect(await figures(boss)).toMatchObject({
    ...{
      currency: 'EUR',
      raised: 6_300,
      settled: 6_300,
      refunded: 0,
      gifts: 3,
      donors: 2,
      averageGift: 2_100,
      pledged: 0,
      recurring: 0,
      retained: 0.5,
    },
    before: { raised: 1_000, gifts: 1, donors: 1, recurring: 0, retained: null },
  })
  expect(await figures(boss, `&chapterId=${west}`)).toMatchObject({ raised: 4_000, donors: 1, retained: null, before: { raised: 0 } })
  expect(await figures(officer, `&chapterId=${west}`)).toMatchObject({ raised: 4_000 })
  expect(made<FundraisingFigures>(await boss.get('/data/fundraising/figures?since=2026-02-01&until=2026-02-28'))).toMatchObject({
    raised: 2_000,
    before: { raised: 0 },
  })
  const guest = api.as(await person({ org, chapterId: null }))
  expect((await guest.get('/data/fundraising/figures')).status).toBe(404)
  expect(await boss.get('/data/fundraising/figures?since=2026-02-01&until=2026-01-01')).toMatchObject({
    status: 422,
    body: { reason: 'dates' },
  })
  expect(await boss.get('/data/fundraising/figures?chapterId=01920000-0000-7000-8000-000000000000')).toMatchObject({ status: 422 })
})

test('a line of many years has a point for each week, and each knows what stood a year before', () => {
  const days = Array.from({ length: 1_500 }, (_, nth) => ({
    day: new Date(Date.UTC(2024, 0, 1 + nth)).toISOString().slice(0, 10),
    ...{ raised: nth + 1, gifts: nth + 1, donors: 1 },
  }))
  const line = lineOf(days)
  expect(line.length).toBeLessThanOrEqual(mostPoints)
  expect(line.at(-1)).toEqual({ day: days.at(-1)?.day, raised: 1_500, before: 1_135 })
  expect(line[0]?.before).toBeNull()
  expect(lineOf([])).toEqual([])
  expect(lineOf([{ day: '2028-02-28', raised: 1, gifts: 1, donors: 1 }, { day: '2028-02-29', raised: 3, gifts: 2, donors: 2 }]).length).toBe(2) // prettier-ignore
})

test('sizes have no gap between them', () => {
  expect(sizesOf([{ from: 200, gifts: 3 }, { from: 2_000, gifts: 1 }])).toEqual([
    { from: 200, to: 500, gifts: 3 },
    { from: 500, to: 1_000, gifts: 0 },
    { from: 1_000, to: 2_000, gifts: 0 },
    { from: 2_000, to: null, gifts: 1 },
  ]) // prettier-ignore
  expect(sizesOf([])).toEqual([])
})
