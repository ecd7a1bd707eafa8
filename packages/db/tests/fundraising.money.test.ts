import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addsUp, refusal, setGiving, someone } from './fundraising-testing.ts'
import type { Giving } from './fundraising-testing.ts'

let g: Giving
let me: string
beforeAll(async () => {
  g = await setGiving()
  me = (await g.as<{ id: string }>('member', 'select app.person_id() as id'))[0]?.id ?? ''
})
afterAll(() => g.end())

test('a gift recorded by hand has settled at once, is allocated, counted, and confirmed by a receipt that is mailed', async () => {
  const [person, campaign] = [await someone(g), await g.newCampaign({ name: 'Bells', fund_id: g.general })]
  const id = await g.record({
    ...{ amount: 10_001, person_id: person, campaign_id: campaign, note: 'In an envelope' },
    allocations: [
      { fund_id: g.general, amount: 10_000 },
      { fund_id: g.library, amount: 1 },
    ],
  })
  expect(await g.gift(id)).toMatchObject({
    status: 'settled',
    counted_amount: '10001',
    person_id: person,
    source: 'office',
    currency: 'EUR',
  })
  expect(await g.allocations(id)).toEqual([
    [10_000, 10_000],
    [1, 1],
  ])
  expect(await g.payments(id)).toMatchObject([
    { state: 'settled', kind: 'manual', person_id: person, books_chapter_id: null, chapter_id: null },
  ])
  const [receipt] = await g.receipts(id)
  expect(receipt).toMatchObject({ state: 'issued', person_id: person, amount: '10001' })
  expect(receipt?.['lines']).toEqual([
    { invoice: null, text: expect.stringMatching(/^Bells: General/), amount: 10_000 },
    { invoice: null, text: expect.stringMatching(/^Bells: Library/), amount: 1 },
  ])
  expect((await g.mails('gift-receipt')).at(-1)).toMatchObject({ person_id: person, address: null, params: { gift: id } })
  expect(await g.totals(campaign)).toMatchObject({ gifts: 1, donors: 1, settled: 10_001, refunded: 0 })
  expect(await g.one('select note from app.giving_notes where gift_id = $1', [id])).toEqual({ note: 'In an envelope' })
  await addsUp(g)
})

test('sent twice it is one gift; in the batch of an evening they come all or none', async () => {
  const said = { amount: 500, campaign_id: g.campaign, attempt: randomUUID() }
  expect(await g.record(said)).toBe(await g.record(said))
  const batch = randomUUID()
  const list = [1, 2, 3].map((n) => ({ amount: n * 100, method: 'cash', campaign_id: g.campaign, donor_name: `Stall ${n}` }))
  const made = await g.as<{ id: string }>('owner', 'select app.record_gifts($1::jsonb, $2) as id', [JSON.stringify(list), batch])
  expect(
    (await g.rows('select amount::int as amount, donor_name from app.gifts where batch_id = $1 order by id', [batch])).map(
      (row) => row['amount'],
    ),
  ).toEqual([100, 200, 300])
  expect(made).toHaveLength(3)
  const broken = [...list, { amount: 1, method: 'cash', campaign_id: randomUUID() }]
  await expect(g.as('owner', 'select app.record_gifts($1::jsonb, $2)', [JSON.stringify(broken), randomUUID()])).rejects.toMatchObject(
    refusal('gift_campaign_unknown'),
  )
  expect(await g.one('select count(*)::int as n from app.gifts where donor_name = $1', ['Stall 1'])).toEqual({ n: 1 })
})

test('a reference is found by how it begins, whatever its case; marks in it are taken literally, and nobody finds what they may not see', async () => {
  const references = ['Till 5%_a', 'till 5%_b', 'Till 50_a']
  const ids = []
  for (const reference of references) ids.push(await g.record({ amount: 100, campaign_id: g.campaign, reference }))
  const found = async (words: string, role: 'owner' | 'member' = 'owner') => {
    const text = 'select p.gift_id as id from app.payments p where p.id in (select app.payments_referring($1)) order by p.id'
    return (await g.as<{ id: string }>(role, text, [words])).map(({ id }) => id)
  }
  expect(await found('TILL 5')).toEqual(ids)
  expect(await found('till 5%_')).toEqual(ids.slice(0, 2))
  expect(await found(' ')).toEqual([])
  expect(await found("'; select 1; --")).toEqual([])
  expect(await found('till 5\\')).toEqual([])
  expect(await found('till 5', 'member')).toEqual([])
})

