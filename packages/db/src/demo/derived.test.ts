import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { copyTemplate } from '../testing.ts'
import { demoAreas } from './areas.ts'
import { loadDemo } from './load.ts'
import { columns } from './tables.ts'
import type { Table } from './tables.ts'

let admin: pg.Client
let loaded: string
/** The same rows, entered one table at a time with every trigger at work. */
const entered = randomUUID()

beforeAll(async () => {
  const { adminUrl } = await copyTemplate(inject('testServer'), 'derived')
  ;({ orgId: loaded } = await loadDemo({
    adminUrl,
    size: 'small',
    issuer: 'http://localhost:3001',
    today: new Date().toISOString().slice(0, 10),
  }))
  admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(
    `insert into app.organisations (org_id, slug, name, timezone) select $2, 'again', name, timezone from app.organisations where org_id = $1`,
    [loaded, entered],
  )
  await admin.query(
    'insert into app.roles (org_id, id, key, name, description) select $2, id, key, name, description from app.roles where org_id = $1',
    [loaded, entered],
  )
  // The keys of an object literal keep their order, which is that of the references.
  for (const table of Object.keys(columns) as Table[]) {
    const own = columns[table].filter((column) => column !== 'home_chapter_id' && column !== 'minor_until').join(', ')
    await admin.query(
      `insert into app.${table} (org_id, ${own}) select $2, ${own} from app.${table} where org_id = $1 ${table === 'chapters' ? 'order by depth' : table === 'accounts' ? "and kind = 'person'" : ''}`,
      [loaded, entered],
    )
  }
  for (const { table } of demoAreas) await enter(table)
  await admin.query('select app.refresh_counts($1)', [entered])
  await enterGiving()
})
afterAll(() => admin.end())

/** Columns that a table is filled with. */
async function columnsIn(table: string): Promise<string> {
  const { rows } = await admin.query<{ own: string }>(
    `select string_agg(column_name, ', ') as own from information_schema.columns
     where table_schema = 'app' and table_name = $1 and is_generated = 'NEVER' and column_name <> 'org_id'`,
    [table],
  )
  return rows[0]?.own ?? ''
}

/** Enters the rows of a table again, with some columns as they were in the beginning. */
async function enter(table: string, first: Record<string, string> = {}, where = 'true') {
  const own = await columnsIn(table)
  const values = own
    .split(', ')
    .map((column) => first[column] ?? column)
    .join(', ')
  await admin.query(`insert into app.${table} (org_id, ${own}) select $2, ${values} from app.${table} where org_id = $1 and ${where}`, [
    loaded,
    entered,
  ])
}

/** What people gave, begun and then paid, refunded and disputed as the money was. */
async function enterGiving() {
  await enter('funds')
  await enter('campaigns', { status: `case when status = 'draft' then status else 'active' end` })
  await admin.query(
    `update app.campaigns n set status = c.status from app.campaigns c where n.org_id = $2 and c.org_id = $1 and c.id = n.id and n.status <> c.status`,
    [loaded, entered],
  )
  await enter('campaign_funds')
  await enter('fundraising_settings')
  await enter('recurring_plans')
  await admin.query('begin')
  await enter('pledges', { status: `case when status = 'cancelled' then status else 'open' end`, open_amount: '0' })
  await enter('pledge_instalments', { state: `case when state = 'paid' then 'due' else state end`, gift_id: 'null' })
  await enter('gifts', {
    ...{ status: `'pending'`, refunded_amount: '0', settled_at: 'null', received_on: 'null' },
  })
  await enter('gift_allocations', { settled_amount: '0' })
  await enter('payments', {}, 'gift_id is not null')
  await enter('chapter_payouts')
  await admin.query('commit')
}

test.each([
  ['people', 'id, display_name, sort_name, search, home_chapter_id, minor_until'],
  ['chapters', 'id, depth, search'],
  ['chapter_ancestors', 'ancestor_id, chapter_id, distance'],
  ['chapter_counts', 'chapter_id, kind, people'],
  ['groups', 'id, sort_name, search'],
  ['group_counts', 'group_id, members'],
])('what follows from other rows in %s is what the triggers make of it', async (table, compared) => {
  const of = async (org: string) =>
    (await admin.query(`select ${compared} from app.${table} where org_id = $1 order by ${compared}`, [org])).rows
  const made = await of(loaded)
  expect(made.length).toBeGreaterThan(4)
  expect(made).toEqual(await of(entered))
})

