import { randomUUID } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, rowSecurity, rowsTouched, tryAll, withoutGuard } from './matrix.ts'
import type { Attempts } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Role, Stage } from './stage.ts'

let stage: Stage
const columns = ['west', 'east', 'foreign'] as const
/** By chapter: a fund, a campaign that runs and a draft, the payment of a gift to it by the person of the place, and a plan and a pledge of theirs. */
type Given = { fund: string; campaign: string; draft: string; gift: string; payment: string; plan: string; pledge: string; person: string }
const given = new Map<string, Given>()
const of = ({ chapter }: Place): Given => {
  const found = given.get(chapter)
  if (!found) throw new Error('nothing was given there')
  return found
}

beforeAll(async () => {
  stage = await setStage()
  const one = async (text: string, values: unknown[]) => (await stage.admin.query<{ id: string }>(text, values)).rows[0]?.id ?? ''
  for (const name of columns) {
    const { orgId, chapter, person } = stage[name]
    const fund = await one('insert into app.funds (org_id, chapter_id, name) values ($1, $2, $3) returning id', [
      orgId,
      chapter,
      `Fund ${name}`,
    ])
    const campaign = (status: string) =>
      one(
        `insert into app.campaigns (org_id, chapter_id, name, status, currency, fund_id) values ($1, $2, $3, $4, 'EUR', $5) returning id`,
        [orgId, chapter, `Campaign ${status}`, status, fund],
      )
    const [active, draft] = [await campaign('active'), await campaign('draft')]
    const gift = await one(
      `with g as (insert into app.gifts (org_id, campaign_id, chapter_id, person_id, amount, currency, method, source) values ($1, $2, $3, $4, 100, 'EUR', 'cash', 'office') returning org_id, id),
         a as (insert into app.gift_allocations (org_id, gift_id, fund_id, amount) select org_id, id, $5, 100 from g),
         n as (insert into app.giving_notes (org_id, gift_id, note) select org_id, id, 'In an envelope' from g)
       select id from g`,
      [orgId, active, chapter, person, fund],
    )
    const payment = await one(
      `insert into app.payments (org_id, person_id, gift_id, method, amount, currency, state, settled_at) values ($1, $2, $3, 'cash', 100, 'EUR', 'settled', now()) returning id`,
      [orgId, person, gift],
    )
    await stage.admin.query('select app.issue_receipt($1, $2)', [orgId, payment])
    await stage.admin.query(
      `insert into app.refunds (org_id, payment_id, amount, currency, reason, state) values ($1, $2, 1, 'EUR', 'x', 'failed')`,
      [orgId, payment],
    )
    const plan = await one(
      `insert into app.recurring_plans (org_id, person_id, campaign_id, fund_id, chapter_id, amount, currency, interval) values ($1, $2, $3, $4, $5, 100, 'EUR', 'month') returning id`,
      [orgId, person, active, fund, chapter],
    )
    const pledge = await one(
      `with p as (insert into app.pledges (org_id, person_id, campaign_id, fund_id, chapter_id, amount, currency, pledged_on) values ($1, $2, $3, $4, $5, 100, 'EUR', '2026-01-01') returning org_id, id),
         i as (insert into app.pledge_instalments (org_id, pledge_id, place, due_on, amount) select org_id, id, 1, '2026-01-01', 100 from p)
       select id from p`,
      [orgId, person, active, fund, chapter],
    )
    await stage.admin.query('insert into app.fundraising_settings (org_id) values ($1) on conflict do nothing', [orgId])
    given.set(chapter, { fund, campaign: active, draft, gift, payment, plan, pledge, person })
  }
})
afterAll(() => stage.end())

/** What is read by those who see donors anywhere, by nobody else, and written by nobody. */
const donors = `
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    -     -     -
    former     -     -     -
    safeguarding -   -     -
    finance    S     S     -
    communications - -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     S`
const seen = (table: string, row: Attempts['row']) => tryAll(stage, { table, row, remove: true }, columns)

test('campaigns are read by members and run by officers of their chapter and by finance; nobody deletes one', async () => {
  const attempts = {
    table: 'campaigns',
    row: (place: Place) => `id = '${of(place).campaign}'`,
    insert: ({ orgId, chapter }: Place) =>
      `(org_id, chapter_id, name, currency, created_by) values ('${orgId}', '${chapter}', 'New', 'EUR', (select app.account_id()))`,
    update: `summary = 'x'`,
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, columns)).toBe(
    expected(`
             west  east  foreign
    owner      SIU   SIU   -
    admin      SIU   SIU   -
    officer    SIU   S     -
    former     S     S     -
    safeguarding -     -     -
    finance    SIU   SIU   -
    communications S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SIU`),
  )
})

