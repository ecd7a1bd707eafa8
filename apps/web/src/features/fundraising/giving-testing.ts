import type { Campaign, CampaignTotals, Fund } from '@guildhall/contract/features/fundraising'
import type { Gift, GiftRow } from '@guildhall/contract/features/fundraising.gifts'
import type { Plan } from '@guildhall/contract/features/fundraising.plans'
import type { Pledge } from '@guildhall/contract/features/fundraising.pledges'
import type { Payment } from '@guildhall/contract/features/payments'
import { fake, me, uuid } from '../../testing/fake-api.ts'

// What tests of giving are about: Ada gave to the spring appeal.

export const euros = (amount: number) => ({ amount, currency: 'EUR' })
export const pageOf = <Item>(items: readonly Item[]) => ({ items: [...items], nextCursor: null, total: items.length, totalIsExact: true })

export const ada = { id: uuid(11), displayName: 'Ada Byron' }
export const appeal = { id: uuid(41), name: 'Spring appeal' }
export const general = { id: uuid(51), name: 'General' }
export const library = { id: uuid(52), name: 'Library' }

const at = '2026-11-20T10:00:00Z'

export const giftRow: GiftRow = {
  ...{ id: uuid(61), donor: ada, donorName: 'Ada Byron', campaign: appeal, chapter: null, money: euros(5000), refunded: euros(0) },
  ...{ method: 'card', status: 'settled', source: 'page', isAnonymous: false, isTest: false, counts: true, planId: null },
  ...{
    receivedOn: '2026-11-20',
    settledAt: at,
    thankedAt: null,
    receipt: { id: uuid(71), number: 'R-2026-00007' },
    createdAt: at,
    version: 3,
  },
}
export const gift: Gift = {
  ...giftRow,
  ...{ donorEmail: 'ada@example.org', feeCovered: 0, allocations: [{ fund: general, amount: 5000, settled: 5000 }], share: null },
  ...{ tribute: null, message: '', note: '', pledgeId: null, refunds: [], thanked: null },
  payment: { id: uuid(81), state: 'settled', reference: '', disputeState: null, failure: null, version: 5 },
  receipt: { id: uuid(71), number: 'R-2026-00007', sentAt: at },
  receipts: [{ id: uuid(71), number: 'R-2026-00007', state: 'issued', issuedOn: '2026-11-20' }],
  may: { edit: true, refund: true, reverse: false, thank: true },
}
export const payment: Payment = {
  ...{ id: uuid(81), kind: 'checkout', method: 'card', state: 'settled', failure: null, money: euros(5000), refunded: euros(0) },
  ...{ unallocated: euros(0), person: ada, chapter: null, receivedOn: null, settledAt: at, invoice: null, reference: '', note: '' },
  ...{ isTest: false, counts: true, disputeState: null, reversal: null, allocations: [], refunds: [], createdAt: at, version: 5 },
  may: { refund: true, reverse: false, allocate: false },
}

export const fund = ({ id, name }: { id: string; name: string }): Fund => ({
  ...{ id, name, code: '', description: '', chapter: null, settled: [], gifts: 0, archivedAt: null, version: 1 },
  may: { edit: true },
})

const totals: CampaignTotals = {
  ...{ settled: 5000, refunded: 0, raised: 5000, pledged: 0, gifts: 1, donors: 1, recurring: 0, recurringGifts: 0 },
  ...{ averageGift: 5000, lastGiftAt: at },
}
export const campaign: Campaign = {
  ...{ ...appeal, slug: 'spring-appeal', kind: 'appeal', status: 'active', visibility: 'public', chapter: null, currency: 'EUR' },
  ...{
    goalKind: 'amount',
    goal: 100_000,
    reached: 5000,
    startsOn: null,
    endsOn: null,
    summary: '',
    coverFileId: null,
    coverAlt: '',
    totals,
  },
  ...{ archivedAt: null, createdAt: at, version: 2, story: { type: 'doc', content: [] }, suggested: [], minAmount: 100, maxAmount: null },
  ...{ allowsRecurring: true, allowsCoverFees: true, fund: general, funds: [], thanks: '', share: null },
  ...{ givingUrl: 'https://guildhall.example/public/giving/spring-appeal', updatedAt: at },
  may: { edit: true, give: true, record: true, seeGifts: true, manageGifts: true },
}

export const plan: Plan = {
  ...{ id: uuid(91), donor: ada, donorName: 'Ada Byron', campaign: appeal, fund: general, chapter: null, money: euros(2000) },
  ...{ interval: 'month', status: 'active', startedOn: '2026-01-31', nextOn: '2026-12-31', retryOn: null, failures: 0, pausedUntil: null },
  ...{ endsOn: null, given: euros(22_000), gifts: 11, card: { brand: 'visa', last4: '4242', expMonth: 4, expYear: 2028 } },
  ...{ stoppedAt: null, stoppedBy: null, stopReason: '', createdAt: at, version: 7 },
  may: { change: true, stop: true },
}

export const pledge: Pledge = {
  ...{
    id: uuid(95),
    person: ada,
    campaign: appeal,
    fund: general,
    chapter: null,
    money: euros(10_000),
    paid: euros(0),
    overdue: euros(3334),
  },
  ...{ status: 'open', pledgedOn: '2026-10-01', nextDueOn: '2026-11-01', note: '', createdAt: at, version: 4 },
  instalments: [
    { id: uuid(96), dueOn: '2026-11-01', amount: 3334, state: 'overdue', giftId: null },
    { id: uuid(97), dueOn: '2026-12-01', amount: 3333, state: 'due', giftId: null },
    { id: uuid(98), dueOn: '2027-01-01', amount: 3333, state: 'due', giftId: null },
  ],
  may: { edit: true, pay: false },
}

/** What every page of giving asks for beside its own. */
export const around = {
  lists: { views: { list: fake.data.lists.views.list.handler(() => ({ items: [] })) } },
  account: {
    me: fake.data.account.me.handler(() => me()),
    updateLogin: fake.data.account.updateLogin.handler(() => {}),
    changes: fake.data.account.changes.handler(async function* () {}),
    audit: { list: fake.data.account.audit.list.handler(() => pageOf([])) },
  },
}
export const funds = { list: fake.data.fundraising.funds.list.handler(() => ({ items: [fund(general), fund(library)] })) }
export const getCampaign = fake.data.fundraising.get.handler(() => campaign)