test('without regions, the chapter president has the chapter of her city', async () => {
  const { rows } = await admin.query<{ name: string; title: string; key: string }>(
    `select c.name, s.title, r.key from app.accounts a join app.position_holders h on h.org_id = a.org_id and h.person_id = a.person_id
     join app.positions s on s.org_id = h.org_id and s.id = h.position_id join app.roles r on r.org_id = s.org_id and r.id = s.role_id
     join app.chapters c on c.org_id = s.org_id and c.id = s.chapter_id
     where a.org_id = $1 and a.subject = 'chapter' and h.starts_on <= current_date and h.ends_on >= current_date`,
    [loaded],
  )
  expect(rows).toEqual([{ name: 'Stockholm', title: 'President', key: 'chapter-admin' }])
})

test('the first entry of every row is the one that the triggers write', async () => {
  const of = async (org: string) => {
    const { rows } = await admin.query<Record<string, unknown>>(
      `select entity, entity_id, person_id, chapter_id, group_id, needs, diff from app.audit_entries where org_id = $1 and action = 'create'
       and entity not in ('organisations', 'roles', 'role_permissions', 'campaign_funds', 'fundraising_settings', 'pledge_instalments', 'payments', 'relationship_types', 'relationships', 'api_keys', 'webhook_endpoints') and not (entity = 'accounts' and diff ->> 'kind' = 'service')`,
      [org],
    )
    return rows
      .map((row) =>
        JSON.stringify(row, (_, value: unknown) => (isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value)),
      )
      .sort()
  }
  const history = await of(loaded)
  const written = await of(entered)
  expect(history.length).toBe(written.length)
  // What changed later begins otherwise: ends of memberships, promotions, lifecycles, a suspension.
  const later = ['"ends_on"', '"job_title"', '"lifecycle"', '"status"']
  const told = new Set(history)
  const differing = written.filter((entry) => !told.has(entry))
  expect(differing.filter((entry) => !later.some((column) => entry.includes(column)))).toEqual([])
  expect(differing.length).toBeLessThan(written.length / 3)
})

test('every relationship is one that the rules let through, but the guardian with a wrong birth date', async () => {
  await admin.query('delete from app.relationship_types where org_id = $1', [entered])
  await enter('relationship_types')
  const { rows } = await admin.query<{ id: string; key: string; state: string }>(
    'select r.id, t.key, r.state from app.relationships r join app.relationship_types t on t.org_id = r.org_id and t.id = r.type_id where r.org_id = $1 order by r.id',
    [loaded],
  )
  expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(['lineage', 'mentor', 'recruiter', 'household', 'guardian']))
  expect(rows.length).toBeGreaterThan(120)
  const refused: string[] = []
  for (const { id, key } of rows) {
    await enter('relationships', {}, `id = '${id}'`).catch((refusal: unknown) => {
      if (!(refusal instanceof pg.DatabaseError)) throw refusal
      refused.push(`${key}: ${refusal.constraint}`)
    })
  }
  expect(refused).toEqual(['guardian: relationship_under_age'])
  const entries = async (org: string) =>
    (
      await admin.query(
        `select entity_id, person_id, chapter_id, group_id, record_id, needs, diff - '{state,ends_on,ended_by,ended_at,verified_by,verified_at}'::text[] as diff from app.audit_entries
         where org_id = $1 and entity = 'relationships' and action = 'create' and entity_id in (select id from app.relationships where org_id = $2) order by entity_id`,
        [org, entered],
      )
    ).rows
  const told = await entries(loaded)
  expect(told.length).toBe(rows.length - 1)
  expect(told).toEqual(await entries(entered))
})

