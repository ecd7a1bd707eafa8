import { randomUUID } from 'node:crypto'
import type { Pledge } from '@guildhall/contract/features/fundraising.pledges'
import { expect } from 'vitest'
import { filterOf, made, match } from '../fundraising.testing.ts'
import { test } from '../giving/fundraising.giving.testing.ts'

const euros = (amount: number) => ({ amount, currency: 'EUR' })

test('a pledge has instalments that add up; gifts pay them, and what is given back is due again', async ({
  boss,
  campaign,
  gift,
  owner,
  org,
  person,
}) => {
  const { personId } = await person({ org })
  const appeal = await campaign()
  const pledge = made<Pledge>(
    await boss.post('/data/pledges', {
      ...{ personId, campaignId: appeal.id, money: euros(10_000), pledgedOn: '2026-01-05', firstDueOn: '2026-01-31', instalments: 3 },
      note: 'At the gala',
    }),
  )
  expect(pledge).toMatchObject({
    status: 'open',
    paid: euros(0),
    overdue: euros(10_000),
    nextDueOn: '2026-01-31',
    note: 'At the gala',
    may: { edit: true },
  })
  expect(pledge.instalments).toMatchObject([
    { dueOn: '2026-01-31', amount: 3334, state: 'overdue' },
    { dueOn: '2026-02-28', amount: 3333 },
    { dueOn: '2026-03-31', amount: 3333 },
  ])
  const [first, second, third] = pledge.instalments
  const paid = await gift(appeal, 3334, { personId, instalmentId: first?.id })
  const get = async (): Promise<Pledge> => (await boss.get(`/data/pledges/${pledge.id}`)).body
  expect(await get()).toMatchObject({
    paid: euros(3334),
    nextDueOn: '2026-02-28',
    instalments: [{ state: 'paid', giftId: paid.id }, {}, {}],
  })
  await gift(appeal, 3333, { personId, instalmentId: second?.id })
  const waived = made<Pledge>(
    await boss.post(`/data/pledges/${pledge.id}/instalments/${third?.id}/waive`, { waived: true }, match((await get()).version)),
  )
  expect(waived).toMatchObject({ status: 'fulfilled', nextDueOn: null })
  const again = made<Pledge>(
    await boss.post(`/data/pledges/${pledge.id}/instalments/${third?.id}/waive`, { waived: false }, match(waived.version)),
  )
  expect(again).toMatchObject({ status: 'open', nextDueOn: '2026-03-31' })
  const { payment } = (await boss.get(`/data/gifts/${paid.id}`)).body as { payment: { id: string; version: number } }
  const refund = { amount: 3334, reason: 'A mistake' }
  const given = await boss.post(`/actions/payments/${payment.id}/refund`, refund, { ...match(payment.version), ...owner.proof })
  expect(given.status, given.text).toBe(200)
  expect(await get()).toMatchObject({ paid: euros(3333), nextDueOn: '2026-01-31' })
  const cancelled = made<Pledge>(
    await boss.post(`/data/pledges/${pledge.id}/cancel`, { reason: 'Moved away' }, match((await get()).version)),
  )
  expect(cancelled).toMatchObject({ status: 'cancelled', overdue: euros(0), note: 'At the gala\nMoved away' })
  expect((await boss.post(`/data/pledges/${pledge.id}/cancel`, {}, match(cancelled.version))).body).toMatchObject({ reason: 'pledge_over' })
})

test('what cannot be pledged is refused at its field', async ({ boss, campaign, org, person }) => {
  const { personId } = await person({ org })
  const { id } = await campaign()
  const said = { personId, campaignId: id, money: euros(500), pledgedOn: '2026-01-05', firstDueOn: '2026-02-01' }
  const post = (more: object) => boss.post('/data/pledges', { ...said, ...more })
  expect(await post({ firstDueOn: '2026-01-04' })).toMatchObject({ status: 422, body: { errors: [{ path: 'firstDueOn' }] } })
  expect(await post({ money: euros(5), instalments: 6 })).toMatchObject({ status: 422, body: { errors: [{ path: 'instalments' }] } })
  expect(await post({ personId: randomUUID() })).toMatchObject({ status: 422, body: { errors: [{ path: 'personId' }] } })
  expect(await post({ fundId: randomUUID() })).toMatchObject({ status: 422, body: { errors: [{ path: 'fundId' }] } })
  expect(await post({ money: { amount: 500, currency: 'USD' } })).toMatchObject({ body: { reason: 'gift_currency' } })
  expect(await post({ pledgedOn: '2099-01-01', firstDueOn: '2099-02-01' })).toMatchObject({ body: { reason: 'pledge_in_future' } })
})