test('who is no person has a receipt by name, mailed to the address that was given; a collection has none', async () => {
  const firm = await g.record({ amount: 900, campaign_id: g.campaign, donor_name: 'Firm & Sons', donor_email: 'firm@example.org' })
  expect(await g.receipts(firm)).toMatchObject([{ state: 'issued', person_id: null, billing: { name: 'Firm & Sons', lines: [] } }])
  expect((await g.mails('gift-receipt')).at(-1)).toMatchObject({ person_id: null, address: 'firm@example.org' })
  const box = await g.record({ amount: 900, campaign_id: g.campaign })
  expect(await g.receipts(box)).toEqual([])
  const before = (await g.mails('gift-receipt')).length
  const quiet = await g.record({ amount: 900, campaign_id: g.campaign, person_id: await someone(g), wants_receipt_mail: false })
  expect(await g.receipts(quiet)).toMatchObject([{ state: 'issued', sent_at: null }])
  expect(await g.mails('gift-receipt')).toHaveLength(before)
})

test('what cannot be recorded says why', async () => {
  const draft = await g.newCampaign({ name: 'Later', status: 'draft' })
  const dollars = await g.newCampaign({ name: 'Dollars', fund_id: g.general, currency: 'USD' })
  const old = await g.fund('Old', { archived_at: new Date() })
  const merged = await g.person('Twin')
  await g.rows(`update app.people set lifecycle = 'merged', merged_into = $2 where id = $1`, [merged, me])
  const said = { amount: 100, campaign_id: g.campaign }
  await expect(g.record({ ...said, received_on: '2999-01-01' })).rejects.toMatchObject(refusal('payment_in_future'))
  await expect(g.record({ ...said, campaign_id: draft })).rejects.toMatchObject(refusal('gift_campaign_closed'))
  await expect(g.record({ ...said, currency: 'EUR', campaign_id: dollars })).rejects.toMatchObject(refusal('gift_currency'))
  await expect(g.record({ amount: 100 })).rejects.toMatchObject(refusal('gift_fund_needed'))
  await expect(g.record({ ...said, fund_id: randomUUID() })).rejects.toMatchObject(refusal('gift_fund_unknown'))
  await expect(g.record({ ...said, fund_id: old })).rejects.toMatchObject(refusal('fund_archived'))
  await expect(g.record({ ...said, person_id: randomUUID() })).rejects.toMatchObject(refusal('gift_person_unknown'))
  await expect(g.record({ ...said, person_id: merged })).rejects.toMatchObject(refusal('person_merged'))
  await expect(g.record({ ...said, allocations: [{ fund_id: g.general, amount: 99 }] })).rejects.toMatchObject({
    constraint: 'gift_allocation',
    detail: '{"amount" : 100, "allocated" : 99}',
  })
  const twice = [1, 2].map(() => ({ fund_id: g.general, amount: 50 }))
  await expect(g.record({ ...said, allocations: twice })).rejects.toMatchObject(refusal('gift_allocation'))
})

test('a part that is given back leaves the rest, to the last unit; given back in full nothing is left', async () => {
  const campaign = await g.newCampaign({ name: 'Bits', fund_id: g.general })
  const funds = [g.general, g.library, await g.fund('Third')]
  const id = await g.record({
    amount: 100,
    campaign_id: campaign,
    person_id: me,
    allocations: funds.map((fund_id, n) => ({ fund_id, amount: [33, 33, 34][n] })),
  })
  const [payment] = await g.payments(id)
  await g.refund(payment?.id ?? '', 50)
  expect(await g.gift(id)).toMatchObject({ status: 'partly_refunded', counted_amount: '50', refunded_amount: '50' })
  expect(await g.allocations(id)).toEqual([
    [33, 17],
    [33, 16],
    [34, 17],
  ])
  expect((await g.receipts(id)).map((row) => [row['state'], row['amount'], row['reason']])).toEqual([
    ['replaced', '100', ''],
    ['issued', '50', 'Refund'],
  ])
  expect(await g.totals(campaign)).toMatchObject({ gifts: 1, donors: 1, settled: 100, refunded: 50 })
  await expect(g.refund(payment?.id ?? '', 51)).rejects.toMatchObject(refusal('refund_too_large'))
  await g.refund(payment?.id ?? '', 50)
  expect(await g.gift(id)).toMatchObject({ status: 'refunded', counted_amount: '0' })
  expect((await g.receipts(id)).map((row) => row['state'])).toEqual(['replaced', 'void'])
  expect(await g.totals(campaign)).toMatchObject({ gifts: 0, donors: 0, settled: 100, refunded: 100 })
  await addsUp(g)
})