test('a draft is seen by those who manage it', async () => {
  expect(await seen('campaigns', (place) => `id = '${of(place).draft}'`)).toBe(
    expected(`
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    S     -     -
    former     -     -     -
    safeguarding -   -     -
    finance    S     S     -
    communications - -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     S`),
  )
})

test('funds and what donors may choose are kept by those who manage campaigns there', async () => {
  const funds = {
    table: 'funds',
    row: (place: Place) => `id = '${of(place).fund}'`,
    insert: ({ orgId, chapter }: Place) =>
      `(org_id, chapter_id, name, created_by) values ('${orgId}', '${chapter}', '${randomUUID()}', (select app.account_id()))`,
    update: `description = 'x'`,
    remove: true,
  } as const
  const kept = `
             west  east  foreign
    owner      SIU   SIU   -
    admin      SIU   SIU   -
    officer    SIU   S     -
    former     S     S     -
    safeguarding -     -     -
    finance    SIU   SIU   -
    communications S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SIU`
  expect(await tryAll(stage, funds, columns)).toBe(expected(kept))
  const choices = {
    table: 'campaign_funds',
    row: (place: Place) => `campaign_id = '${of(place).campaign}'`,
    insert: (place: Place) => `(org_id, campaign_id, fund_id) values ('${place.orgId}', '${of(place).campaign}', '${of(place).fund}')`,
  }
  expect(await tryAll(stage, choices, columns)).toBe(expected(kept.replaceAll('SIU', 'I').replaceAll(/\bS\b/g, '-')))
})

test('what a campaign, a fund and a day come to is seen by whoever sees them, and written by nobody', async () => {
  const totals = `
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    S     S     -
    former     S     S     -
    safeguarding -   -     -
    finance    S     S     -
    communications S S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     S`
  for (const table of ['campaign_totals', 'campaign_days'])
    expect(await seen(table, (place) => `campaign_id = '${of(place).campaign}'`)).toBe(expected(totals))
  expect(await seen('fund_totals', (place) => `fund_id = '${of(place).fund}'`)).toBe(expected(totals))
})

test('gifts and donors are for finance: an officer of the chapter sees none, through whatever they look', async () => {
  const tables: [string, Attempts['row']][] = [
    ['gifts', (place) => `id = '${of(place).gift}'`],
    ['gift_allocations', (place) => `gift_id = '${of(place).gift}'`],
    ['giving_notes', (place) => `gift_id = '${of(place).gift}'`],
    ['recurring_plans', (place) => `id = '${of(place).plan}'`],
    ['pledges', (place) => `id = '${of(place).pledge}'`],
    ['pledge_instalments', (place) => `pledge_id = '${of(place).pledge}'`],
    ['campaign_donors', (place) => `campaign_id = '${of(place).campaign}'`],
    ['donors', (place) => `person_id = '${of(place).person}'`],
    ['donor_years', (place) => `person_id = '${of(place).person}'`],
    ['payments', (place) => `gift_id = '${of(place).gift}'`],
    ['receipts', (place) => `gift_id = '${of(place).gift}'`],
    ['refunds', (place) => `payment_id = '${of(place).payment}'`],
    ['audit_entries', (place) => `entity_id = '${of(place).gift}'`],
    ['audit_entries', (place) => `entity_id = '${of(place).payment}'`],
    ['audit_entries', (place) => `entity = 'receipts' and person_id = '${of(place).person}'`],
    ['audit_entries', (place) => `entity_id = '${of(place).plan}'`],
    ['audit_entries', (place) => `entity_id = '${of(place).pledge}'`],
  ]
  for (const [table, row] of tables) expect(`${table}\n${await seen(table, row)}`).toBe(`${table}\n${expected(donors)}`)
})

test('without its policies everybody would see who gave', async () => {
  const count = () => rowsTouched(stage, 'officer', `select 1 from app.gifts where id = '${of(stage.west).gift}'`)
  expect(await count()).toBe(0)
  expect(await withoutGuard(stage, rowSecurity('gifts'), count)).toBe(1)
})

const as = async <R>(role: Role, text: string, values: unknown[] = []): Promise<R[]> =>
  stage.database.asActor(stage.actors[role], async (db) => (await db.executeQuery(CompiledQuery.raw(text, values))).rows as R[])
const recordAs = (role: Role, said: object) =>
  as<{ id: string }>(role, 'select app.record_gift($1::jsonb) as id', [JSON.stringify({ amount: 100, method: 'cash', ...said })])