test('every invoice is one that the rules let through, in line with its payments and credit notes', async () => {
  const { rows: states } = await admin.query<{ state: string; invoices: number }>(
    `select case when i.state in ('issued', 'partly_paid') and i.due_on < current_date then 'overdue' else i.state end as state, count(*)::int as invoices
     from app.invoices i where i.org_id = $1 and i.kind = 'invoice' group by 1`,
    [loaded],
  )
  expect(states.map(({ state }) => state).sort()).toEqual(['credited', 'draft', 'issued', 'overdue', 'paid', 'partly_paid', 'void'])
  await admin.query(
    `insert into app.invoices (org_id, id, kind, state, person_id, chapter_id, books_chapter_id, currency, due_on, reason, credits_id)
     select $2, id, kind, 'draft', person_id, chapter_id, books_chapter_id, currency, due_on, reason, credits_id from app.invoices where org_id = $1 order by kind desc`,
    [loaded, entered],
  )
  await enter('invoice_lines')
  await enter('payments', {}, 'gift_id is null')
  await enter('payment_allocations')
  await enter('receipts', {}, 'gift_id is null')
  await admin.query(
    `update app.invoices n set state = case when i.state = 'void' then 'void' else 'issued' end, voided_at = i.voided_at, number = i.number, number_year = i.number_year, number_place = i.number_place,
       issued_on = i.issued_on, billing = i.billing, total_amount = (select sum(l.net_amount + l.tax_amount) from app.invoice_lines l where l.org_id = n.org_id and l.invoice_id = n.id)
     from app.invoices i where n.org_id = $2 and i.org_id = $1 and i.id = n.id and i.state <> 'draft'`,
    [loaded, entered],
  )
  await admin.query(`select app_private.recompute_invoice(org_id, id) from app.invoices where org_id = $1 and kind = 'invoice'`, [entered])
  const of = async (org: string) =>
    (
      await admin.query<{ id: string }>(
        `select id, state, number, paid_amount, credited_amount, balance_amount, paid_on from app.invoices where org_id = $1 and state <> 'draft' order by id`,
        [org],
      )
    ).rows
  const made = await of(loaded)
  expect(made.length).toBeGreaterThan(300)
  expect(await of(entered)).toEqual(made)

  const { rows: series } = await admin.query(
    `select s.kind, s.year from app.number_series s where s.org_id = $1 and s.last_number <> (
       select count(*) from (select i.kind, i.number_year from app.invoices i where i.org_id = $1 union all select 'receipt', r.number_year from app.receipts r where r.org_id = $1) n
       where n.kind = s.kind and n.number_year = s.year)`,
    [loaded],
  )
  expect(series).toEqual([])
})

test.each([
  ['gifts', 'id, status, counted_amount, refunded_amount, settled_at, received_on, counts, person_id'],
  ['gift_allocations', 'gift_id, fund_id, amount, settled_amount'],
  ['pledges', 'id, status, open_amount'],
  ['pledge_instalments', 'id, state, gift_id'],
  [
    'campaign_totals',
    'campaign_id, gifts, donors, settled_amount, refunded_amount, counted_amount, pledged_amount, recurring_amount, plans, last_gift_at',
  ],
  ['campaign_days', 'campaign_id, day, currency, gifts, amount, refunded, donors_new'],
  ['campaign_donors', 'campaign_id, donor_key, person_id, gifts, amount, first_on, last_on'],
  ['campaign_sizes', 'campaign_id, from_amount, gifts'],
  ['campaign_fund_totals', 'campaign_id, fund_id, amount'],
  ['donors', 'person_id, gifts, lifetime_amount, largest_amount, first_on, last_on, currency'],
  ['donor_years', 'person_id, year, gifts, amount'],
  ['fund_totals', 'fund_id, currency, gifts, amount'],
  ['chapter_shares', 'chapter_id, currency, earned_amount, paid_amount, open_amount'],
])('%s of the demo are what its payments make of them', async (table, compared) => {
  const of = async (org: string) =>
    (await admin.query(`select ${compared} from app.${table} where org_id = $1 order by ${compared}`, [org])).rows
  const made = await of(loaded)
  expect(made.length).toBeGreaterThan(0)
  expect(await of(entered)).toEqual(made)
})

test('every gift that came has one receipt that counts, saying what is left of it', async () => {
  const { rows } = await admin.query(
    `select g.id, g.status from app.gifts g where g.org_id = $1 and (select count(*) from app.receipts r where r.org_id = g.org_id and r.gift_id = g.id and r.state = 'issued' and r.amount = g.amount - g.refunded_amount
       and (select sum((l ->> 'amount')::bigint) from jsonb_array_elements(r.lines) l) = r.amount) <> case when g.status in ('settled', 'partly_refunded', 'disputed') then 1 else 0 end`,
    [loaded],
  )
  expect(rows).toEqual([])
})

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)