test('what was recorded by mistake is reversed, and counts nowhere', async () => {
  const campaign = await g.newCampaign({ name: 'Slip', fund_id: g.general })
  const id = await g.record({ amount: 700, campaign_id: campaign, person_id: me })
  const [payment] = await g.payments(id)
  await g.as('finance', `select app.reverse_payment($1, 'Typed twice')`, [payment?.id])
  expect(await g.gift(id)).toMatchObject({ status: 'reversed', counted_amount: '0' })
  expect(await g.allocations(id)).toEqual([[700, 0]])
  expect((await g.receipts(id)).map((row) => row['state'])).toEqual(['void'])
  expect(await g.totals(campaign)).toMatchObject({ gifts: 0, donors: 0, settled: 0, refunded: 0 })
  await addsUp(g)
})

test('a gift on a page is pending until the provider says so; a dispute takes it away and gives it back', async () => {
  const campaign = await g.newCampaign({ name: 'Page', fund_id: g.general })
  const begun = await g.begin({ campaign_id: campaign, amount: 2_500 })
  expect(begun).toMatchObject({ amount: 2_500, number: 'Page', saves: false })
  const gift = await g.giftOf(begun.payment_id)
  expect(gift).toMatchObject({ status: 'pending', person_id: me, counted_amount: '0' })
  expect(await g.totals(campaign)).toMatchObject({ gifts: 0, settled: 0 })
  await g.read(begun.payment_id, { state: 'pending', failure: 'declined', settled_at: null })
  expect(await g.gift(gift.id)).toMatchObject({ status: 'pending' })
  await g.read(begun.payment_id)
  expect(await g.gift(gift.id)).toMatchObject({ status: 'settled', counted_amount: '2500' })
  await g.read(begun.payment_id, { dispute: 'dp_1', dispute_state: 'open' })
  expect(await g.gift(gift.id)).toMatchObject({ status: 'disputed', counted_amount: '0' })
  expect((await g.receipts(gift.id)).map((row) => row['state'])).toEqual(['issued'])
  expect(await g.totals(campaign)).toMatchObject({ gifts: 0, settled: 0 })
  await g.read(begun.payment_id, { dispute: 'dp_1', dispute_state: 'won' })
  expect(await g.gift(gift.id)).toMatchObject({ status: 'settled', counted_amount: '2500' })
  await g.read(begun.payment_id, {
    dispute: 'dp_1',
    dispute_state: 'won',
    refunds: [{ id: 're_1', refund: null, amount: 500, state: 'settled', failure: null }],
  })
  expect(await g.gift(gift.id)).toMatchObject({ status: 'partly_refunded', counted_amount: '2000' })
  await g.read(begun.payment_id, {
    dispute: 'dp_2',
    dispute_state: 'lost',
    refunds: [{ id: 're_1', refund: null, amount: 500, state: 'settled', failure: null }],
  })
  expect(await g.gift(gift.id)).toMatchObject({ status: 'disputed', counted_amount: '0' })
  expect((await g.receipts(gift.id)).map((row) => row['state'])).toEqual(['replaced', 'void'])
  await addsUp(g)
})

test('a test payment that does not count is worth nothing, and makes nobody a person', async () => {
  const campaign = await g.newCampaign({ name: 'Trial', fund_id: g.general, slug: 'trial' })
  const begun = await g.beginPublic('trial', { amount: 900, donor_name: 'Tess Tester', donor_email: 'tess@example.org' }, false)
  await g.read(begun.payment_id, { is_live: false, counts: false })
  expect(await g.giftOf(begun.payment_id)).toMatchObject({
    status: 'settled',
    counts: false,
    counted_amount: '0',
    person_id: null,
    is_test: true,
  })
  expect(await g.totals(campaign)).toMatchObject({ gifts: 0, donors: 0, settled: 0 })
  expect(await g.rows(`select from app.person_emails where org_id = $1 and address = 'tess@example.org'`, [g.orgId])).toEqual([])
  await addsUp(g)
})

