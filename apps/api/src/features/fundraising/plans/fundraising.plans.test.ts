import { randomUUID } from 'node:crypto'
import type { Plan } from '@guildhall/contract/features/fundraising.plans'
import { expect } from 'vitest'
import { match } from '../fundraising.testing.ts'
import type { Till } from '../giving/fundraising.giving.testing.ts'
import { test } from '../giving/fundraising.giving.testing.ts'

const address = () => `${randomUUID()}@example.org`
/** The first gift of a monthly one, paid; its mail has the link. */
async function monthly(till: Till, slug: string, email: string, more: Record<string, string> = {}) {
  await till.give(slug, { email, every: 'month', ...more })
  const payment = till.begun().at(-1) ?? ''
  await till.pay(payment)
  return { payment, path: await linkIn(till, email) }
}
const linkIn = async (till: Till, email: string) =>
  /\/public\/recurring-gifts\/[\w-]+/.exec(
    (await till.mailed(email)).findLast(({ text }) => text.includes('recurring-gifts'))?.text ?? '',
  )?.[0] ?? ''
const subjects = async (till: Till, email: string) => (await till.mailed(email)).map(({ subject }) => subject)

test('a recurring gift begins with its first payment, and is charged to the card of that payment on its day', async ({
  till,
  campaign,
}) => {
  const email = address()
  const { slug } = await campaign()
  const { payment, path } = await monthly(till, slug, email)
  expect(path).not.toBe('')
  const [begun] = await till.plans()
  expect(begun).toMatchObject({ status: 'active', amount: 2500 })
  await till.day(27)
  expect(till.memory.charged).toEqual([])
  await till.day(4)
  expect(till.memory.charged).toMatchObject([{ methodId: `pm_${payment}` }])
  // A second run of the day charges nothing more.
  await till.day(0)
  expect(till.memory.charged).toHaveLength(1)
  const gifts = await till.gifts()
  expect(gifts).toMatchObject([
    { status: 'settled', counted: 2500, receipts: ['issued'] },
    { status: 'settled', counted: 2500, receipts: ['issued'] },
  ])
  expect(gifts[1]).toMatchObject({ plan: begun?.id, person: gifts[0]?.person, dueOn: begun?.nextOn })
  expect(await subjects(till, email)).toEqual(['Thank you for your gift to Spring appeal', 'Thank you for your gift to Spring appeal'])
  const page = await till.open(path)
  expect(page.text).toContain('€50.00 in 2 gifts')
})

test('the card of a recurring gift pays nothing else, and no other card pays it', async ({
  admin,
  till,
  campaign,
  org,
  person,
  api,
  boss,
}) => {
  const email = address()
  const member = await person({ org, email, givenName: 'Kim', familyName: 'Larsen' })
  await admin.query(
    `insert into app.payment_methods (org_id, person_id, provider_customer, provider_method, brand, last4, exp_month, exp_year) values ($1, $2, 'cus_own', 'pm_own', 'visa', '1111', 1, 2031)`,
    [org.id, member.personId],
  )
  const { slug } = await campaign()
  // Somebody types the name and the address of a member.
  const { payment } = await monthly(till, slug, email)
  expect((await till.gifts())[0]?.person).toBe(member.personId)
  await till.day(32)
  expect(till.memory.charged).toMatchObject([{ methodId: `pm_${payment}` }])
  const { body: cards }: { body: { items: { last4: string }[] } } = await api.as(member).get('/data/payment-methods')
  expect(cards.items.map(({ last4 }) => last4)).toEqual(['1111'])
  const { body: all }: { body: { items: Plan[] } } = await boss.get('/data/recurring-gifts')
  expect(all.items).toMatchObject([{ donorName: 'Kim Larsen', card: { last4: '4242' }, given: { amount: 5000 }, gifts: 2 }])
  expect((await boss.get('/data/payment-methods')).body).toMatchObject({ items: [] })
})