test('members see their own pledges without the note of the office, and others see none', async ({
  api,
  boss,
  campaign,
  org,
  person,
  officer,
}) => {
  const member = await person({ org })
  const { id } = await campaign()
  const said = {
    personId: member.personId,
    campaignId: id,
    money: euros(900),
    pledgedOn: '2026-01-05',
    firstDueOn: '2099-02-01',
    note: 'Rich',
  }
  const pledge = made<Pledge>(await boss.post('/data/pledges', said))
  const own = api.as(member)
  expect((await own.get(`/data/pledges/${pledge.id}`)).body).toMatchObject({ note: '', money: euros(900), may: { edit: false } })
  expect((await own.post('/data/pledges', said)).status).toBe(403)
  expect((await own.post(`/data/pledges/${pledge.id}/cancel`, {}, match(pledge.version))).status).toBe(403)
  for (const other of [api.as(await person({ org })), officer]) expect((await other.get(`/data/pledges/${pledge.id}`)).status).toBe(404)
  const filtered: { items: Pledge[] } = (await boss.get(`/data/pledges?${filterOf({ field: 'overdue', value: true })}`)).body
  expect(filtered.items).toEqual([])
  const sorted: { items: Pledge[] } = (await boss.get('/data/pledges?sort=nextDueOn&limit=1')).body
  expect(sorted.items).toMatchObject([{ id: pledge.id }])
})

test('instalments are announced a week before and reminded of once they are overdue, each once; by hand once a day', async ({
  admin,
  boss,
  campaign,
  org,
  person,
  till,
}) => {
  const email = `${randomUUID()}@example.org`
  const { personId } = await person({ org, email })
  const { id } = await campaign()
  const { rows } = await admin.query<{ today: string; soon: string }>(
    `select app_private.today_of($1)::text as today, (app_private.today_of($1) + 10)::text as soon`,
    [org.id],
  )
  const { today = '', soon = '' } = rows[0] ?? {}
  const pledge = made<Pledge>(
    await boss.post('/data/pledges', { personId, campaignId: id, money: euros(900), pledgedOn: today, firstDueOn: soon }),
  )
  await admin.query(`update app.pledges set created_at = created_at - interval '3 days' where id = $1`, [pledge.id])
  await till.day(1)
  expect(await till.mailed(email)).toEqual([])
  await till.day(2)
  await till.day(1)
  expect((await till.mailed(email)).map(({ subject }) => subject)).toMatchObject([
    expect.stringContaining('Your pledge to Spring appeal is due on'),
  ])
  await till.day(8)
  await till.day(1)
  expect((await till.mailed(email)).map(({ subject }) => subject)).toEqual([expect.any(String), 'Reminder: your pledge to Spring appeal'])
  const { version }: Pledge = (await boss.get(`/data/pledges/${pledge.id}`)).body
  expect((await boss.post(`/data/pledges/${pledge.id}/remind`, {}, match(version))).status).toBe(200)
  expect((await boss.post(`/data/pledges/${pledge.id}/remind`, {}, match(version))).body).toMatchObject({ reason: 'pledge_reminded' })
  const silent = await person({ org })
  const other = made<Pledge>(
    await boss.post('/data/pledges', { personId: silent.personId, campaignId: id, money: euros(900), pledgedOn: today, firstDueOn: soon }),
  )
  expect((await boss.post(`/data/pledges/${other.id}/remind`, {}, match(other.version))).body).toMatchObject({
    reason: 'pledge_unreachable',
  })
})