test('who gives without an account becomes a person when the gift has come: the one with their address and name, or a new one', async () => {
  await g.newCampaign({ name: 'Door', fund_id: g.general, slug: 'door' })
  const known = await g.person('Grace', { family_name: 'Guest' })
  await g.rows(`insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, 'Family@example.org', true)`, [
    g.orgId,
    known,
  ])
  const give = async (donor_name: string, donor_email: string) => {
    const begun = await g.beginPublic('door', { amount: 100, donor_name, donor_email })
    expect(begun).toMatchObject({ email: donor_email, customer: null })
    expect(await g.giftOf(begun.payment_id)).toMatchObject({ person_id: null, status: 'pending' })
    await g.read(begun.payment_id)
    const gift = await g.giftOf(begun.payment_id)
    expect(await g.payments(gift.id)).toMatchObject([{ person_id: gift.person_id }])
    expect(await g.receipts(gift.id)).toMatchObject([{ person_id: gift.person_id, state: 'issued' }])
    return gift.person_id
  }
  expect(await give('  grace   GUEST', 'family@example.org')).toBe(known)
  const other = await give('Paul Guest', 'family@example.org')
  expect(other).not.toBe(known)
  expect(await give('Paul Guest', 'family@example.org')).toBe(other)
  expect(await g.one('select given_name, family_name, lifecycle from app.people where id = $1', [other])).toEqual({
    given_name: 'Paul',
    family_name: 'Guest',
    lifecycle: 'prospect',
  })
  await addsUp(g)
})

test('a form sent twice begins one gift on one page; once it has come, it is done', async () => {
  const attempt = randomUUID()
  const said = { campaign_id: g.campaign, amount: 300, attempt }
  const begun = await g.begin(said)
  expect((await g.begin(said)).payment_id).toBe(begun.payment_id)
  await expect(g.begin(said, 'leader')).rejects.toMatchObject({ code: '42501' })
  // A page that is about to end is another one, and the gift stays the same.
  await g.rows(`update app.payments set expires_at = now(), provider_session = 'cs_old' where id = $1`, [begun.payment_id])
  const again = await g.begin(said)
  expect(again.payment_id).not.toBe(begun.payment_id)
  expect(again.stale_sessions).toEqual(['cs_old'])
  expect((await g.giftOf(again.payment_id)).id).toBe((await g.giftOf(begun.payment_id)).id)
  expect(await g.giftOf(again.payment_id)).toMatchObject({ status: 'pending' })
  await g.read(again.payment_id)
  await expect(g.begin(said)).rejects.toMatchObject(refusal('gift_done'))
  // Somebody paid on the first page all the same: that is a gift of its own.
  const id = (await g.giftOf(again.payment_id)).id
  await g.read(begun.payment_id)
  const twin = await g.giftOf(begun.payment_id)
  expect(twin).toMatchObject({ twin_of_id: id, status: 'settled', counted_amount: '300' })
  expect(await g.gift(id)).toMatchObject({ status: 'settled', counted_amount: '300' })
  expect(await g.allocations(twin.id)).toEqual([[300, 300]])
  await addsUp(g)
})

test('a form that is sent again with another amount begins a gift of that amount, on a page of its own', async () => {
  await g.rows('insert into app.campaign_funds (org_id, campaign_id, fund_id) values ($1, $2, $3)', [g.orgId, g.campaign, g.library])
  const said = { campaign_id: g.campaign, amount: 2_000, attempt: randomUUID(), interval: 'month', message: 'First' }
  const first = await g.begin(said)
  const { id, plan_id } = await g.giftOf(first.payment_id)
  const second = await g.begin({ ...said, amount: 5_000, fund_id: g.library, interval: 'year', message: 'Second' })
  expect(second).toMatchObject({ amount: 5_000 })
  expect(await g.giftOf(second.payment_id)).toMatchObject({ id, plan_id, amount: '5000', message: 'Second', status: 'pending' })
  expect(await g.plan(plan_id ?? '')).toMatchObject({ amount: '5000', interval: 'year', status: 'pending' })
  expect(await g.allocations(id)).toEqual([[5_000, 0]])
  const once = await g.begin({ ...said, interval: undefined, amount: 5_000 })
  expect(once.saves).toBe(false)
  expect(await g.giftOf(once.payment_id)).toMatchObject({ id, plan_id: null })
  expect(await g.plan(plan_id ?? '')).toMatchObject({ status: 'cancelled' })
  // The first page was paid after all: the gift is what was paid.
  await g.read(first.payment_id)
  expect(await g.gift(id)).toMatchObject({ status: 'settled', amount: '2000', counted_amount: '2000' })
  expect(await g.allocations(id)).toEqual([[2_000, 2_000]])
  await addsUp(g)
})