test('a donor sees their own gift, payment and receipt, and not what the office notes about it', async () => {
  const { campaign } = of(stage.west)
  const [me] = await as<{ id: string }>('member', 'select app.person_id() as id')
  const [gift] = await recordAs('owner', { campaign_id: campaign, person_id: me?.id, note: 'Rich' })
  const sees = (role: Role, table: string, column = 'gift_id') =>
    rowsTouched(stage, role, `select 1 from app.${table} where ${column} = '${gift?.id}'`)
  expect(await sees('member', 'gifts', 'id')).toBe(1)
  expect(await sees('member', 'gift_allocations')).toBe(1)
  expect(await sees('member', 'payments')).toBe(1)
  expect(await sees('member', 'receipts')).toBe(1)
  expect(await rowsTouched(stage, 'member', `select 1 from app.donors where person_id = '${me?.id}'`)).toBe(1)
  expect(await sees('member', 'giving_notes')).toBe(0)
  expect(await sees('finance', 'giving_notes')).toBe(1)
  for (const table of ['gift_allocations', 'payments', 'receipts', 'giving_notes']) expect(await sees('officer', table)).toBe(0)
  const paper = async (role: Role) =>
    (
      await as<{ p: unknown }>(role, 'select app.receipt_paper($1, r.id) as p from app.receipts r where r.gift_id = $2', [
        stage.west.orgId,
        gift?.id,
      ])
    ).length
  expect(await paper('member')).toBe(1)
  expect(await paper('officer')).toBe(0)
  // Nor by its id, past the policy.
  const { rows } = await stage.admin.query<{ id: string }>('select id from app.receipts where gift_id = $1', [gift?.id])
  expect(await as('officer', 'select app.receipt_paper($1, $2) as p', [stage.west.orgId, rows[0]?.id])).toEqual([{ p: null }])
  expect(await as<{ p: unknown }>('finance', 'select app.receipt_paper($1, $2) is not null as p', [stage.west.orgId, rows[0]?.id])).toEqual(
    [{ p: true }],
  )
})

test('an officer records gifts of their chapter, and sees just these', async () => {
  const { campaign, fund } = of(stage.west)
  const [gift] = await recordAs('officer', { campaign_id: campaign, person_id: stage.west.person, note: 'At the fair' })
  const sees = (role: Role, table: string, column = 'gift_id') =>
    rowsTouched(stage, role, `select 1 from app.${table} where ${column} = '${gift?.id}'`)
  for (const table of ['gift_allocations', 'giving_notes', 'payments', 'receipts']) expect(await sees('officer', table)).toBe(1)
  expect(await rowsTouched(stage, 'officer', 'select 1 from app.gifts')).toBe(1)
  expect(await rowsTouched(stage, 'officer', `select 1 from app.donors where person_id = '${stage.west.person}'`)).toBe(0)
  await expect(recordAs('officer', { campaign_id: of(stage.east).campaign })).rejects.toMatchObject({ code: '42501' })
  await expect(recordAs('officer', { fund_id: of(stage.east).fund })).rejects.toMatchObject({ code: '42501' })
  expect(await recordAs('officer', { fund_id: fund })).toHaveLength(1)
  for (const role of ['member', 'communications', 'leader', 'former', 'guest'] as const)
    await expect(recordAs(role, { campaign_id: campaign })).rejects.toMatchObject({ code: '42501' })
  // What they recorded is for finance to correct, thank for, refund and take back.
  const { rows } = await stage.admin.query<{ id: string }>('select id from app.payments where gift_id = $1', [gift?.id])
  for (const [text, values] of [
    ['select app.correct_gift($1, $2::jsonb)', [gift?.id, '{"message": "x"}']],
    [`select app.thank_gifts(array[$1::uuid], 'call')`, [gift?.id]],
    [`select app.reverse_payment($1, 'x')`, [rows[0]?.id]],
    [`select app.request_refund($1, 1, 'x')`, [rows[0]?.id]],
    [`select app.issue_receipt($1, $2, 'x')`, [stage.west.orgId, rows[0]?.id]],
  ] as const)
    await expect(as('officer', text, [...values])).rejects.toMatchObject({ code: '42501' })
  expect(await as('finance', 'select app.manages_gift($1) as may', [gift?.id])).toEqual([{ may: true }])
  expect(await as('officer', 'select app.manages_gift($1) as may', [gift?.id])).toEqual([{ may: false }])
  await as('finance', `select app.reverse_payment($1, 'x')`, [rows[0]?.id])
})

test('what pays a gift is in no books of a chapter, where its donors would be seen', async () => {
  const insert = (column: string, value: string) =>
    stage.admin.query(
      `insert into app.payments (org_id, gift_id, ${column}, method, amount, currency) values ($1, $2, $3, 'cash', 1, 'EUR')`,
      [stage.west.orgId, of(stage.west).gift, value],
    )
  for (const column of ['books_chapter_id', 'chapter_id'])
    await expect(insert(column, stage.west.chapter)).rejects.toMatchObject({ constraint: 'payments_of_gift' })
})

