import { randomInt, randomUUID } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addsUp, refusal, setGiving, someone } from './fundraising-testing.ts'
import type { Giving } from './fundraising-testing.ts'
import { triggerOf, withoutGuard } from './matrix.ts'

/** From 0 to 1. */
const draw = () => randomInt(1_000_000) / 1_000_000

let g: Giving
let me: string
beforeAll(async () => {
  g = await setGiving()
  me = (await g.as<{ id: string }>('member', 'select app.person_id() as id'))[0]?.id ?? ''
})
afterAll(() => g.end())

test('allocations always come to the whole gift, whatever is split and given back', async () => {
  const funds = await Promise.all(['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((name) => g.fund(name)))
  for (let round = 0; round < 40; round++) {
    const wanted = funds.slice(0, 1 + Math.floor(draw() * funds.length))
    const parts = wanted.map(() => 1 + Math.floor(draw() ** 3 * 10 ** (1 + (round % 13))))
    const amount = parts.reduce((sum, part) => sum + part, 0)
    const id = await g.record({ amount, campaign_id: g.campaign, allocations: wanted.map((fund_id, n) => ({ fund_id, amount: parts[n] })) })
    const [payment] = await g.payments(id)
    let left = amount
    while (left > 0 && draw() < 0.7) {
      const back = 1 + Math.floor(draw() * left)
      await g.refund(payment?.id ?? '', back)
      left -= back
      const split = await g.allocations(id)
      expect(split.map(([given]) => given)).toEqual(parts)
      expect(split.reduce((sum, [, settled]) => sum + (settled ?? 0), 0)).toBe(left)
      for (const [given = 0, settled = 0] of split) expect(Math.abs(settled - (given * left) / amount)).toBeLessThan(1)
    }
  }
  await addsUp(g)
}, 120_000)

test('without the guard a gift could go to its funds in part', async () => {
  const { id } = await g.giftOf((await g.begin({ amount: 100, campaign_id: g.campaign })).payment_id)
  const less = () =>
    g.stage.admin
      .query('update app.gift_allocations set amount = 60 where gift_id = $1', [id])
      .then(() => 'kept')
      .catch((error: unknown) => (error instanceof pg.DatabaseError ? error.constraint : undefined))
  expect(await less()).toBe('gift_allocation')
  expect(await withoutGuard(g.stage, triggerOf('gift_allocations', 'gift_allocations_add_up'), less)).toBe('kept')
  await g.rows('update app.gift_allocations set amount = 100 where gift_id = $1', [id])
  await expect(g.rows('delete from app.gifts where id = $1', [id])).rejects.toMatchObject(refusal('gifts_not_deleted'))
})

test('totals follow any sequence of gifts, refunds, disputes, reversals and corrections', async () => {
  const campaigns = [
    g.campaign,
    await g.newCampaign({ name: 'Other', fund_id: g.library, share_chapter_id: g.stage.west.chapter, share_bps: 2_550 }),
  ]
  const people = await Promise.all([1, 2, 3].map(() => someone(g)))
  const payments: { id: string; manual: boolean; gift: string }[] = []
  const any = <T>(list: readonly T[]): T => list[Math.floor(draw() * list.length)] as T
  for (let step = 0; step < 120; step++) {
    const dice = draw()
    if (dice < 0.35 || payments.length === 0) {
      const day = new Date(Date.now() - Math.floor(draw() * 800) * 86_400_000).toISOString().slice(0, 10)
      const gift = await g.record({
        amount: 1 + Math.floor(draw() * 9_999),
        campaign_id: any(campaigns),
        person_id: any([...people, null]),
        donor_name: any(['', 'Firm', 'Club']),
        received_on: day,
      })
      payments.push({ id: (await g.payments(gift))[0]?.id ?? '', manual: true, gift })
    } else if (dice < 0.5) {
      const begun = await g.begin(
        { campaign_id: any(campaigns), amount: 1 + Math.floor(draw() * 9_999) },
        any(['member', 'leader', 'former']),
      )
      if (draw() < 0.8) await g.read(begun.payment_id)
      payments.push({ id: begun.payment_id, manual: false, gift: (await g.giftOf(begun.payment_id)).id })
    } else {
      const one = any(payments)
      const gift = await g.gift(one.gift)
      if (dice < 0.65 && one.manual && Number(gift.counted_amount) > 0)
        await g.refund(one.id, 1 + Math.floor(draw() * Number(gift.counted_amount)))
      else if (dice < 0.7 && one.manual && gift.status === 'settled') await g.as('owner', `select app.reverse_payment($1, 'x')`, [one.id])
      else if (dice < 0.8 && !one.manual)
        await g.read(one.id, { dispute: 'dp', dispute_state: any(['open', 'won', 'lost']), counts: any([true, true, false]) })
      else
        await g.as('owner', 'select app.correct_gift($1, $2::jsonb)', [
          one.gift,
          JSON.stringify(
            any([
              { campaign_id: any(campaigns) },
              { person_id: any(people) },
              { fund_id: any([g.general, g.library]) },
              { person_id: null, donor_name: 'Firm' },
            ]),
          ),
        ])
    }
  }
  await addsUp(g)
}, 120_000)

test('without its trigger the totals would stand still', async () => {
  const campaign = await g.newCampaign({ name: 'Still', fund_id: g.general })
  await withoutGuard(g.stage, triggerOf('gifts', 'gifts_totals_changed'), () => g.record({ amount: 100, campaign_id: campaign }))
  expect(await g.totals(campaign)).toMatchObject({ gifts: 0 })
  await g.refresh()
  expect(await g.totals(campaign)).toMatchObject({ gifts: 1, settled: 100 })
})

test('two who give, record and settle at once are both counted, and an answer read twice counts once', async () => {
  const campaign = await g.newCampaign({ name: 'Rush', fund_id: g.general, slug: 'rush' })
  const begun = await g.begin({ campaign_id: campaign, amount: 1_000 })
  await Promise.all([
    ...Array.from({ length: 8 }, (_, n) => g.record({ amount: 100 + n, campaign_id: campaign }, n % 2 ? 'owner' : 'finance')),
    ...[1, 2, 3].map(() => g.read(begun.payment_id)),
  ])
  expect(await g.totals(campaign)).toMatchObject({ gifts: 9, settled: 828 + 1_000 })
  expect(await g.receipts((await g.giftOf(begun.payment_id)).id)).toHaveLength(1)
  const said = { campaign_id: campaign, amount: 50, attempt: randomUUID() }
  const both = await Promise.all([g.begin(said), g.begin(said), g.begin(said)])
  expect(new Set(both.map(({ payment_id }) => payment_id)).size).toBe(1)
  await addsUp(g)
})

test('a chapter has its share of what is left, and is paid no more than that', async () => {
  const chapter = g.stage.east.chapter
  const campaign = await g.newCampaign({ name: 'Shared', fund_id: g.general, share_chapter_id: chapter, share_bps: 3_333 })
  const id = await g.record({ amount: 1_001, campaign_id: campaign })
  expect(await g.gift(id)).toMatchObject({ share_amount: '334' })
  const share = () =>
    g.one(
      'select earned_amount::int as earned, paid_amount::int as paid, open_amount::int as open from app.chapter_shares where chapter_id = $1',
      [chapter],
    )
  expect(await share()).toEqual({ earned: 334, paid: 0, open: 334 })
  const pay = (amount: number) =>
    g.as<{ id: string }>('finance', 'select app.record_payout($1::jsonb) as id', [JSON.stringify({ chapter_id: chapter, amount })])
  await expect(pay(335)).rejects.toMatchObject({ constraint: 'payout_too_large', detail: '{"left" : 334, "currency" : "EUR"}' })
  const [payout] = await pay(300)
  expect(await share()).toEqual({ earned: 334, paid: 300, open: 34 })
  await g.refund((await g.payments(id))[0]?.id ?? '', 1_001)
  expect(await share()).toEqual({ earned: 0, paid: 300, open: -300 })
  expect(await g.as('finance', `select app.reverse_payout($1, 1, 'Wrong chapter') as done`, [payout?.id])).toEqual([{ done: true }])
  expect(await share()).toEqual({ earned: 0, paid: 0, open: 0 })
})

test('a gift of a day long ago, or one with a year that was mistyped, can be recorded and corrected', async () => {
  const person = await someone(g)
  await g.record({ amount: 100, campaign_id: g.campaign, person_id: person, received_on: '1025-03-12' })
  expect(await g.rows('select year, amount::int as amount from app.donor_years where person_id = $1', [person])).toEqual([
    { year: 1025, amount: 100 },
  ])
  await addsUp(g)
})

test('a correction moves a gift with its totals, and replaces a receipt that says something else', async () => {
  const [from, to] = [
    await g.newCampaign({ name: 'From', fund_id: g.general }),
    await g.newCampaign({ name: 'To', fund_id: g.library, share_chapter_id: g.stage.west.chapter, share_bps: 1_000 }),
  ]
  const [wrong, right] = [await someone(g), await someone(g)]
  const id = await g.record({ amount: 1_000, campaign_id: from, person_id: wrong })
  const correct = (said: object) => g.as('finance', 'select app.correct_gift($1, $2::jsonb)', [id, JSON.stringify(said)])
  await correct({ note: 'Rang them' })
  expect(await g.receipts(id)).toHaveLength(1)
  await correct({ campaign_id: to, person_id: right, fund_id: g.library })
  expect(await g.gift(id)).toMatchObject({ person_id: right, campaign_id: to, share_amount: '100' })
  expect(await g.payments(id)).toMatchObject([{ person_id: right }])
  expect((await g.receipts(id)).map((row) => [row['state'], row['person_id'], row['reason']])).toEqual([
    ['replaced', wrong, ''],
    ['issued', right, 'Correction'],
  ])
  expect(await g.totals(from)).toMatchObject({ gifts: 0, donors: 0, settled: 0 })
  expect(await g.totals(to)).toMatchObject({ gifts: 1, donors: 1, settled: 1_000 })
  expect(
    await g.rows('select person_id, lifetime_amount::int as all from app.donors where person_id = any ($1)', [[wrong, right]]),
  ).toEqual([{ person_id: right, all: 1_000 }])
  const entries = await g.rows<{ diff: object }>(
    `select diff from app.audit_entries where org_id = $1 and entity = 'gifts' and entity_id = $2 and diff ? 'allocations'`,
    [g.orgId, id],
  )
  expect(entries).toEqual([
    { diff: { allocations: [[{ fund_id: g.general, place: 1, amount: 1_000 }], [{ fund_id: g.library, place: 1, amount: 1_000 }]] } },
  ])
  expect(await g.as('finance', `select app.thank_gifts($1, 'call') as n`, [[id]])).toEqual([{ n: 1 }])
  expect(await g.as('finance', `select app.thank_gifts($1, 'mail') as n`, [[id]])).toEqual([{ n: 0 }])
  expect(await g.as('finance', 'select app.hold_gift($1, 1) as held', [id])).toEqual([{ held: false }])
  await addsUp(g)
})

test('gifts of another system come in without receipts, hundreds in one statement', async () => {
  const campaign = await g.newCampaign({ name: 'Old books', fund_id: g.general })
  const people = await Promise.all(Array.from({ length: 20 }, () => someone(g)))
  const list = Array.from({ length: 1_000 }, (_, n) => ({
    ...{
      id: randomUUID(),
      campaign_id: campaign,
      person_id: people[n % 25] ?? null,
      donor_name: n % 25 < 20 ? '' : 'A firm',
      donor_email: '',
      amount: 100 + n,
      method: 'bank_transfer',
      currency: 'EUR',
    },
    ...{
      received_on: `20${String(10 + (n % 15))}-0${String(1 + (n % 9))}-17`,
      note: n === 7 ? 'By hand' : '',
      reference: '',
      is_anonymous: false,
      tribute_kind: null,
      tribute_name: '',
      message: '',
    },
    ...{ foreign_id: '', allocations: [{ fund_id: g.general, amount: 100 + n }] },
  }))
  for (let n = 0; n < list.length; n += 250)
    await g.as('owner', 'select app.import_gifts($1::jsonb)', [JSON.stringify(list.slice(n, n + 250))])
  expect(await g.totals(campaign)).toMatchObject({ gifts: 1_000, donors: 21, settled: list.reduce((sum, { amount }) => sum + amount, 0) })
  expect(
    await g.rows('select from app.receipts r join app.gifts x on x.org_id = r.org_id and x.id = r.gift_id where x.campaign_id = $1', [
      campaign,
    ]),
  ).toEqual([])
  const keys = JSON.stringify(list.slice(0, 250).map(({ id }) => ({ key: { id } })))
  expect(await g.as('owner', 'select app.remove_imported_gifts($1::jsonb) as n', [keys])).toEqual([{ n: 250 }])
  expect(await g.totals(campaign)).toMatchObject({ gifts: 750 })
  await addsUp(g)
}, 120_000)

test('a run mails everybody who gave a statement, each once', async () => {
  for (const address of [null, 'one@example.org', 'two@example.org']) {
    const person = await someone(g)
    await g.record({ amount: 100, campaign_id: g.campaign, person_id: person })
    if (address)
      await g.rows('insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $3, true)', [
        g.orgId,
        person,
        address,
      ])
  }
  const year = await g.one<{ since: string; until: string }>(
    `select date_trunc('year', current_date)::date::text as since, current_date::text as until`,
  )
  await expect(g.as('finance', 'select app.start_giving_run($1, $2)', [year.since, '2999-01-01'])).rejects.toMatchObject(
    refusal('giving_period'),
  )
  await expect(g.as('finance', `select app.start_giving_run('1950-01-01', '1950-12-31')`)).rejects.toMatchObject(refusal('giving_nobody'))
  const [run] = await g.as<{ id: string }>('finance', 'select app.start_giving_run($1, $2) as id', [year.since, year.until])
  const { people } = await g.one<{ people: number }>('select people from app.giving_runs where id = $1', [run?.id])
  expect(people).toBeGreaterThan(2)
  const [preview] = await g.as<{ people: number; without_address: number }>('finance', 'select * from app.giving_run_preview($1, $2)', [
    year.since,
    year.until,
  ])
  expect(preview?.people).toBe(people)
  const reached = people - (preview?.without_address ?? 0)
  expect(reached).toBeGreaterThan(0)
  let seen = 0
  for (let n = 1; n > 0; seen += n)
    n = (await g.asWorker<{ n: number }>('select app.mail_giving_run($1, $2, 2) as n', [g.orgId, run?.id]))[0]?.n ?? 0
  expect(seen).toBe(people)
  expect(await g.mails('giving-statement')).toHaveLength(reached)
  expect(await g.one('select state, mailed, without_address from app.giving_runs where id = $1', [run?.id])).toEqual({
    state: 'done',
    mailed: reached,
    without_address: people - reached,
  })
  const statement = async (role: 'member' | 'officer' | 'finance', person: string) =>
    (
      await g.as<{ s: { totals: { amount: number }[]; gifts: { amount: number }[] } | null }>(
        role,
        'select app.giving_statement($1, $2, $3, $4) as s',
        [g.orgId, person, year.since, year.until],
      )
    )[0]?.s
  const own = await statement('member', me)
  expect(own?.gifts.reduce((sum, { amount }) => sum + amount, 0)).toBe(own?.totals[0]?.amount)
  expect(await statement('finance', me)).toEqual(own)
  expect(await statement('officer', me)).toBeNull()
})

test('a gift is owed to nobody: it is on no account and pays no invoice', async () => {
  const person = await someone(g)
  const id = await g.record({ amount: 100, campaign_id: g.campaign, person_id: person })
  const [payment] = await g.payments(id)
  const [statement] = await g.as<{ s: { entries: unknown[] } }>(
    'owner',
    `select app.statement_of($1, $2, '2020-01-01', '2999-01-01', null) as s`,
    [g.orgId, person],
  )
  expect(statement?.s.entries).toEqual([])
  await expect(g.as('owner', `select app.allocate_payment($1, '[]')`, [payment?.id])).rejects.toMatchObject(refusal('payment_of_gift'))
  await g.stage.database.asActor(g.stage.actors.owner, async (db) => {
    const { rows } = await db.executeQuery(CompiledQuery.raw('select app.hold_payment($1, 999) as held', [payment?.id]))
    expect(rows).toEqual([{ held: false }])
  })
})

test('gifts, plans and pledges go with a person who is merged, and totals with them', async () => {
  const [gone, stays] = [await someone(g), await someone(g)]
  await g.record({ amount: 100, campaign_id: g.campaign, person_id: gone })
  await g.record({ amount: 200, campaign_id: g.campaign, person_id: stays })
  const pledge = (
    await g.as<{ id: string }>('finance', 'select app.record_pledge($1::jsonb) as id', [
      JSON.stringify({ person_id: gone, campaign_id: g.campaign, amount: 300 }),
    ])
  )[0]?.id
  const donors = async () => Number((await g.totals(g.campaign))['donors'])
  const before = await donors()
  await g.rows(`update app.people set lifecycle = 'merged', merged_into = $2 where id = $1`, [gone, stays])
  expect(
    await g.rows('select person_id, gifts, lifetime_amount::int as all from app.donors where person_id = any ($1)', [[gone, stays]]),
  ).toEqual([{ person_id: stays, gifts: 2, all: 300 }])
  expect(await g.one('select person_id from app.pledges where id = $1', [pledge])).toEqual({ person_id: stays })
  expect(await donors()).toBe(before - 1)
  await addsUp(g)
})