test('a card that is declined is tried again after 3, 7 and 14 days; then the gift ends, and the provider forgets the card', async ({
  till,
  campaign,
}) => {
  const email = address()
  const { slug } = await campaign()
  const { payment } = await monthly(till, slug, email)
  till.memory.declining.add(`pm_${payment}`)
  await till.day(31)
  expect(await till.plans()).toMatchObject([{ status: 'past_due', failures: 1 }])
  for (const [days, failures] of [
    [2, 1],
    [1, 2],
    [3, 2],
    [1, 3],
    [6, 3],
  ] as const) {
    await till.day(days)
    expect(await till.plans()).toMatchObject([{ status: 'past_due', failures }])
  }
  await till.day(1)
  expect(await till.plans()).toMatchObject([{ status: 'cancelled', failures: 4 }])
  const gifts = await till.gifts()
  expect(gifts.map(({ status, counted }) => [status, counted])).toEqual([
    ['settled', 2500],
    ['failed', 0],
  ])
  expect(await subjects(till, email)).toEqual([
    'Thank you for your gift to Spring appeal',
    'Your recurring gift to Spring appeal has ended',
  ])
  await till.day(1)
  expect(till.memory.removed).toEqual([`pm_${payment}`])
  await till.day(60)
  expect(await till.gifts()).toHaveLength(2)
})

test('a failed charge is told once, and can be paid by the link with another card, which pays from then on', async ({ till, campaign }) => {
  const email = address()
  const { slug } = await campaign()
  const { payment } = await monthly(till, slug, email)
  till.memory.declining.add(`pm_${payment}`)
  await till.day(31)
  expect((await subjects(till, email)).at(-1)).toBe('Your gift to Spring appeal could not be charged')
  await till.day(3)
  expect(await subjects(till, email)).toHaveLength(2)
  const path = await linkIn(till, email)
  expect((await till.open(path)).text).toContain('Pay €25.00 by card')
  const paying = await till.open(path, { do: 'pay' })
  expect(paying.text).toContain('https://pay.example/')
  const other = till.begun().at(-1) ?? ''
  await till.pay(other)
  expect(await till.plans()).toMatchObject([{ status: 'active', failures: 0, retryOn: null }])
  expect(await till.gifts()).toMatchObject([{ status: 'settled' }, { status: 'settled', counted: 2500 }])
  await till.day(31)
  expect(till.memory.charged.at(-1)).toMatchObject({ methodId: `pm_${other}` })
})

test('by the link a gift is changed, paused, resumed and stopped; opening it changes nothing', async ({ till, campaign }) => {
  const email = address()
  const { slug } = await campaign({ minAmount: 500 })
  const { path } = await monthly(till, slug, email)
  for (let times = 0; times < 3; times += 1) expect((await till.open(path)).status).toBe(200)
  expect(await till.plans()).toMatchObject([{ status: 'active', amount: 2500 }])
  expect(await till.open(path, { do: 'amount', amount: '1' })).toMatchObject({
    status: 422,
    text: expect.stringContaining('at least €5.00'),
  })
  expect((await till.open(path, { do: 'amount', amount: '30' })).text).toContain('From now on you give €30.00')
  expect(await till.open(path, { do: 'pause', until: '2001-01-01' })).toMatchObject({ status: 422 })
  expect((await till.open(path, { do: 'pause' })).text).toContain('paused until you resume it')
  await till.day(32)
  expect(await till.gifts()).toHaveLength(1)
  expect((await till.open(path, { do: 'resume' })).text).toContain('Your gift goes on')
  // Months that were paused are not made up for.
  await till.day(0)
  expect(await till.gifts()).toHaveLength(1)
  await till.day(30)
  expect(await till.gifts()).toMatchObject([{ amount: 2500 }, { amount: 3000, status: 'settled' }])
  expect((await till.open(path, { do: 'stop' })).text).toContain('Nothing more will be charged')
  await till.day(62)
  expect(await till.gifts()).toHaveLength(2)
  expect((await till.open(path, { do: 'resume' })).text).toContain('Nothing was changed')
  expect((await till.open(`${path}x`)).status).toBe(404)
})

