import { randomUUID } from 'node:crypto'
import type { Gift } from '@guildhall/contract/features/fundraising.gifts'
import type { Pledge } from '@guildhall/contract/features/fundraising.pledges'
import { expect } from 'vitest'
import type { Client } from '../../../testing.ts'
import { made, match } from '../fundraising.testing.ts'
import { test as base } from '../giving/fundraising.giving.testing.ts'
import type { Till } from '../giving/fundraising.giving.testing.ts'

const euros = (amount: number) => ({ amount, currency: 'EUR' })

type Begun = { giftId: string; url: string }
type Donor = {
  email: string
  own: Client
  pledge: Pledge
  pay: (nth?: number, by?: Client) => ReturnType<Client['post']>
  get: () => Promise<Pledge>
}
/** Somebody who has promised three instalments, the first two of which are overdue. */
const test = base.extend<{ donor: Donor }>({
  donor: async ({ boss, campaign, org, person, till }, use) => {
    const email = `${randomUUID()}@example.org`
    const member = await person({ org, email, givenName: 'Ada', familyName: 'Byron' })
    const own = till.as(member)
    const { id: campaignId } = await campaign()
    const said = { personId: member.personId, campaignId, money: euros(10_000), pledgedOn: '2026-01-05', firstDueOn: '2026-01-31' }
    const pledge = made<Pledge>(await boss.post('/data/pledges', { ...said, instalments: 3 }))
    await use({
      ...{ email, own, pledge },
      pay: (nth = 0, by = own) => by.post(`/actions/pledges/${pledge.id}/instalments/${pledge.instalments[nth]?.id}/pay`),
      get: async () => (await own.get(`/data/pledges/${pledge.id}`)).body,
    })
  },
})
const begunBy = (answer: Awaited<ReturnType<Client['post']>>) => made<Begun>(answer)
const raised = async (client: Client, { campaign }: Pledge) => {
  const { totals }: { totals: { raised: number; pledged: number } } = (await client.get(`/data/campaigns/${campaign?.id}`)).body
  return [totals.raised, totals.pledged]
}

test('an instalment is paid by card by who promised it; sent twice it is one payment', async ({ boss, donor, till }) => {
  const begun = begunBy(await donor.pay())
  expect(begunBy(await donor.pay())).toEqual(begun)
  const both = await Promise.all([donor.pay(), donor.pay()])
  expect(both.map(begunBy)).toEqual([begun, begun])
  expect(till.begun()).toHaveLength(1)
  expect(await till.gifts()).toMatchObject([{ id: begun.giftId, amount: 3334, status: 'pending', counted: 0 }])
  expect(await donor.get()).toMatchObject({ paid: euros(0), nextDueOn: '2026-01-31' })

  await till.pay(till.begun()[0] ?? '', 3)
  expect(await donor.get()).toMatchObject({
    paid: euros(3334),
    nextDueOn: '2026-02-28',
    instalments: [{ state: 'paid', giftId: begun.giftId }, { state: 'overdue' }, { state: 'overdue' }],
  })
  expect(await raised(boss, donor.pledge)).toEqual([3334, 6666])
  expect((await donor.own.get(`/data/gifts/${begun.giftId}`)).body).toMatchObject({
    ...{ status: 'settled', source: 'own', method: 'card', pledgeId: donor.pledge.id, allocations: [{ amount: 3334, settled: 3334 }] },
    receipt: { number: expect.any(String) },
  })
  expect((await till.mailed(donor.email)).map(({ subject }) => subject)).toEqual(['Thank you for your gift to Spring appeal'])
  expect(await donor.pay()).toMatchObject({ status: 409, body: { reason: 'instalment_not_due' } })
  expect(till.begun()).toHaveLength(1)
})

test('a page that ended is followed by another one for the same gift', async ({ donor, till }) => {
  const { giftId } = begunBy(await donor.pay())
  const first = till.begun()[0] ?? ''
  till.memory.expire(first)
  await till.hear(first)
  expect(await till.gifts()).toMatchObject([{ status: 'cancelled' }])
  expect(begunBy(await donor.pay()).giftId).toBe(giftId)
  await till.pay(till.begun()[1] ?? '')
  expect(await till.gifts()).toMatchObject([{ id: giftId, status: 'settled', counted: 3334 }])
  expect(await donor.get()).toMatchObject({ paid: euros(3334), instalments: [{ giftId }, {}, {}] })
})

test('nobody pays what is waived or cancelled, nor the instalment of somebody else', async ({
  api,
  boss,
  donor,
  org,
  officer,
  person,
  till,
}) => {
  const { id, version, instalments } = donor.pledge
  for (const other of [api.as(await person({ org })), officer]) expect((await donor.pay(0, other)).status).toBe(404)
  // The office sees the pledge, and pays it no more than anybody else.
  expect((await donor.pay(0, boss)).status).toBe(403)
  expect((await boss.get(`/data/pledges/${id}`)).body).toMatchObject({ may: { pay: false } })
  expect(await donor.get()).toMatchObject({ may: { pay: true } })
  expect((await donor.own.post(`/actions/pledges/${id}/instalments/${randomUUID()}/pay`)).status).toBe(404)
  await boss.post(`/data/pledges/${id}/instalments/${instalments[0]?.id}/waive`, { waived: true }, match(version))
  expect(await donor.pay(0)).toMatchObject({ status: 409, body: { reason: 'instalment_not_due' } })
  made(await boss.post(`/data/pledges/${id}/cancel`, {}, match((await donor.get()).version)))
  expect(await donor.pay(1)).toMatchObject({ status: 409, body: { reason: 'instalment_not_due' } })
  expect(till.begun()).toEqual([])
  expect(await till.gifts()).toEqual([])
})

