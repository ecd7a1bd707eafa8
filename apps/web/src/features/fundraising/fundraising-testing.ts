import { documentOf } from '@guildhall/contract/formatted-document'
import type {
  Campaign,
  CampaignOverview,
  CampaignRow,
  FundraisingFigures,
  FundraisingSettings,
  Fund,
} from '@guildhall/contract/features/fundraising'
import type { Gift } from '@guildhall/contract/features/fundraising.gifts'
import { fake, uuid } from '../../testing/fake-api.ts'

export const euros = (amount: number) => ({ amount, currency: 'EUR' })
export const pageOf = <Item>(items: Item[]) => ({ items, nextCursor: null, total: items.length, totalIsExact: true })

/** An appeal that runs, halfway to its goal. */
export const gardenRow: CampaignRow = {
  id: uuid(31),
  name: 'Garden',
  slug: 'garden',
  kind: 'appeal',
  status: 'active',
  visibility: 'public',
  chapter: null,
  currency: 'EUR',
  goalKind: 'amount',
  goal: 1_000_000,
  reached: 500_000,
  startsOn: null,
  endsOn: '2096-12-31',
  summary: 'Trees behind the hall.',
  coverFileId: null,
  coverAlt: '',
  totals: {
    settled: 520_000,
    refunded: 20_000,
    raised: 500_000,
    pledged: 30_000,
    gifts: 40,
    donors: 31,
    recurring: 12_500,
    recurringGifts: 5,
    averageGift: 12_500,
    lastGiftAt: '2026-11-20T10:00:00Z',
  },
  archivedAt: null,
  createdAt: '2026-01-01T00:00:00Z',
  version: 3,
}
export const general = { id: uuid(41), name: 'General fund' }
export const trees = { id: uuid(42), name: 'Trees' }

export const mayAll = { edit: true, give: true, record: true, seeGifts: true, manageGifts: true }
export const garden: Campaign = {
  ...gardenRow,
  story: documentOf('Ten oaks for the next hundred years.'),
  suggested: [
    { amount: 2_500, words: 'plants a hedge' },
    { amount: 5_000, words: 'plants a tree' },
  ],
  minAmount: 500,
  maxAmount: null,
  allowsRecurring: true,
  allowsCoverFees: true,
  fund: general,
  funds: [trees],
  thanks: 'The trees thank you.',
  share: null,
  givingUrl: 'https://give.example/public/giving/garden',
  updatedAt: '2026-01-01T00:00:00Z',
  may: mayAll,
}
/** The same before it has begun: nothing but a name. */
export const draft: Campaign = {
  ...garden,
  status: 'draft',
  goal: null,
  reached: 0,
  endsOn: null,
  summary: '',
  story: documentOf(''),
  suggested: [],
  fund: null,
  funds: [],
  totals: {
    ...{ settled: 0, refunded: 0, raised: 0, pledged: 0, gifts: 0, donors: 0, recurring: 0, recurringGifts: 0 },
    ...{ averageGift: null, lastGiftAt: null },
  },
  may: { ...mayAll, give: false, record: false },
}

export const overviewOf = (campaign: CampaignRow): CampaignOverview => ({
  campaign,
  line: [
    { day: '2026-11-01', raised: 100_000, before: null },
    { day: '2026-11-20', raised: 500_000, before: 200_000 },
  ],
  sizes: [
    { from: 0, to: 5_000, gifts: 10 },
    { from: 5_000, to: 10_000, gifts: 25 },
    { from: 10_000, to: null, gifts: 5 },
  ],
  funds: [
    { fund: general, raised: 400_000 },
    { fund: trees, raised: 100_000 },
  ],
  latest: [
    { id: uuid(51), name: 'Ada Byron', money: euros(5_000), at: '2026-11-20T10:00:00Z', isRecurring: true },
    { id: null, name: null, money: euros(2_500), at: '2026-11-19T10:00:00Z', isRecurring: false },
  ],
  milestones: [
    { percent: 25, reachedOn: '2026-11-10' },
    { percent: 50, reachedOn: '2026-11-20' },
    { percent: 75, reachedOn: null },
    { percent: 100, reachedOn: null },
  ],
  daysLeft: 12,
})

export const figures: FundraisingFigures = {
  ...{ currency: 'EUR', raised: 1_200_000, settled: 1_250_000, refunded: 50_000, pledged: 80_000, gifts: 96, donors: 60 },
  ...{ averageGift: 12_500, recurring: 40_000, retained: 0.64 },
  before: { raised: 1_000_000, gifts: 100, donors: 75, recurring: 40_000, retained: 0.6 },
}

export const fund: Fund = {
  ...general,
  code: '4100',
  description: 'Where most gifts go',
  chapter: null,
  settled: [euros(400_000)],
  gifts: 30,
  archivedAt: null,
  version: 2,
  may: { edit: true },
}

export const settings: FundraisingSettings = {
  ...{ feeBps: 150, feeFixed: 25, maxAmount: 1_000_000, thankYouDays: 3 },
  ...{ thankYouSubject: 'Thank you, {first_name}', thankYouBody: 'Your {amount} for {campaign} helps {organisation}.' },
  ...{ takesCards: true, mayEdit: true, version: 1 },
}

export const gift: Gift = {
  ...{ id: uuid(52), donor: { id: uuid(2), displayName: 'Olive Owner' }, donorName: 'Olive Owner', donorEmail: 'olive@demo.example' },
  ...{ campaign: { id: garden.id, name: garden.name }, chapter: null, money: euros(7_500), refunded: euros(0), feeCovered: 0 },
  ...{ method: 'card', status: 'pending', source: 'own', isAnonymous: true, isTest: false, counts: true, planId: null },
  ...{ receivedOn: null, settledAt: null, thankedAt: null, createdAt: '2026-11-20T10:00:00Z', version: 1 },
  ...{ allocations: [{ fund: trees, amount: 7_500, settled: 0 }], share: null, tribute: null, message: 'For the oaks', note: '' },
  payment: { id: uuid(53), state: 'pending', reference: '', disputeState: null, failure: null, version: 1 },
  ...{ receipt: null, receipts: [], refunds: [], thanked: null, pledgeId: null },
  may: { edit: false, refund: false, reverse: false, thank: false },
}

const { fundraising, lists, payments } = fake.data
export const views = { views: { list: lists.views.list.handler(() => ({ items: [] })) } }
/** What the pages of a campaign ask for; tests lay their own answers over it. */
export const answers = (campaign: () => Campaign = () => garden) => ({
  get: fundraising.get.handler(campaign),
  overview: fundraising.overview.handler(() => overviewOf(campaign())),
  list: fundraising.list.handler(() => pageOf([gardenRow])),
  figures: fundraising.figures.handler(() => figures),
  settings: { get: fundraising.settings.get.handler(() => settings) },
  funds: { list: fundraising.funds.list.handler(() => ({ items: [fund, { ...fund, ...trees, code: '', gifts: 0, settled: [] }] })) },
  gifts: {
    list: fundraising.gifts.list.handler(() => pageOf([])),
    totals: fundraising.gifts.totals.handler(() => ({ items: [] })),
  },
})
const card = { items: [], canPayOnline: true, isTestMode: false, testsCount: false, transfer: null }
export const ways = { methods: { list: payments.methods.list.handler(() => card) } }
