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

const shiftPlan = (id: string, change: string) => g.rows(`update app.recurring_plans set ${change} where id = $1`, [id])
async function runningPlan(more: object = {}) {
  const begun = await g.begin({ campaign_id: g.campaign, amount: 1_000, interval: 'month', ...more })
  expect(begun.saves).toBe(true)
  const { plan_id } = await g.giftOf(begun.payment_id)
  expect(await g.plan(plan_id ?? '')).toMatchObject({ status: 'pending' })
  await g.read(begun.payment_id, {
    saved: { method: `pm_${begun.payment_id}`, brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040 },
  })
  return plan_id ?? ''
}
const charge = async (plan: string) =>
  (await g.asWorker<{ id: string | null }>('select app.begin_plan_charge($1, $2, true, true) as id', [g.orgId, plan]))[0]?.id ?? null
const due = async () => (await g.asWorker<{ id: string }>('select p as id from app.plans_due($1) p', [g.orgId])).map(({ id }) => id)

test('the days of a plan are reckoned from its first one', async () => {
  const { rows } = await g.stage.admin.query<{ days: string[] }>(
    `with recursive d (day, n) as (select '2027-01-31'::date, 0 union all select app_private.plan_day_after('2027-01-31', 'month', day), n + 1 from d where n < 13)
     select array_agg(day::text order by n) as days from d`,
  )
  expect(rows[0]?.days.slice(0, 5)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'])
  expect(rows[0]?.days.at(-1)).toBe('2028-02-29')
  const after = async (start: string, every: string, day: string) =>
    (await g.one<{ day: string }>('select app_private.plan_day_after($1::date, $2, $3::date)::text as day', [start, every, day])).day
  expect(await after('2024-02-29', 'year', '2024-02-29')).toBe('2025-02-28')
  expect(await after('2024-02-29', 'year', '2027-03-01')).toBe('2028-02-29')
  expect(await after('2027-11-30', 'quarter', '2027-11-30')).toBe('2028-02-29')
  expect(await after('2027-11-30', 'quarter', '2028-02-29')).toBe('2028-05-30')
  expect(await after('2027-03-10', 'month', '2026-01-01')).toBe('2027-03-10')
})

test('the first gift begins a plan with its card; each month is a gift of its own, and the day stays', async () => {
  const before = await g.totals(g.campaign)
  const plan = await runningPlan()
  expect(await g.plan(plan)).toMatchObject({ status: 'active', person_id: me })
  expect(await g.totals(g.campaign)).toMatchObject({ plans: Number(before['plans']) + 1, recurring: Number(before['recurring']) + 1_000 })
  expect(await due()).not.toContain(plan)
  expect(await charge(plan)).toBeNull()
  await shiftPlan(plan, `started_on = '2026-01-31', next_on = '2026-02-28'`)
  expect(await due()).toContain(plan)
  const payment = (await charge(plan)) ?? ''
  expect(await charge(plan)).toBeNull()
  expect(await due()).not.toContain(plan)
  expect(await g.asWorker('select method, number from app.payment_to_charge($1, $2)', [g.orgId, payment])).toMatchObject([
    { number: 'Spring appeal' },
  ])
  await g.read(payment)
  expect(await g.giftOf(payment)).toMatchObject({ status: 'settled', source: 'plan', person_id: me })
  // Months that were missed are not made up for, and the day is still that of the first gift.
  const following = (await g.one<{ day: string }>(`select app_private.plan_day_after('2026-01-31', 'month', current_date)::text as day`))
    .day
  expect(await g.plan(plan)).toMatchObject({ status: 'active', next_on: following, failures: 0 })
  await shiftPlan(plan, `next_on = '2026-03-31', ends_on = current_date`)
  await g.read((await charge(plan)) ?? '')
  expect(await g.plan(plan)).toMatchObject({ status: 'completed', next_on: following })
  // Its card goes with it, and the provider is asked once to forget it.
  expect(await g.rows('select from app.payment_methods where plan_id = $1 and removed_at is null', [plan])).toEqual([])
  const forget = () => g.asWorker('select app.plan_cards_to_forget($1) as id', [g.orgId])
  expect(await forget()).toHaveLength(1)
  expect(await forget()).toEqual([])
  await addsUp(g)
})

test('a charge that fails is tried 3, 7 and 14 days after the first failure, and then the plan ends', async () => {
  const plan = await runningPlan()
  await shiftPlan(plan, `started_on = '2026-01-31', next_on = '2026-02-28'`)
  const [failedBefore, stoppedBefore] = [(await g.mails('plan-charge-failed')).length, (await g.mails('plan-stopped')).length]
  const today = (await g.one<{ day: string }>('select current_date::text as day')).day
  const later = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
  let gift = ''
  for (const [tries, days] of [3, 7, 14].entries()) {
    const payment = (await charge(plan)) ?? ''
    gift = (await g.giftOf(payment)).id
    await g.asWorker(`select app.note_charge($1, $2, null, 'declined')`, [g.orgId, payment])
    expect(await g.plan(plan)).toMatchObject({ status: 'past_due', failures: tries + 1, first_failed_on: today, retry_on: later(days) })
    expect(await g.gift(gift)).toMatchObject({ status: 'pending' })
    expect(await due()).not.toContain(plan)
    expect(await charge(plan)).toBeNull()
    await shiftPlan(plan, 'retry_on = current_date')
    expect(await due()).toContain(plan)
  }
  expect(await g.mails('plan-charge-failed')).toHaveLength(failedBefore + 1)
  const last = (await charge(plan)) ?? ''
  expect((await g.giftOf(last)).id).toBe(gift)
  await g.asWorker(`select app.note_charge($1, $2, null, 'declined')`, [g.orgId, last])
  expect(await g.plan(plan)).toMatchObject({ status: 'cancelled', stopped_by: 'failures', failures: 4, retry_on: null })
  expect(await g.gift(gift)).toMatchObject({ status: 'failed' })
  expect(await g.mails('plan-stopped')).toHaveLength(stoppedBefore + 1)
  expect((await g.mails('plan-stopped')).at(-1)).toMatchObject({ person_id: me, params: { plan } })
  expect(await due()).not.toContain(plan)
  await addsUp(g)
})

test('a try that succeeds sets a plan right again; without a card each try has failed before it began', async () => {
  const plan = await runningPlan()
  await shiftPlan(plan, `started_on = '2026-01-31', next_on = '2026-02-28'`)
  const first = (await charge(plan)) ?? ''
  await g.asWorker(`select app.note_charge($1, $2, null, 'declined')`, [g.orgId, first])
  await shiftPlan(plan, 'retry_on = current_date')
  await g.rows('update app.payment_methods set removed_at = now() where plan_id = $1', [plan])
  expect(await charge(plan)).toBeNull()
  expect(await g.plan(plan)).toMatchObject({ status: 'past_due', failures: 2 })
  await g.rows('update app.payment_methods set removed_at = null where plan_id = $1', [plan])
  await expect(g.as('leader', 'select app.begin_plan_charge($1, $2, true, true)', [g.orgId, plan])).rejects.toMatchObject({ code: '42501' })
  await g.as('finance', 'select app.change_plan($1, $2::jsonb)', [plan, '{"do": "retry"}'])
  const [tried] = await g.as<{ id: string }>('finance', 'select app.begin_plan_charge($1, $2, true, true) as id', [g.orgId, plan])
  await g.read(tried?.id ?? '')
  expect(await g.plan(plan)).toMatchObject({ status: 'active', failures: 0, retry_on: null, first_failed_on: null })
  await expect(g.as('finance', 'select app.change_plan($1, $2::jsonb)', [plan, '{"do": "retry"}'])).rejects.toMatchObject(
    refusal('plan_not_failed'),
  )
  await addsUp(g)
})

test('a plan charges the card that was saved with it, and nothing else charges that card', async () => {
  // Somebody without an account types the name and the address of a member who has a card here.
  const member = await g.person('Mary', { family_name: 'Member' })
  await g.rows(`insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, 'mary@example.org', true)`, [
    g.orgId,
    member,
  ])
  const card = async (plan: string | null, method: string) =>
    g.insert('payment_methods', {
      org_id: g.orgId,
      person_id: member,
      provider_customer: 'cus_m',
      provider_method: method,
      brand: 'visa',
      last4: '1111',
      exp_month: 1,
      exp_year: 2040,
      plan_id: plan,
      preferred_at: new Date(),
    })
  await card(null, 'pm_marys_own')
  const { slug } = await g.one<{ slug: string }>('select slug from app.campaigns where id = $1', [g.campaign])
  const begun = await g.beginPublic(slug, { amount: 100, interval: 'month', donor_name: 'Mary Member', donor_email: 'mary@example.org' })
  await g.read(begun.payment_id, {
    customer: 'cus_other',
    saved: { method: 'pm_prepaid', brand: 'visa', last4: '2222', exp_month: 1, exp_year: 2040 },
  })
  const { plan_id, person_id } = await g.giftOf(begun.payment_id)
  expect(person_id).toBe(member)
  await shiftPlan(plan_id ?? '', `started_on = '2026-01-31', next_on = '2026-02-28'`)
  const payment = (await charge(plan_id ?? '')) ?? ''
  const chosen = () => g.asWorker('select method from app.payment_to_charge($1, $2)', [g.orgId, payment])
  expect(await chosen()).toEqual([{ method: 'pm_prepaid' }])
  await g.rows(`update app.payment_methods set removed_at = now() where provider_method = 'pm_prepaid'`)
  expect(await chosen()).toEqual([])
  // An invoice is charged to the member's own card, and to none where there is only that of a plan.
  const { id } = await g.one<{ id: string }>(
    `select app.draft_invoice($1, jsonb_build_object('personId', $2::uuid, 'lines', '[{"text":"x","amount":100}]'::jsonb)) as id`,
    [g.orgId, member],
  )
  await g.rows('select app.issue_invoice($1, $2)', [g.orgId, id])
  await g.rows(`update app.payment_methods set removed_at = null where provider_method = 'pm_prepaid'`)
  const begin = async () =>
    (await g.asWorker<{ id: string | null }>('select app.begin_charge($1, $2, true, true) as id', [g.orgId, id]))[0]?.id
  const charged = await begin()
  expect(await g.asWorker('select method from app.payment_to_charge($1, $2)', [g.orgId, charged])).toEqual([{ method: 'pm_marys_own' }])
  // Nor does the member pay as the customer that the stranger is at the provider.
  expect(await g.one('select provider_customer as customer from app.payments where id = $1', [charged])).toEqual({ customer: null })
  await g.rows(`update app.payment_methods set removed_at = now() where provider_method = 'pm_marys_own'`)
  expect(await begin()).toBeNull()
})

test('what is due after a failed charge is paid by the link, with a card that is charged from then on', async () => {
  const plan = await runningPlan()
  const idp = (await g.one<{ idp: string }>('select idp_org_id as idp from app.organisations where org_id = $1', [g.orgId])).idp
  const hash = randomUUID().replaceAll('-', '').repeat(2)
  await g.asWorker(`select app.issue_link_for($1, 'recurring-gifts', 'recurring_plan', $2, $3, now() + interval '300 days', false)`, [
    g.orgId,
    plan,
    hash,
  ])
  const pay = async () =>
    (
      await g.nobody<{ payment_id: string | null; saves: boolean }>('select * from app.begin_plan_payment_by_link($1, $2, true, true)', [
        idp,
        hash,
      ])
    )[0]
  expect((await pay())?.payment_id).toBeNull()
  await shiftPlan(plan, `started_on = '2026-01-31', next_on = '2026-02-28'`)
  await g.asWorker(`select app.note_charge($1, $2, null, 'declined')`, [g.orgId, await charge(plan)])
  expect(
    (await g.nobody<{ plan: { mayPay: boolean; cardLast4: string } }>('select app.plan_by_link($1, $2) as plan', [idp, hash]))[0]?.plan,
  ).toMatchObject({ mayPay: true, cardLast4: '4242', gifts: 1, given: 1_000 })
  const begun = await pay()
  expect(begun).toMatchObject({ saves: true })
  await g.read(begun?.payment_id ?? '', {
    saved: { method: `pm_new_${plan}`, brand: 'visa', last4: '7777', exp_month: 12, exp_year: 2040 },
  })
  expect(await g.plan(plan)).toMatchObject({ status: 'active', failures: 0 })
  expect((await g.asWorker<{ mail: object }>('select app.plan_mail($1, $2) as mail', [g.orgId, plan]))[0]?.mail).toMatchObject({
    last4: '7777',
    hasCard: true,
  })
})

test('a member who gives is not the customer whom somebody made with their name', async () => {
  const begin = () => g.begin({ campaign_id: g.campaign, amount: 100 })
  await g.read((await begin()).payment_id)
  const { customer } = await begin()
  expect(customer).toContain('cus_')
  const [{ name } = { name: '' }] = await g.rows<{ name: string }>('select display_name as name from app.people where id = $1', [me])
  const address = `${randomUUID()}@example.org`
  await g.rows('insert into app.person_emails (org_id, person_id, address) values ($1, $2, $3)', [g.orgId, me, address])
  const { slug } = await g.one<{ slug: string }>('select slug from app.campaigns where id = $1', [g.campaign])
  const begun = await g.beginPublic(slug, { amount: 100, interval: 'month', donor_name: name, donor_email: address })
  await g.read(begun.payment_id, {
    customer: 'cus_of_a_stranger',
    saved: { method: `pm_${begun.payment_id}`, brand: 'visa', last4: '2222', exp_month: 1, exp_year: 2040 },
  })
  expect(await g.giftOf(begun.payment_id)).toMatchObject({ person_id: me })
  expect(await begin()).toMatchObject({ customer })
})

test('a page to pay on that was left fails no plan; it asks for what the plan comes to, and for nothing while a charge is under way', async () => {
  const plan = await runningPlan()
  const idp = (await g.one<{ idp: string }>('select idp_org_id as idp from app.organisations where org_id = $1', [g.orgId])).idp
  const hash = randomUUID().replaceAll('-', '').repeat(2)
  await g.asWorker(`select app.issue_link_for($1, 'recurring-gifts', 'recurring_plan', $2, $3, now() + interval '300 days', false)`, [
    g.orgId,
    plan,
    hash,
  ])
  const pay = async () =>
    (
      await g.nobody<{ payment_id: string | null; amount: string }>('select * from app.begin_plan_payment_by_link($1, $2, true, true)', [
        idp,
        hash,
      ])
    )[0]
  await shiftPlan(plan, `started_on = '2026-01-31', next_on = '2026-02-28'`)
  const declined = (await charge(plan)) ?? ''
  await g.asWorker(`select app.note_charge($1, $2, null, 'declined')`, [g.orgId, declined])
  for (let times = 0; times < 4; times += 1) {
    await g.read((await pay())?.payment_id ?? '', { state: 'cancelled', failure: 'expired' })
    expect(await g.plan(plan)).toMatchObject({ status: 'past_due', failures: 1 })
  }
  const { id: gift } = await g.giftOf(declined)
  expect(await g.gift(gift)).toMatchObject({ status: 'pending' })
  const before = await pay()
  expect(Number(before?.amount)).toBe(1_000)
  await g.nobody('select app.change_plan_by_link($1, $2, $3::jsonb)', [idp, hash, '{"do": "change", "amount": 400}'])
  const after = await pay()
  expect(Number(after?.amount)).toBe(400)
  expect(after?.payment_id).not.toBe(before?.payment_id)
  expect(await g.allocations(gift)).toEqual([[400, 0]])
  await g.read(after?.payment_id ?? '', { state: 'cancelled', failure: 'expired' })
  await shiftPlan(plan, 'retry_on = current_date')
  const retried = await charge(plan)
  expect((await pay())?.payment_id).toBeNull()
  await g.read(retried ?? '')
  expect(await g.plan(plan)).toMatchObject({ status: 'active', failures: 0 })
  expect(await g.gift(gift)).toMatchObject({ status: 'settled', counted_amount: '400' })
  await addsUp(g)
})

test('the mail about a gift that is somebody else’s by now leads nobody to the plan of who gives it', async () => {
  const plan = await runningPlan()
  await shiftPlan(plan, `started_on = '2026-01-31', next_on = '2026-02-28'`)
  const payment = (await charge(plan)) ?? ''
  await g.read(payment)
  const { id } = await g.giftOf(payment)
  const letter = async () => (await g.asWorker<{ mail: object }>('select app.gift_mail($1, $2) as mail', [g.orgId, id]))[0]?.mail
  expect(await letter()).toMatchObject({ planId: plan, planStatus: 'active' })
  await g.as('finance', 'select app.correct_gift($1, $2::jsonb)', [id, JSON.stringify({ person_id: await someone(g) })])
  expect(await letter()).toMatchObject({ planId: null, planStatus: null, nextOn: null })
})

test('a donor pauses, changes and stops what they give, and the office may; nobody else', async () => {
  const plan = await runningPlan()
  const change = (said: object, role: 'member' | 'finance' | 'officer' | 'leader' = 'member') =>
    g.as(role, 'select app.change_plan($1, $2::jsonb)', [plan, JSON.stringify(said)])
  for (const role of ['officer', 'leader'] as const) await expect(change({ do: 'stop' }, role)).rejects.toMatchObject({ code: '42501' })
  await expect(change({ do: 'pause', until: '2020-01-01' })).rejects.toMatchObject(refusal('plan_pause_until'))
  await change({ do: 'pause', until: '2999-01-01' })
  await shiftPlan(plan, `started_on = current_date - 100, next_on = current_date - 50`)
  expect(await due()).not.toContain(plan)
  await shiftPlan(plan, 'paused_until = current_date')
  await due()
  const { status, next_on } = await g.plan(plan)
  expect(status).toBe('active')
  expect((next_on ?? '') >= new Date().toISOString().slice(0, 10)).toBe(true)
  await change({ do: 'change', amount: 2_000 }, 'finance')
  expect(await g.plan(plan)).toMatchObject({ amount: '2000' })
  await shiftPlan(plan, `started_on = '2026-01-31', next_on = '2026-02-28'`)
  const payment = (await charge(plan)) ?? ''
  expect(await g.giftOf(payment)).toMatchObject({ amount: '2000' })
  await g.asWorker(`select app.note_charge($1, $2, null, 'declined')`, [g.orgId, payment])
  await change({ do: 'stop', reason: 'Moving' })
  expect(await g.plan(plan)).toMatchObject({ status: 'cancelled', stopped_by: 'donor', retry_on: null })
  expect(await g.giftOf(payment)).toMatchObject({ status: 'cancelled' })
  await expect(change({ do: 'resume' })).rejects.toMatchObject(refusal('plan_over'))
  await addsUp(g)
})

test('the link in a receipt pauses and stops just this plan, without signing in', async () => {
  const plan = await runningPlan()
  const idp = (await g.one<{ idp: string }>('select idp_org_id as idp from app.organisations where org_id = $1', [g.orgId])).idp
  const hash = randomUUID().replaceAll('-', '').repeat(2)
  await g.asWorker(`select app.issue_link_for($1, 'recurring-gifts', 'recurring_plan', $2, $3, now() + interval '300 days', false)`, [
    g.orgId,
    plan,
    hash,
  ])
  const other = hash.replaceAll(/./g, 'a')
  await g.asWorker(`select app.issue_link_for($1, 'pay', 'invoice', $2, $3, now() + interval '300 days', false)`, [g.orgId, plan, other])
  const [shown] = await g.nobody<{ plan: Record<string, unknown> }>('select app.plan_by_link($1, $2) as plan', [idp, hash])
  expect(shown?.plan).toMatchObject({ planId: plan, status: 'active', amount: 1_000, campaign: 'Spring appeal' })
  expect(JSON.stringify(shown?.plan)).not.toContain('donor')
  expect(await g.nobody('select app.plan_by_link($1, $2) as plan', [idp, other])).toEqual([{ plan: null }])
  const change = async (secret: string, said: object) =>
    (await g.nobody<{ done: boolean }>('select app.change_plan_by_link($1, $2, $3::jsonb) as done', [idp, secret, JSON.stringify(said)]))[0]
      ?.done
  expect(await change(other, { do: 'stop' })).toBe(false)
  expect(await change(hash, { do: 'pause' })).toBe(true)
  expect(await g.plan(plan)).toMatchObject({ status: 'paused' })
  expect(await change(hash, { do: 'stop' })).toBe(true)
  expect(await g.plan(plan)).toMatchObject({ status: 'cancelled', stopped_by: 'donor' })
})

test('what was stopped while its first payment was under way stays stopped, and its card is forgotten', async () => {
  const begun = await g.begin({ campaign_id: g.campaign, amount: 1_000, interval: 'month' })
  const { plan_id } = await g.giftOf(begun.payment_id)
  await g.as('member', 'select app.change_plan($1, $2::jsonb)', [plan_id, '{"do": "stop"}'])
  await g.read(begun.payment_id, { saved: { method: `pm_${plan_id}`, brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040 } })
  expect(await g.plan(plan_id ?? '')).toMatchObject({ status: 'cancelled', stopped_by: 'donor' })
  expect(await g.giftOf(begun.payment_id)).toMatchObject({ status: 'settled' })
  const [card] = await g.rows<{ id: string; removed_at: Date | null }>(
    'select id, removed_at from app.payment_methods where plan_id = $1',
    [plan_id],
  )
  expect(card?.removed_at).not.toBeNull()
  expect(await g.asWorker('select m as id from app.plan_cards_to_forget($1) m', [g.orgId])).toContainEqual({ id: card?.id })
})

test('a guest who gives every month: the card is saved for the person that they become', async () => {
  await g.newCampaign({ name: 'Monthly', fund_id: g.general, slug: 'monthly' })
  const begun = await g.beginPublic('monthly', {
    amount: 500,
    interval: 'quarter',
    donor_name: 'Mona Monthly',
    donor_email: 'mona@example.org',
  })
  expect(begun.saves).toBe(true)
  // Given up, the plan is over; paid all the same, it begins.
  await g.rows(`update app.payments set state = 'cancelled', failure = 'expired' where id = $1`, [begun.payment_id])
  const { plan_id, status } = await g.giftOf(begun.payment_id)
  expect(status).toBe('cancelled')
  expect(await g.plan(plan_id ?? '')).toMatchObject({ status: 'cancelled', stopped_by: null })
  await g.read(begun.payment_id, { saved: { method: 'pm_mona', brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040 } })
  const gift = await g.giftOf(begun.payment_id)
  expect(await g.plan(plan_id ?? '')).toMatchObject({ status: 'active', person_id: gift.person_id })
  expect(await g.rows(`select person_id from app.payment_methods where provider_method = 'pm_mona'`)).toEqual([
    { person_id: gift.person_id },
  ])
})

test('of somebody who was erased gifts stay, and nothing that they wrote; who died is charged no more', async () => {
  const plan = await runningPlan({
    donor_name: 'Mem Ber',
    donor_email: 'mem@example.org',
    message: 'Good luck',
    tribute_kind: 'memory',
    tribute_name: 'Aunt May',
  })
  const dying = await g.person('Dee')
  await shiftPlan(plan, `person_id = '${dying}'`)
  await g.rows(`update app.people set lifecycle = 'deceased' where id = $1`, [dying])
  expect(await g.plan(plan)).toMatchObject({ status: 'cancelled', stopped_by: 'office' })
  const person = await someone(g)
  const id = await g.record({
    amount: 100,
    campaign_id: g.campaign,
    person_id: person,
    donor_name: 'Ada L',
    donor_email: 'ada@example.org',
    message: 'For the bells',
    tribute_kind: 'honour',
    tribute_name: 'Bea',
    note: 'Rich',
  })
  await g.rows(`update app.people set lifecycle = 'erased' where id = $1`, [person])
  expect(await g.gift(id)).toMatchObject({
    donor_name: '',
    donor_email: '',
    message: '',
    tribute_kind: null,
    tribute_name: '',
    counted_amount: '100',
  })
  expect(await g.rows('select from app.giving_notes where gift_id = $1', [id])).toEqual([])
  const log = await g.rows(`select diff::text from app.audit_entries where org_id = $1 and entity_id = $2`, [g.orgId, id])
  for (const word of ['Ada L', 'ada@example.org', 'bells', 'Bea', 'Rich']) expect(JSON.stringify(log)).not.toContain(word)
  await addsUp(g)
})
