import { randomUUID } from 'node:crypto'
import type { Donor, GivingStatement, GivingSummary } from '@guildhall/contract/features/fundraising.donors'
import { expect } from 'vitest'
import { filterOf } from '../fundraising.testing.ts'
import { test } from '../giving/fundraising.giving.testing.ts'

const euros = (amount: number) => ({ amount, currency: 'EUR' })
type Donors = { items: Donor[]; nextCursor: string | null; total: number | null }

test('donors are listed with what they gave, page by page, and by who has lapsed, gave last year, is new or gives again and again', async ({
  admin,
  boss,
  campaign,
  gift,
  org,
  person,
  till,
}) => {
  const appeal = await campaign()
  const { rows } = await admin.query<{ year: number; today: string }>(
    `select extract(year from app_private.today_of($1))::int as year, app_private.today_of($1)::text as today`,
    [org.id],
  )
  const { year = 0, today = '' } = rows[0] ?? {}
  const people = Object.fromEntries(
    await Promise.all(
      ['lapsed', 'last', 'fresh', 'loyal'].map(
        async (name) => [name, (await person({ org, givenName: name, familyName: 'Donor' })).personId] as const,
      ),
    ),
  )
  const give = (name: string, amount: number, receivedOn: string) => gift(appeal, amount, { personId: people[name], receivedOn })
  await give('lapsed', 9000, `${year - 2}-05-01`)
  await give('last', 7000, `${year - 1}-05-01`)
  await give('last', 500, `${year - 2}-05-01`)
  await give('fresh', 3000, today)
  await give('loyal', 2000, `${year - 1}-06-01`)
  await give('loyal', 2500, today)
  await till.give(appeal.slug, { email: `${randomUUID()}@example.org`, name: 'Recurring Donor', every: 'month', own: '10' })
  await till.pay(till.begun()[0] ?? '')

  const list = async (query: string): Promise<Donors> => (await boss.get(`/data/donors?${query}`)).body
  const names = async (query: string) => (await list(query)).items.map(({ person: { displayName } }) => displayName.split(' ')[0])
  expect(await names('')).toEqual(['lapsed', 'last', 'loyal', 'fresh', 'Recurring'])
  expect((await list('sort=name')).items.find(({ person: { displayName } }) => displayName.startsWith('loyal'))).toMatchObject({
    ...{
      lifetime: euros(4500),
      thisYear: euros(2500),
      lastYear: euros(2000),
      gifts: 2,
      largest: euros(2500),
      lastOn: today,
      isRecurring: false,
    },
    firstOn: `${year - 1}-06-01`,
  })
  const segment = (value: string) => names(`sort=name&${filterOf({ field: 'segment', value })}`)
  expect(await segment('lapsed')).toEqual(['lapsed'])
  expect(await segment('notYet')).toEqual(['last'])
  expect((await segment('new')).toSorted()).toEqual(['Recurring', 'fresh'])
  expect(await segment('recurring')).toEqual(['Recurring'])
  expect(await names(filterOf({ field: 'lifetime', op: 'after', value: 45 }))).toEqual(['lapsed', 'last'])
  expect(await names(`campaignId=${appeal.id}&q=loyal`)).toEqual(['loyal'])
  expect((await boss.get(`/data/donors?${filterOf({ field: 'segment', value: 'rich' })}`)).status).toBe(422)
  const paged: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Donors = await list(`limit=2&sort=-thisYear${cursor && `&cursor=${cursor}`}`)
    paged.push(...page.items.map(({ person: { id } }) => id))
    cursor = page.nextCursor
  }
  expect(new Set(paged).size).toBe(5)
})