test('where the office accepts another amount than was asked for, the gift is what was paid', async () => {
  await g.rows('insert into app.campaign_funds (org_id, campaign_id, fund_id) values ($1, $2, $3) on conflict do nothing', [
    g.orgId,
    g.campaign,
    g.library,
  ])
  const allocations = [
    { fund_id: g.general, amount: 99 },
    { fund_id: g.library, amount: 1 },
  ]
  const begun = await g.begin({ campaign_id: g.campaign, amount: 100, allocations })
  await g.read(begun.payment_id, { amount: 20 })
  expect(await g.giftOf(begun.payment_id)).toMatchObject({ status: 'pending', amount: '100' })
  const [difference] = await g.rows<{ id: string }>('select id from app.payment_differences where payment_id = $1', [begun.payment_id])
  await g.as('owner', `select app.answer_difference($1, 'accepted', 'Agreed')`, [difference?.id])
  await g.read(begun.payment_id)
  const gift = await g.giftOf(begun.payment_id)
  expect(gift).toMatchObject({ status: 'settled', amount: '20', counted_amount: '20' })
  expect(await g.allocations(gift.id)).toEqual([[20, 20]])
  await addsUp(g)
})

test('the card of a guest who gives once after all is not kept', async () => {
  const { slug } = await g.one<{ slug: string }>('select slug from app.campaigns where id = $1', [g.campaign])
  const said = { amount: 100, attempt: randomUUID(), donor_name: 'Olga Once', donor_email: 'olga@example.org' }
  const monthly = await g.beginPublic(slug, { ...said, interval: 'month' })
  const once = await g.beginPublic(slug, said)
  expect(once.payment_id).not.toBe(monthly.payment_id)
  // Paid on the page from before, which saves a card.
  await g.read(monthly.payment_id, { saved: { method: 'pm_olga', brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040 } })
  expect(await g.giftOf(monthly.payment_id)).toMatchObject({ status: 'settled', plan_id: null })
  expect(await g.rows(`select from app.payment_methods where provider_method = 'pm_olga'`)).toEqual([])
  // The other way round there is no card to charge, and so no plan.
  const other = { ...said, attempt: randomUUID() }
  const first = await g.beginPublic(slug, other)
  const again = await g.beginPublic(slug, { ...other, interval: 'month' })
  await g.read(first.payment_id)
  const { plan_id } = await g.giftOf(again.payment_id)
  expect(await g.plan(plan_id ?? '')).toMatchObject({ status: 'cancelled', stopped_by: null })
  await addsUp(g)
})