test('a pause until a day ends by itself', async ({ admin, till, campaign, org }) => {
  const { slug } = await campaign()
  const { path } = await monthly(till, slug, address())
  const { rows } = await admin.query<{ day: string }>('select (app_private.today_of($1) + 40)::text as day', [org.id])
  await till.open(path, { do: 'pause', until: rows[0]?.day ?? '' })
  await till.day(39)
  expect(await till.plans()).toMatchObject([{ status: 'paused' }])
  await till.day(1)
  expect(await till.plans()).toMatchObject([{ status: 'active' }])
  await till.day(31)
  expect(await till.gifts()).toHaveLength(2)
})

test('members look after their own recurring gifts, treasurers after all of them, and others see none', async ({
  till,
  campaign,
  org,
  person,
  api,
  officer,
}) => {
  const member = await person({ org, email: address() })
  const treasurer = await person({ org, idpRoles: ['finance'] })
  const own = till.as(member)
  const { id } = await campaign()
  const attempt = randomUUID()
  const wanted = { campaignId: id, money: { amount: 1500, currency: 'EUR' }, interval: 'quarter', attempt }
  const began = await own.post('/actions/gifts/give', wanted)
  expect(began.status, began.text).toBe(200)
  const { giftId }: { giftId: string } = began.body
  expect((await own.post('/actions/gifts/give', wanted)).body).toEqual(began.body)
  expect((await own.get(`/data/gifts/${giftId}`)).body).toMatchObject({ status: 'pending', money: { amount: 1500 } })
  expect((await till.as(treasurer).post('/actions/gifts/give', wanted)).status).toBe(403)
  await till.pay(till.begun()[0] ?? '')
  expect((await own.get(`/data/gifts/${giftId}`)).body).toMatchObject({ status: 'settled', receipt: { number: expect.any(String) } })
  const list: { items: Plan[] } = (await own.get('/data/recurring-gifts')).body
  expect(list.items).toMatchObject([{ interval: 'quarter', status: 'active', may: { change: true, stop: true }, card: { last4: '4242' } }])
  const plan = list.items[0]
  const path = `/data/recurring-gifts/${plan?.id}`
  expect((await api.as(await person({ org })).get(path)).status).toBe(404)
  expect((await officer.get(path)).status).toBe(404)
  const change = { money: { amount: 2000, currency: 'EUR' } }
  expect((await own.post(`${path}/change`, change, match((plan?.version ?? 0) + 1))).status).toBe(412)
  const changed = await own.post(`${path}/change`, change, match(plan?.version ?? 0))
  expect(changed.body).toMatchObject({ money: { amount: 2000 } })
  const { version }: Plan = changed.body
  const desk = till.as(treasurer)
  expect((await desk.post(`${path}/retry`, {}, match(version))).body).toMatchObject({ reason: 'plan_not_failed' })
  till.memory.declining.add(`pm_${till.begun()[0]}`)
  await till.day(93)
  const failed: Plan = (await desk.get(path)).body
  expect(failed).toMatchObject({ status: 'past_due', failures: 1 })
  till.memory.declining.clear()
  const retried = await desk.post(`${path}/retry`, {}, match(failed.version))
  expect(retried.status, retried.text).toBe(200)
  await till.work()
  const mended: Plan = (await desk.get(path)).body
  expect(mended).toMatchObject({ status: 'active', failures: 0, given: { amount: 3500 }, gifts: 2 })
  const stopped = await desk.post(`${path}/stop`, { reason: 'Asked by telephone' }, match(mended.version))
  expect(stopped.body).toMatchObject({
    status: 'cancelled',
    stoppedBy: 'office',
    stopReason: 'Asked by telephone',
    nextOn: null,
    may: { stop: false },
  })
  const { version: last }: Plan = stopped.body
  expect((await desk.post(`${path}/resume`, {}, match(last))).body).toMatchObject({ reason: 'plan_over' })
})