test('settings of gifts are read by everybody and changed by who manages gifts everywhere', async () => {
  const attempts = {
    table: 'fundraising_settings',
    row: ({ orgId }: Place) => `org_id = '${orgId}'`,
    update: 'fee_bps = 0',
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, ['west', 'foreign'])).toBe(
    expected(`
             west  foreign
    owner      SU    -
    admin      SU    -
    officer    S     -
    former     S     -
    safeguarding  S     -
    finance    SU    -
    communications  S     -
    events     S     -
    leader     S     -
    member     S     -
    guest      S     -
    suspended  -     -
    stranger   -     SU`),
  )
})

test("a chapter sees what it has of gifts and was paid, and only finance of all pays it; statements of others are nobody's but finance's", async () => {
  const { chapter, orgId } = stage.west
  const shared = await stage.admin.query<{ id: string }>(
    `insert into app.campaigns (org_id, name, status, currency, fund_id, share_chapter_id, share_bps) values ($1, 'Shared', 'active', 'EUR', $2, $3, 5000) returning id`,
    [orgId, of(stage.west).fund, chapter],
  )
  await recordAs('owner', { campaign_id: shared.rows[0]?.id })
  const pay = (role: Role) =>
    as<{ id: string }>(role, 'select app.record_payout($1::jsonb) as id', [JSON.stringify({ chapter_id: chapter, amount: 10 })])
  await expect(pay('officer')).rejects.toMatchObject({ code: '42501' })
  const [payout] = await pay('finance')
  await expect(as('officer', `select app.reverse_payout($1, 1, 'x')`, [payout?.id])).rejects.toMatchObject({ code: '42501' })
  const rows = (role: Role, table: string) => rowsTouched(stage, role, `select 1 from app.${table} where chapter_id = '${chapter}'`)
  for (const table of ['chapter_shares', 'chapter_payouts']) {
    expect([
      await rows('finance', table),
      await rows('officer', table),
      await rows('member', table),
      await rows('stranger', table),
    ]).toEqual([1, 1, 0, 0])
  }
  await expect(as('officer', `select app.start_giving_run(current_date - 300, current_date)`)).rejects.toMatchObject({ code: '42501' })
  await as('finance', `select app.start_giving_run(current_date - 300, current_date)`)
  for (const table of ['giving_runs', 'giving_run_items']) expect(await rowsTouched(stage, 'officer', `select 1 from app.${table}`)).toBe(0)
  expect(await rowsTouched(stage, 'finance', 'select 1 from app.giving_run_items')).toBeGreaterThan(0)
  expect(await as('officer', `select app.giving_statement($1, $2, '2020-01-01', current_date) as s`, [orgId, stage.west.person])).toEqual([
    { s: null },
  ])
})

test('finance of one chapter sees the gifts of that chapter, and no history of what its members give elsewhere', async () => {
  const { rows } = await stage.admin.query<{ id: string }>(
    `insert into app.accounts (org_id, issuer, subject, status) values ($1, 'https://issuer.example', $2, 'active') returning id`,
    [stage.east.orgId, randomUUID()],
  )
  const accountId = rows[0]?.id ?? ''
  await stage.admin.query(
    `insert into app.grants (org_id, account_id, role_id, scope_kind, chapter_id, starts_on) select $1, $2, r.id, 'chapter', $3, '2020-01-01' from app.roles r where r.org_id = $1 and r.key = 'finance'`,
    [stage.east.orgId, accountId, stage.east.chapter],
  )
  // Somebody of East gives to West.
  const [gift] = await recordAs('owner', { campaign_id: of(stage.west).campaign, person_id: stage.east.person })
  const treasurer = { orgId: stage.east.orgId, accountId, idpRoles: [] }
  const sees = (text: string) =>
    stage.database.asActor(treasurer, async (db) => (await db.executeQuery(CompiledQuery.raw(text))).rows.length)
  expect(await sees(`select 1 from app.gifts where id = '${of(stage.east).gift}'`)).toBe(1)
  expect(await sees(`select 1 from app.payments where gift_id = '${of(stage.east).gift}'`)).toBe(1)
  expect(await sees(`select 1 from app.audit_entries where entity_id = '${of(stage.east).gift}'`)).toBeGreaterThan(0)
  expect(await sees(`select 1 from app.gifts where id = '${gift?.id}'`)).toBe(0)
  expect(await sees(`select 1 from app.payments where gift_id = '${gift?.id}'`)).toBe(0)
  expect(await sees(`select 1 from app.receipts where gift_id = '${gift?.id}'`)).toBe(0)
  // Nor what it comes to together with what they give in East.
  for (const table of ['donors', 'donor_years'])
    expect(await sees(`select 1 from app.${table} where person_id = '${stage.east.person}'`)).toBe(0)
  expect(
    await sees(
      `select 1 from app.audit_entries where entity in ('gifts', 'payments', 'receipts') and person_id = '${stage.east.person}' and entity_id <> '${of(stage.east).gift}'`,
    ),
  ).toBe(0)
})