test('what a campaign does not take is refused', async () => {
  await g.rows('insert into app.fundraising_settings (org_id, fee_bps, fee_fixed, max_amount) values ($1, 140, 25, 50000)', [g.orgId])
  const narrow = {
    name: 'Narrow',
    fund_id: g.general,
    min_amount: 500,
    max_amount: 20_000,
    allows_recurring: false,
    allows_cover_fees: false,
  }
  const [campaign, free] = [await g.newCampaign(narrow), await g.newCampaign({ name: 'Free', fund_id: g.general })]
  const said = { campaign_id: campaign, amount: 1_000 }
  await expect(g.begin({ ...said, amount: 499 })).rejects.toMatchObject({
    constraint: 'gift_too_small',
    detail: '{"least" : 500, "currency" : "EUR"}',
  })
  await expect(g.begin({ ...said, amount: 20_001 })).rejects.toMatchObject({
    constraint: 'gift_too_large',
    detail: '{"most" : 20000, "currency" : "EUR"}',
  })
  await expect(g.begin({ campaign_id: free, amount: 50_001 })).rejects.toMatchObject({
    constraint: 'gift_too_large',
    detail: '{"most" : 50000, "currency" : "EUR"}',
  })
  await expect(g.begin({ ...said, interval: 'month' })).rejects.toMatchObject(refusal('gift_not_recurring'))
  await expect(g.begin({ ...said, covers_fees: true })).rejects.toMatchObject(refusal('gift_fee_not_covered'))
  await expect(g.begin({ ...said, currency: 'USD' })).rejects.toMatchObject(refusal('gift_currency'))
  await expect(g.begin({ ...said, fund_id: g.library })).rejects.toMatchObject(refusal('gift_fund_unknown'))
  await expect(g.begin({ ...said, campaign_id: randomUUID() })).rejects.toMatchObject(refusal('gift_campaign_unknown'))
  await g.rows('insert into app.campaign_funds (org_id, campaign_id, fund_id) values ($1, $2, $3)', [g.orgId, free, g.library])
  const covered = await g.begin({
    ...{ campaign_id: free, amount: 1_000, covers_fees: true },
    allocations: [
      { fund_id: g.library, amount: 400 },
      { fund_id: g.general, amount: 600 },
    ],
  })
  // 1040 less 1.4 % and 25 are 1000.
  expect(await g.giftOf(covered.payment_id)).toMatchObject({ amount: '1040', fee_covered: '40' })
  expect((await g.allocations((await g.giftOf(covered.payment_id)).id)).map(([amount]) => amount)).toEqual([440, 600])
  for (const change of [
    `status = 'paused'`,
    `status = 'active', ends_on = current_date - 1, starts_on = null`,
    `ends_on = null, starts_on = current_date + 2`,
  ]) {
    await g.rows(`update app.campaigns set ${change} where id = $1`, [free])
    await expect(g.begin({ campaign_id: free, amount: 1_000 })).rejects.toMatchObject(refusal('gift_campaign_closed'))
  }
  await g.rows(`update app.campaigns set starts_on = null, status = 'ended' where id = $1`, [free])
  await expect(g.begin({ campaign_id: free, amount: 1_000 })).rejects.toMatchObject(refusal('gift_campaign_closed'))
  expect(await g.gift(await g.record({ campaign_id: free, amount: 1_000 }))).toMatchObject({ status: 'settled' })
  await g.rows('delete from app.fundraising_settings where org_id = $1', [g.orgId])
})

test('a campaign keeps to the order of its life, and its currency from the first gift on', async () => {
  const id = await g.newCampaign({ name: 'Ünïque Näme!', status: 'draft' })
  expect(await g.one('select slug from app.campaigns where id = $1', [id])).toEqual({ slug: 'unique-name' })
  const next = await g.newCampaign({ name: 'Unique name', status: 'draft', currency: 'USD' })
  expect(await g.one('select slug from app.campaigns where id = $1', [next])).toEqual({ slug: 'unique-name-2' })
  const set = (change: string) => g.rows(`update app.campaigns set ${change} where id = $1`, [id])
  await expect(set(`status = 'paused'`)).rejects.toMatchObject({
    constraint: 'campaign_status',
    detail: '{"from" : "draft", "to" : "paused"}',
  })
  await expect(set(`status = 'active'`)).rejects.toMatchObject(refusal('campaign_fund_needed'))
  await set(`status = 'active', fund_id = '${g.general}', currency = 'USD'`)
  await set(`currency = 'EUR'`)
  await set(`status = 'paused'`)
  await set(`status = 'ended', ends_on = current_date - 1`)
  await expect(set(`status = 'active'`)).rejects.toMatchObject(refusal('campaign_over'))
  await set(`status = 'active', ends_on = null`)
  await expect(set(`suggested = '[{"amount": 0}]'`)).rejects.toMatchObject(refusal('campaign_suggested'))
  await g.record({ campaign_id: id, amount: 1 })
  await expect(set(`currency = 'USD'`)).rejects.toMatchObject(refusal('campaign_currency_fixed'))
  await expect(set(`chapter_id = '${g.stage.west.chapter}'`)).rejects.toMatchObject(refusal('campaign_chapter_fixed'))
  await expect(g.rows('update app.funds set archived_at = now() where id = $1', [g.general])).rejects.toMatchObject(refusal('fund_in_use'))
})