test('what somebody gave is for themselves and for those who see gifts', async ({ api, boss, campaign, gift, org, person, officer }) => {
  const appeal = await campaign()
  const donor = await person({ org })
  const { personId } = donor
  await gift(appeal, 4000, { personId, receivedOn: '2025-02-01' })
  await gift(appeal, 6000, { personId, receivedOn: '2025-03-01', donorName: '' })
  await gift(null, 700, {
    personId,
    receivedOn: '2026-03-01',
    money: { amount: 700, currency: 'USD' },
    allocations: [{ fundId: appeal.fund?.id, amount: 700 }],
  })
  const own = api.as(donor)
  const summary: GivingSummary = (await own.get(`/data/people/${personId}/giving`)).body
  expect(summary).toMatchObject({
    ...{
      lifetime: [euros(10_000), { amount: 700, currency: 'USD' }],
      gifts: 3,
      firstOn: '2025-02-01',
      lastOn: '2026-03-01',
      largest: euros(6000),
    },
    years: expect.arrayContaining([{ year: 2025, raised: 10_000 }]),
  })
  expect((await boss.get(`/data/people/${personId}/giving`)).body).toEqual(summary)
  const period = 'since=2025-01-01&until=2025-12-31'
  const statement: GivingStatement = (await own.get(`/data/people/${personId}/giving-statement?${period}`)).body
  expect(statement).toMatchObject({
    ...{ totals: [euros(10_000)], person: { id: personId } },
    gifts: [
      { on: '2025-02-01', campaign: 'Spring appeal', money: euros(4000), receipt: expect.any(String) },
      { on: '2025-03-01', money: euros(6000) },
    ],
  })
  const printed = await own.post(`/actions/people/${personId}/giving-statement/pdf`, { since: '2025-01-01', until: '2025-12-31' })
  expect(printed).toMatchObject({ status: 200, headers: { 'content-type': 'application/pdf' } })
  for (const other of [api.as(await person({ org })), officer]) {
    expect((await other.get(`/data/people/${personId}/giving`)).status).toBe(404)
    expect((await other.get(`/data/people/${personId}/giving-statement?${period}`)).status).toBe(404)
    expect((await other.get('/data/donors')).body).toMatchObject({ items: [] })
  }
})

test('a chapter is paid what it has of gifts, and not more; a wrong entry is taken back', async ({
  boss,
  campaign,
  gift,
  owner,
  org,
  person,
  west,
  officer,
  api,
}) => {
  const appeal = await campaign({ shareChapterId: west, shareBps: 2500 })
  await gift(appeal, 10_000)
  const small = await gift(appeal, 4000)
  const shares = async (client = boss) => (await client.get('/data/chapter-shares')).body
  expect(await shares()).toMatchObject({
    items: [{ chapter: { id: west }, currency: 'EUR', share: 3500, paidOut: 0, balance: 3500, gifts: 2, lastPaidOn: null }],
    may: { pay: true },
  })
  const said = { chapterId: west, money: euros(3500), paidOn: '2026-06-01', reference: 'T-1' }
  const pay = (more: object = {}) => boss.post('/data/chapter-payouts', { ...said, ...more })
  expect((await pay({ money: euros(3501) })).body).toMatchObject({ reason: 'payout_too_large', params: { left: 3500 } })
  const payout = await pay()
  expect(payout).toMatchObject({ status: 201, body: { money: euros(3500), reversal: null, may: { reverse: true } } })
  expect(await shares()).toMatchObject({ items: [{ paidOut: 3500, balance: 0, lastPaidOn: '2026-06-01' }] })
  // What is refunded afterwards is owed back.
  const { payment } = (await boss.get(`/data/gifts/${small.id}`)).body as { payment: { id: string; version: number } }
  const refund = { amount: 4000, reason: 'Asked for it' }
  await boss.post(`/actions/payments/${payment.id}/refund`, refund, { 'if-match': `"${payment.version}"`, ...owner.proof })
  expect(await shares()).toMatchObject({ items: [{ share: 2500, balance: -1000, gifts: 1 }] })
  const { id, version } = payout.body as { id: string; version: number }
  const reverse = (known: number) => boss.post(`/data/chapter-payouts/${id}/reverse`, { reason: 'Twice' }, { 'if-match': `"${known}"` })
  expect((await reverse(version + 1)).status).toBe(412)
  expect((await reverse(version)).body).toMatchObject({ reversal: { reason: 'Twice' }, may: { reverse: false } })
  expect((await reverse(version + 1)).body).toMatchObject({ reason: 'payout_reversed' })
  expect(await shares()).toMatchObject({ items: [{ paidOut: 0, balance: 2500, lastPaidOn: null }] })
  // The officer of the chapter sees its share, and no gift.
  expect(await shares(officer)).toMatchObject({ items: [{ chapter: { id: west }, share: 2500, gifts: 1 }], may: { pay: false } })
  expect((await officer.post('/data/chapter-payouts', said)).status).toBe(403)
  expect(await shares(api.as(await person({ org })))).toMatchObject({ items: [], may: { pay: false } })
})