test('what comes by card and by hand pays the instalment once; when one goes back the other pays it', async ({
  boss,
  donor,
  gift,
  owner,
  till,
}) => {
  const byCard = begunBy(await donor.pay())
  const { person, campaign, instalments } = donor.pledge
  const cheque = await gift(null, 3334, { personId: person?.id, campaignId: campaign?.id, instalmentId: instalments[0]?.id })
  expect(await donor.get()).toMatchObject({ instalments: [{ state: 'paid', giftId: cheque.id }, {}, {}] })
  await till.pay(till.begun()[0] ?? '')
  // Both are gifts, since the money is there; the pledge was paid once.
  expect(await donor.get()).toMatchObject({ paid: euros(3334), instalments: [{ state: 'paid', giftId: cheque.id }, {}, {}] })
  expect(await raised(boss, donor.pledge)).toEqual([6668, 6666])
  const { payment }: Gift = (await boss.get(`/data/gifts/${cheque.id}`)).body
  made(await boss.post(`/data/payments/${payment?.id}/reverse`, { reason: 'Not covered' }, match(payment?.version ?? 0)))
  expect(await donor.get()).toMatchObject({ paid: euros(3334), instalments: [{ state: 'paid', giftId: byCard.giftId }, {}, {}] })
  const { payment: card }: Gift = (await boss.get(`/data/gifts/${byCard.giftId}`)).body
  const refund = { amount: 3334, reason: 'Asked for' }
  made(await till.as(owner).post(`/actions/payments/${card?.id}/refund`, refund, { ...match(card?.version ?? 0), ...owner.proof }))
  await till.work()
  expect(await donor.get()).toMatchObject({ paid: euros(0), instalments: [{ state: 'overdue', giftId: null }, {}, {}] })
  expect(await raised(boss, donor.pledge)).toEqual([0, 10_000])
})

const linkIn = async (till: Till, email: string) => [
  ...new Set((await till.mailed(email)).flatMap(({ text }) => /\/public\/pledges\/[\w-]+/.exec(text)?.[0] ?? [])),
]

test('with the link in a reminder an instalment is paid without signing in; opening it changes nothing', async ({ boss, donor, till }) => {
  const remind = async () =>
    made<Pledge>(await boss.post(`/data/pledges/${donor.pledge.id}/remind`, {}, match((await donor.get()).version)))
  await remind()
  await till.day(1)
  await remind()
  // Every reminder has the same link.
  const [path = '', ...others] = await linkIn(till, donor.email)
  expect(others).toEqual([])
  const page = await till.open(path)
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Your pledge to Spring appeal') })
  expect(page.text).toContain('€33.34')
  expect(page.text).not.toContain('Byron')
  expect(await till.gifts()).toEqual([])

  expect((await till.open(path, {})).text).toContain('https://pay.example/')
  expect((await till.open(path, {})).text).toContain('https://pay.example/')
  expect(till.begun()).toHaveLength(1)
  expect((await till.open(path)).text).toContain('Have you just paid?')
  // Begun while signed in as well, it is the same gift on a page of its own, and the first page ends.
  const { giftId } = begunBy(await donor.pay())
  const [first = '', second = ''] = till.begun()
  expect(till.memory.rows.get(first)).toMatchObject({ state: 'cancelled' })
  await till.pay(second)
  expect(await till.gifts()).toMatchObject([{ id: giftId, status: 'settled', counted: 3334 }])
  expect(await donor.get()).toMatchObject({ paid: euros(3334), instalments: [{ state: 'paid', giftId }, {}, {}] })
  expect((await till.open(path)).text).toContain('We received €33.34. Thank you for your gift.')
  expect((await till.open(path, {})).text).toContain('Nothing to pay')
  expect(till.begun()).toHaveLength(2)
  expect((await till.open(`${path}x`)).status).toBe(404)
})

test('a link pays in the name of who promised, and nothing once the pledge is cancelled or they were erased', async ({
  admin,
  boss,
  donor,
  till,
}) => {
  await boss.post(`/data/pledges/${donor.pledge.id}/remind`, {}, match(donor.pledge.version))
  const [path = ''] = await linkIn(till, donor.email)
  await till.open(path, {})
  await till.pay(till.begun()[0] ?? '')
  expect(await till.gifts()).toMatchObject([{ person: donor.pledge.person?.id, status: 'settled', receipts: ['issued'] }])
  const { version } = await donor.get()
  made(await boss.post(`/data/pledges/${donor.pledge.id}/remind`, {}, match(version)))
  const [, next = ''] = await linkIn(till, donor.email)
  made(await boss.post(`/data/pledges/${donor.pledge.id}/cancel`, {}, match((await donor.get()).version)))
  expect((await till.open(next)).text).toContain('This instalment is no longer due.')
  expect((await till.open(next, {})).text).toContain('This instalment is no longer due.')
  expect(till.begun()).toHaveLength(1)
  await admin.query(`update app.people set lifecycle = 'erased' where id = $1`, [donor.pledge.person?.id])
  expect((await till.open(next)).status).toBe(404)
})
