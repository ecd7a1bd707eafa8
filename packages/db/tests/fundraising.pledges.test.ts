import { afterAll, beforeAll, expect, test } from 'vitest'
import { addsUp, refusal, setGiving } from './fundraising-testing.ts'
import type { Giving } from './fundraising-testing.ts'

let g: Giving
let me: string
beforeAll(async () => {
  g = await setGiving()
  me = (await g.as<{ id: string }>('member', 'select app.person_id() as id'))[0]?.id ?? ''
})
afterAll(() => g.end())

test('whoever records gifts of a chapter pays no pledge that is not made there', async () => {
  const west = await g.newCampaign({ name: 'West', fund_id: g.general, chapter_id: g.stage.west.chapter })
  const pledged = async (campaign_id: string) => {
    const said = { person_id: me, campaign_id, amount: 100, pledged_on: '2025-12-01' }
    const [made] = await g.as<{ id: string }>('finance', 'select app.record_pledge($1::jsonb) as id', [JSON.stringify(said)])
    return g.one<{ id: string }>('select id from app.pledge_instalments where pledge_id = $1', [made?.id])
  }
  const [elsewhere, here] = [await pledged(g.campaign), await pledged(west)]
  const said = { amount: 100, campaign_id: west }
  await expect(g.record({ ...said, instalment_id: elsewhere.id }, 'officer')).rejects.toMatchObject(refusal('instalment_unknown'))
  expect(await g.one('select state from app.pledge_instalments where id = $1', [elsewhere.id])).toEqual({ state: 'due' })
  await g.record({ ...said, instalment_id: here.id }, 'officer')
  expect(await g.one('select state from app.pledge_instalments where id = $1', [here.id])).toEqual({ state: 'paid' })
})

test('a pledge comes to its instalments; a gift pays one, and opens it again when it is given back', async () => {
  const campaign = await g.newCampaign({ name: 'Promise', fund_id: g.general })
  const days = ['2026-01-01', '2026-02-01', '2026-03-01']
  const pledge = async (said: object) =>
    (
      await g.as<{ id: string }>('finance', 'select app.record_pledge($1::jsonb) as id', [
        JSON.stringify({ person_id: me, campaign_id: campaign, amount: 300, pledged_on: '2025-12-01', ...said }),
      ])
    )[0]?.id ?? ''
  const short = days.slice(1).map((due_on) => ({ due_on, amount: 100 }))
  await expect(pledge({ instalments: short })).rejects.toMatchObject({
    constraint: 'pledge_instalments',
    detail: '{"amount" : 300, "planned" : 200}',
  })
  const id = await pledge({ instalments: days.toReversed().map((due_on) => ({ due_on, amount: 100 })), note: 'Said at dinner' })
  const parts = () =>
    g.rows<{ id: string; due_on: string; state: string; gift_id: string | null }>(
      'select id, due_on::text, state, gift_id from app.pledge_instalments where pledge_id = $1 order by place',
      [id],
    )
  const state = () => g.one('select status, open_amount::int as open from app.pledges where id = $1', [id])
  expect((await parts()).map(({ due_on }) => due_on)).toEqual(days)
  expect(await g.totals(campaign)).toMatchObject({ pledged: 300, settled: 0 })
  const [first, second, third] = (await parts()).map((part) => part.id)
  await expect(g.record({ amount: 99, instalment_id: first })).rejects.toMatchObject({ constraint: 'instalment_amount' })
  const gift = await g.record({ amount: 100, instalment_id: first })
  expect(await g.gift(gift)).toMatchObject({ person_id: me, campaign_id: campaign })
  expect(await state()).toEqual({ status: 'open', open: 200 })
  expect(await g.totals(campaign)).toMatchObject({ pledged: 200, settled: 100 })
  await expect(g.record({ amount: 100, instalment_id: first })).rejects.toMatchObject(refusal('instalment_not_due'))
  // Their own, on a page.
  await expect(g.begin({ amount: 100, instalment_id: second }, 'leader')).rejects.toMatchObject(refusal('instalment_unknown'))
  const begun = await g.begin({ amount: 100, instalment_id: second })
  await g.read(begun.payment_id)
  await g.as('finance', 'select app.waive_instalment($1, true)', [third])
  expect(await state()).toEqual({ status: 'fulfilled', open: 0 })
  await g.refund((await g.payments(gift))[0]?.id ?? '', 100)
  expect((await parts()).map((part) => part.state)).toEqual(['due', 'paid', 'waived'])
  expect(await state()).toEqual({ status: 'open', open: 100 })
  // What was paid stays; the rest is planned anew.
  const replan = (said: object) => g.as('finance', 'select app.change_pledge($1, $2::jsonb)', [id, JSON.stringify(said)])
  await expect(replan({ amount: 250 })).rejects.toMatchObject(refusal('pledge_instalments'))
  await replan({ amount: 250, instalments: [{ due_on: '2026-05-01', amount: 150 }] })
  expect((await parts()).map((part) => [part.due_on, part.state])).toEqual([
    ['2026-02-01', 'paid'],
    ['2026-05-01', 'due'],
  ])
  expect(await g.totals(campaign)).toMatchObject({ pledged: 150 })
  const remind = () => g.as('finance', 'select app.remind_pledge($1) as n', [id])
  await expect(remind()).rejects.toMatchObject(refusal('pledge_unreachable'))
  await g.rows(`insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, 'me@example.org', true)`, [
    g.orgId,
    me,
  ])
  expect(await remind()).toEqual([{ n: 1 }])
  await expect(remind()).rejects.toMatchObject(refusal('pledge_reminded'))
  const daily = async (today: string) =>
    (await g.asWorker<{ done: { mails: number } }>('select app.remind_pledges($1, $2, null, 100) as done', [g.orgId, today]))[0]?.done
  expect(await daily('2026-05-02')).toEqual({ mails: 1, after: expect.any(String), isLast: true })
  expect(await daily('2026-05-03')).toMatchObject({ mails: 0 })
  await replan({ cancelled: true, reason: 'Moved away' })
  expect(await state()).toEqual({ status: 'cancelled', open: 0 })
  expect(await g.totals(campaign)).toMatchObject({ pledged: 0 })
  await expect(replan({ amount: 1 })).rejects.toMatchObject(refusal('pledge_over'))
  await replan({ cancelled: false })
  expect(await state()).toEqual({ status: 'open', open: 150 })
  await addsUp(g)
})
