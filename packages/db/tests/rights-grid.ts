import type pg from 'pg'
import { sql } from 'kysely'
import { roles, setStage } from './stage.ts'
import type { Role } from './stage.ts'
import type { TestDatabase } from '../src/testing.ts'

// What everybody of the cast may do with the rows of every table, found out by trying it on PostgreSQL. Nothing of a try stays.

const relations = ['own', 'west', 'below', 'east', 'foreign'] as const
type Relation = (typeof relations)[number]
const letters = ['R', 'A', 'C', 'D'] as const
type Letter = (typeof letters)[number]

type Table = { name: string; key: string[]; addable: string[]; changeable: string[]; deletable: boolean }
type Row = Record<string, unknown>
/** Of a table: what each role may do with the rows of each relation, as letters; small ones hold for some of the rows. */
export type Grid = Map<string, Map<Role, Record<Relation, string>>>

/** An own schema for the function that tries: a refusal, and what it did, end with the block. */
const trier = `
  create schema grid;
  grant usage on schema grid to app_access;
  create function grid.tried(statement text) returns boolean language plpgsql as $$
  declare touched bigint;
  begin
    execute statement;
    get diagnostics touched = row_count;
    raise exception using errcode = 'GR001', message = touched::text;
  exception
    when sqlstate 'GR001' then return sqlerrm <> '0';
    when insufficient_privilege then return false;
    -- The right was there; this very row stands in the way, as one that others refer to.
    when integrity_constraint_violation then return true;
  end $$;
  grant execute on function grid.tried(text) to app_access`

/** What the stage has only where a test asks for it, so that every table has a row of everybody. */
export async function furnish(
  admin: pg.Pool,
  { orgId, personId, accountId }: { orgId: string; personId: string | null; accountId: string },
): Promise<void> {
  const of = [orgId, personId]
  const by = [orgId, accountId]
  if (personId) {
    await admin.query(`insert into app.person_office_notes (org_id, person_id, note) values ($1, $2, 'x')`, of)
    await admin.query(
      `insert into app.person_external_ids (org_id, person_id, system, external_id) values ($1, $2::uuid, 'civicrm', $2::uuid::text)`,
      of,
    )
    await admin.query(`insert into app.person_private (org_id, person_id, gender) values ($1, $2, 'x') on conflict do nothing`, of)
    await admin.query(
      `with a as (insert into app.automations (org_id, chapter_id, name, trigger) select p.org_id, p.home_chapter_id, 'x', '{"on":"joined"}' from app.people p
         where p.org_id = $1 and p.id = $2 returning id),
       r as (insert into app.automation_runs (org_id, automation_id, person_id, occasion, next_at) select $1, a.id, $2, 'x', now() from a returning id, automation_id),
       l as (insert into app.automation_log (org_id, run_id, automation_id, step, kind) select $1, r.id, r.automation_id, 'enter', 'entered' from r)
       insert into app.follow_ups (org_id, person_id, chapter_id, account_id, run_id, title) select $1, $2, p.home_chapter_id, $3, r.id, 'x' from r cross join app.people p
         where p.org_id = $1 and p.id = $2`,
      [orgId, personId, accountId],
    )
    await admin.query(`insert into app.person_contacts (org_id, person_id, city) values ($1, $2, 'Bern') on conflict do nothing`, of)
    await admin.query(`insert into app.person_emails (org_id, person_id, address) values ($1, $2, 'second@example.org')`, of)
    await admin.query(`insert into app.person_phones (org_id, person_id, number) values ($1, $2, '+33123456')`, of)
    await admin.query(`insert into app.public_names (org_id, person_id) values ($1, $2)`, of)
    await admin.query(`insert into app.member_cards (org_id, person_id, valid_until) values ($1, $2, '2099-01-01')`, of)
    await admin.query(
      `insert into app.files (org_id, record_type, record_id, use, name, type, bytes, created_by) values ($1, 'person', $2, 'attachment', 'x', 'text/plain', 1, $3)`,
      [...of, accountId],
    )
    await admin.query(
      `insert into app.comments (org_id, record_type, record_id, body, author_id, created_by)
       values ($1, 'person', $2, '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"x"}]}]}', $2, $3)`,
      [...of, accountId],
    )
    await admin.query(
      `insert into app.comments (org_id, record_type, record_id, body, author_id, created_by, hidden_at, hidden_reason)
       values ($1, 'person', $2, '{"type":"doc","content":[]}', $2, $3, now(), 'x')`,
      [...of, accountId],
    )
  }
  if (personId)
    await admin.query(
      `with n as (insert into app.notes (org_id, record_type, record_id, visibility, body, created_by)
         select $1, 'person', $2, v, '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"x"}]}]}', $3
         from unnest(array['officers', 'organisation']) v returning org_id, id, record_id, created_by, visibility, body)
       insert into app.note_versions (org_id, note_id, number, person_id, created_by, visibility, body)
         select org_id, id, 1, record_id, created_by, visibility, body from n`,
      [...of, accountId],
    )
  const topic = await admin.query<{ id: string }>(
    `insert into app.topics (org_id, name, kind, default_opt, created_by) values ($1, $2::uuid::text, 'marketing', 'out', $2) returning id`,
    by,
  )
  if (personId) {
    await mailed(admin, orgId, personId, accountId)
    await admin.query(
      `insert into app.consents (org_id, person_id, topic_id, state, source) values ($1, $2, $3, 'subscribed', 'profile')`,
      [...of, topic.rows[0]?.id],
    )
    await admin.query(`insert into app.mail_preferences (org_id, person_id, paused_until) values ($1, $2, now())`, of)
  }
  const field = await admin.query<{ id: string }>(
    `insert into app.fields (org_id, record_type, key, label, type) values ($1, 'people', 'f' || right(md5($2::uuid::text), 20), 'x', 'choice')
     on conflict (org_id, record_type, key) do update set label = 'x' returning id`,
    by,
  )
  const choice = await admin.query<{ id: string }>(
    `insert into app.field_choices (org_id, field_id, label) values ($1, $2, $3::uuid::text) returning id`,
    [orgId, field.rows[0]?.id, accountId],
  )
  if (personId)
    await admin.query(`insert into app.people_field_values (org_id, person_id, field_id, value) values ($1, $2, $3, $4)`, [
      ...of,
      field.rows[0]?.id,
      choice.rows[0]?.id,
    ])
  if (personId)
    await admin.query(
      `insert into app.lifecycle_overrides (org_id, person_id, lifecycle, until, reason) values ($1, $2, 'alumni', current_date + 30, 'x')`,
      of,
    )
  const type = await admin.query<{ id: string }>(
    `insert into app.membership_types (org_id, name, period, months, price_amount, price_currency) values ($1, $2::uuid::text, 'rolling', 12, 0, 'EUR') returning id`,
    by,
  )
  if (personId)
    await admin.query(
      `with m as (insert into app.memberships (org_id, person_id, type_id, chapter_id, status)
         select p.org_id, p.id, $3, p.home_chapter_id, 'awaiting_payment' from app.people p where p.org_id = $1 and p.id = $2 returning id)
       insert into app.membership_terms (org_id, membership_id, person_id, period, months, price_amount, price_currency)
         select $1, m.id, $2, 'rolling', 12, 0, 'EUR' from m`,
      [...of, type.rows[0]?.id],
    )
  await admin.query(
    `insert into app.audiences (org_id, chapter_id, name, definition, created_by)
     values ($1, (select p.home_chapter_id from app.people p where p.org_id = $1 and p.id = $2), 'x', '{"include": [], "exclude": []}', $3)`,
    [...of, accountId],
  )
  await admin.query(
    `insert into app.dues_rates (org_id, chapter_id, name, charged_to, period, price_amount, price_currency, created_by)
     values ($1, (select p.home_chapter_id from app.people p where p.org_id = $1 and p.id = $2), 'x', 'person', 'year', 100, 'EUR', $3)`,
    [...of, accountId],
  )
  await admin.query(
    `with t as (insert into app.message_templates (org_id, chapter_id, name, created_by)
       values ($1, (select p.home_chapter_id from app.people p where p.org_id = $1 and p.id = $2), 'x', $3))
     insert into app.message_pictures (org_id, chapter_id, created_by) values ($1, (select p.home_chapter_id from app.people p where p.org_id = $1 and p.id = $2), $3)`,
    [...of, accountId],
  )
  if (personId) await billed(admin, orgId, personId)
  if (personId) await invited(admin, orgId, personId, accountId)
  if (personId) await gave(admin, orgId, personId, accountId)
  if (personId) await related(admin, orgId, personId)
  await announced(admin, orgId, accountId)
  await admin.query(`insert into app.loose_files (org_id, file_id, created_by) values ($1, app.uuid7(), $2)`, by)
  await admin.query(`insert into app.mail_messages (org_id, template, account_id, essential) values ($1, 'notice', $2, true)`, by)
  await admin.query(
    `insert into app.mail_days (org_id, day, domain, lane, mails) values ($1, current_date, 'example.org', 0, 1) on conflict do nothing`,
    [orgId],
  )
  await admin.query(
    `insert into app.mail_alarms (org_id, level, day, mails, complaints) values ($1, 'alert', current_date, 1000, 2) on conflict do nothing`,
    [orgId],
  )
  await admin.query(
    `insert into app.notifications (org_id, account_id, kind, in_inbox, mail) values ($1, $2, 'join-request', true, 'off')`,
    by,
  )
  await admin.query(
    `insert into app.notification_preferences (org_id, account_id, kind, in_inbox, mail) values ($1, $2, 'join-request', true, 'off')`,
    by,
  )
  await admin.query(
    `insert into app.calendar_feeds (org_id, id, kind, public, account_id, secret_hash) values ($1, app.uuid7(), 'personal', false, $2, encode(sha256($2::uuid::text::bytea), 'hex'))`,
    by,
  )
  await admin.query(`insert into app.saved_views (org_id, account_id, list, name, spec) values ($1, $2, 'people', 'Mine', '{}')`, by)
  await admin.query(
    `with j as (insert into app.job_progress (org_id, account_id, kind, title) values ($1, $2, 'export', 'x') returning id)
     insert into app.exports (org_id, account_id, list, format, spec, job_id) select $1, $2, 'people', 'csv', '{}', j.id from j`,
    by,
  )
  await admin.query(
    `with i as (insert into app.imports (org_id, kind, file_name, file_size, file_hash, file_key, created_by) values ($1, 'people', 'a.csv', 1, $2::uuid::text, $2::uuid::text, $2::uuid) returning id)
     insert into app.import_rows (org_id, import_id, phase, line, step, outcome) select $1, i.id, 'check', 1, 1, 'create' from i`,
    by,
  )
  await admin.query(
    `insert into app.import_mappings (org_id, kind, name, mapping, created_by) values ($1, 'people', $2::uuid::text, '{}', $2::uuid)`,
    by,
  )
}

/** A household in both directions with somebody of the same chapter. */
async function related(admin: pg.Pool, orgId: string, personId: string): Promise<void> {
  await admin.query(
    `with o as (select p.id from app.people p join app.people me on me.org_id = p.org_id and me.home_chapter_id = p.home_chapter_id
         where me.org_id = $1 and me.id = $2 and p.id <> me.id and p.minor_until is null order by p.id limit 1),
       t as (select t.id from app.relationship_types t where t.org_id = $1 and t.key = 'household')
     insert into app.relationships (org_id, type_id, from_person_id, to_person_id)
       select $1, t.id, $2, o.id from o cross join t union all select $1, t.id, o.id, $2 from o cross join t`,
    [orgId, personId],
  )
}

/** A draft and an announcement that is shown, of the chapter of the account's person or of the organisation, which the account has read. */
async function announced(admin: pg.Pool, orgId: string, accountId: string): Promise<void> {
  const place = `(select p.home_chapter_id from app.accounts a join app.people p on p.org_id = a.org_id and p.id = a.person_id where a.org_id = $1 and a.id = $2)`
  await admin.query(`insert into app.announcements (org_id, chapter_id, title) values ($1, ${place}, 'x')`, [orgId, accountId])
  await admin.query(
    `with n as (insert into app.announcements (org_id, chapter_id, title, starts_at, published_at) values ($1, ${place}, 'x', '2026-01-01', '2026-01-01') returning org_id, id)
     insert into app.announcement_reads (org_id, announcement_id, account_id) select n.org_id, n.id, $2 from n`,
    [orgId, accountId],
  )
}

/** A campaign of their chapter to which they gave by hand, give every month and have pledged, and what follows from it; the chapter has a share and was paid of it. */
async function gave(admin: pg.Pool, orgId: string, personId: string, accountId: string) {
  const { rows } = await admin.query<{ campaign: string; fund: string; chapter: string }>(
    `with f as (insert into app.funds (org_id, chapter_id, name, created_by) select p.org_id, p.home_chapter_id, $3::uuid::text, $3 from app.people p where p.org_id = $1 and p.id = $2 returning org_id, id, chapter_id),
       c as (insert into app.campaigns (org_id, chapter_id, name, slug, status, currency, fund_id, share_chapter_id, share_bps, created_by)
         select f.org_id, f.chapter_id, 'x', $3::uuid::text, 'active', 'EUR', f.id, f.chapter_id, 5000, $3 from f returning org_id, id, fund_id, chapter_id),
       k as (insert into app.campaign_funds (org_id, campaign_id, fund_id) select org_id, id, fund_id from c)
     select id as campaign, fund_id as fund, chapter_id as chapter from c`,
    [orgId, personId, accountId],
  )
  const [made] = rows
  await admin.query(
    `with g as (insert into app.gifts (org_id, campaign_id, chapter_id, person_id, amount, currency, method, source, share_chapter_id, share_amount) values ($1, $2, $3, $4, 100, 'EUR', 'cash', 'office', $3, 50) returning org_id, id),
       a as (insert into app.gift_allocations (org_id, gift_id, fund_id, amount) select org_id, id, $5, 100 from g),
       n as (insert into app.giving_notes (org_id, gift_id, note) select org_id, id, 'x' from g)
     insert into app.payments (org_id, person_id, gift_id, method, amount, currency, state, settled_at) select org_id, $4, id, 'cash', 100, 'EUR', 'settled', now() from g`,
    [orgId, made?.campaign, made?.chapter, personId, made?.fund],
  )
  await admin.query(
    `insert into app.recurring_plans (org_id, person_id, campaign_id, fund_id, chapter_id, amount, currency, interval) values ($1, $2, $3, $4, $5, 100, 'EUR', 'month')`,
    [orgId, personId, made?.campaign, made?.fund, made?.chapter],
  )
  await admin.query(
    `with l as (insert into app.pledges (org_id, person_id, campaign_id, fund_id, chapter_id, amount, currency, pledged_on) values ($1, $2, $3, $4, $5, 100, 'EUR', '2026-01-01') returning org_id, id)
     insert into app.pledge_instalments (org_id, pledge_id, place, due_on, amount) select org_id, id, 1, '2026-01-01', 100 from l`,
    [orgId, personId, made?.campaign, made?.fund, made?.chapter],
  )
  await admin.query(
    `insert into app.chapter_payouts (org_id, chapter_id, amount, currency, paid_on) values ($1, $2, 10, 'EUR', '2026-01-01')`,
    [orgId, made?.chapter],
  )
  await admin.query(
    `with r as (insert into app.giving_runs (org_id, since, until) values ($1, '2026-01-01', '2026-12-31') returning id)
     insert into app.giving_run_items (org_id, run_id, person_id, currency, amount, gifts) select $1, r.id, $2, 'EUR', 100, 1 from r`,
    [orgId, personId],
  )
  await admin.query('insert into app.fundraising_settings (org_id) values ($1) on conflict do nothing', [orgId])
}

/** An invoice that was paid, with its receipt, a refund that failed and a saved card. */
async function billed(admin: pg.Pool, orgId: string, personId: string) {
  const invoice = await admin.query<{ id: string }>(
    `select app.draft_invoice($1, jsonb_build_object('personId', $2::uuid, 'lines', '[{"text":"x","amount":100}]'::jsonb)) as id`,
    [orgId, personId],
  )
  const invoiceId = invoice.rows[0]?.id
  await admin.query('select app.issue_invoice($1, $2)', [orgId, invoiceId])
  const payment = await admin.query<{ id: string }>(
    `with p as (
       insert into app.payments (org_id, person_id, books_chapter_id, method, amount, currency, state, settled_at)
         select $1, i.person_id, i.books_chapter_id, 'cash', 100, i.currency, 'settled', now() from app.invoices i where i.org_id = $1 and i.id = $2
         returning id
     ),
     a as (insert into app.payment_allocations (org_id, payment_id, invoice_id, amount) select $1, p.id, $2, 100 from p)
     select id from p`,
    [orgId, invoiceId],
  )
  await admin.query(
    `insert into app.refunds (org_id, payment_id, amount, currency, reason, state) values ($1, $2, 1, 'EUR', 'x', 'failed')`,
    [orgId, payment.rows[0]?.id],
  )
  await admin.query(
    `insert into app.payment_methods (org_id, person_id, provider_customer, provider_method, brand, last4, exp_month, exp_year)
     values ($1, $2, 'cus_x', $2::uuid::text, 'visa', '4242', 12, 2030)`,
    [orgId, personId],
  )
  await admin.query('insert into app.payment_settings (org_id) values ($1) on conflict do nothing', [orgId])
  await admin.query('insert into app.finance_settings (org_id) values ($1) on conflict do nothing', [orgId])
  await admin.query('insert into app.payment_comparisons (org_id) values ($1) on conflict do nothing', [orgId])
  await admin.query(`insert into app.payment_differences (org_id, kind, provider_ref) values ($1, 'unknown_here', $2::uuid::text)`, [
    orgId,
    personId,
  ])
  await admin.query('select app.issue_receipt($1, $2), app.invoice_settled($1, $3)', [orgId, payment.rows[0]?.id, invoiceId])
}

/**
 * An event of their chapter, for members, with all that hangs on one: mails, survey, tickets, and their own seat, at which they were checked in. Without staff, since
 * that would give them rights of its own.
 */
async function invited(admin: pg.Pool, orgId: string, personId: string, accountId: string) {
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.events (org_id, chapter_id, title, status, published_at, starts_at, ends_at, timezone, capacity, created_by)
       select p.org_id, p.home_chapter_id, 'x', 'published', now(), now() + interval '1 day', now() + interval '2 days', 'UTC', 10, $3 from app.people p
       where p.org_id = $1 and p.id = $2 returning id`,
    [orgId, personId, accountId],
  )
  const of = [orgId, rows[0]?.id]
  await admin.query(`insert into app.event_links (org_id, event_id, url) values ($1, $2, 'https://example.org')`, of)
  await admin.query(`insert into app.event_programme (org_id, event_id, place, title, starts_at) values ($1, $2, 1, 'x', now())`, of)
  await admin.query(`insert into app.event_questions (org_id, event_id, place, text) values ($1, $2, 1, 'x')`, of)
  await admin.query(`insert into app.event_promo_codes (org_id, event_id, code, percent) values ($1, $2, 'EARLY', 10)`, of)
  await admin.query(`insert into app.event_mail_settings (org_id, event_id, kind) values ($1, $2, 'reminder')`, of)
  await admin.query(
    `insert into app.event_messages (org_id, event_id, kind, subject, created_by) values ($1, $2, 'message', 'x', $3), ($1, $2, 'reminder', '', null)`,
    [...of, accountId],
  )
  await admin.query(`insert into app.event_surveys (org_id, event_id) values ($1, $2)`, of)
  await admin.query(`insert into app.event_survey_questions (org_id, event_id, place, text) values ($1, $2, 1, 'x')`, of)
  await admin.query(
    `insert into app.event_invitations (org_id, event_id, person_id, email, created_by)
       values ($1, $2, $3, null, $4), ($1, $2, null, 'somebody@example.org', $4)`,
    [...of, personId, accountId],
  )
  await admin.query(
    `with t as (insert into app.event_ticket_types (org_id, event_id, place, name, price_amount, price_currency) values ($1, $2, 1, 'x', 0, 'EUR') returning id),
     r as (insert into app.registrations (org_id, event_id, chapter_id, person_id, ticket_type_id, name, status, cause, source, price_amount, price_currency, checked_in_at)
       select e.org_id, e.id, e.chapter_id, $3, t.id, 'x', 'checked_in', 'registered', 'self', 0, 'EUR', now() from app.events e cross join t where e.org_id = $1 and e.id = $2 returning id)
     insert into app.check_ins (org_id, event_id, registration_id, client_id, scanned_at) select $1, $2, r.id, $3::uuid::text, now() from r`,
    [...of, personId],
  )
}

/** A message of their chapter that was sent to somebody, with all that is counted of it. */
async function mailed(admin: pg.Pool, orgId: string, personId: string, accountId: string) {
  await admin.query(`insert into app.communication_settings (org_id) values ($1) on conflict do nothing`, [orgId])
  const { rows } = await admin.query<{ id: string; delivery: string }>(
    `with m as (insert into app.messages (org_id, chapter_id, name, status, created_by) select p.org_id, p.home_chapter_id, 'x', 'sent', $3 from app.people p where p.org_id = $1 and p.id = $2 returning id)
     insert into app.message_deliveries (org_id, message_id, person_id, address, state) select $1, m.id, $2, 'x@example.org', 'sent' from m returning message_id as id, id as delivery`,
    [orgId, personId, accountId],
  )
  const of = [orgId, rows[0]?.id]
  await admin.query(`insert into app.message_links (org_id, message_id, number, url) values ($1, $2, 1, 'https://example.org')`, of)
  await admin.query(`insert into app.message_clicks (org_id, delivery_id, number) values ($1, $2, 1)`, [orgId, rows[0]?.delivery])
  await admin.query(`insert into app.message_counts (org_id, message_id, what, n) values ($1, $2, 'sent', 1)`, of)
  await admin.query(`insert into app.message_chapters (org_id, message_id, chapter_id, what, n) values ($1, $2, $1, 'sent', 1)`, of)
  await admin.query(`insert into app.message_hours (org_id, message_id, hour, what, n) values ($1, $2, now(), 'sent', 1)`, of)
}

const described = `
  select c.relname as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
      where i.indrelid = c.oid and i.indisunique and i.indpred is null and (i.indisprimary or not exists (select from pg_index o where o.indrelid = c.oid and o.indisprimary))) as key,
    (select coalesce(array_agg(a.attname::text order by a.attnum), '{}') from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and has_column_privilege('app_access', c.oid, a.attnum, 'insert')) as addable,
    (select coalesce(array_agg(a.attname::text order by a.attnum), '{}') from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and has_column_privilege('app_access', c.oid, a.attnum, 'update')) as changeable,
    has_table_privilege('app_access', c.oid, 'delete') as deletable
  from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' and has_any_column_privilege('app_access', c.oid, 'select') order by 1`

export async function measureGrid(test: TestDatabase): Promise<Grid> {
  /** Every row by the step of building that brought it: a place, or somebody of the cast. */
  const brought = new Map<string, Map<string, Row[]>>()
  const known = new Set<string>()
  let tables: Table[] = []
  const stage = await setStage(test, async (admin, step, whose) => {
    await furnish(admin, whose)
    if (tables.length === 0) tables = (await admin.query<Table>(described)).rows
    const rows = new Map<string, Row[]>()
    for (const table of tables) {
      const { rows: all } = await admin.query<{ row: Row }>(`select to_jsonb(t) as row from app.${table.name} t`)
      const fresh = all
        .map(({ row }) => row)
        .filter((row) => row['org_id'] === whose.orgId && !known.has(`${table.name} ${keyOf(table, row)}`))
      for (const row of fresh) known.add(`${table.name} ${keyOf(table, row)}`)
      rows.set(table.name, fresh)
    }
    brought.set(step, rows)
  })
  try {
    await stage.admin.query(trier)
    const grid: Grid = new Map(tables.map(({ name }) => [name, new Map()]))
    for (const role of roles) {
      const actor = stage.actors[role]
      for (const table of tables) {
        const rowsOf = (relation: Relation) => brought.get(relation === 'own' ? role : relation)?.get(table.name) ?? []
        const read = await stage.database.asActor(actor, (db) =>
          // Of some tables only a few columns may be read, the key among them.
          sql<{ row: Row }>`select to_jsonb(t) as row from (
            select ${sql.join(table.key.map((column) => sql.ref(column)))} from ${sql.table(`app.${table.name}`)}) t`.execute(db),
        )
        const seen = new Set(read.rows.map(({ row }) => keyOf(table, row)))
        const tries = relations.flatMap((relation) =>
          rowsOf(relation).flatMap((row) =>
            (['A', 'C', 'D'] as const).flatMap((letter) => {
              const statement = statementOf(letter, table, row, actor.accountId)
              return statement ? [{ relation, letter, statement }] : []
            }),
          ),
        )
        const statements = tries.map(({ statement }) => statement)
        const tried = sql<{
          done: boolean
        }>`select grid.tried(s) as done from unnest(${statements}::text[]) with ordinality u (s, n) order by n`
        const { rows } =
          tries.length > 0 ? await stage.database.asActor(actor, (db) => tried.execute(db), { statementTimeoutMs: 60_000 }) : { rows: [] }
        const cell = (relation: Relation) => {
          if (rowsOf(relation).length === 0) return ''
          const done = (letter: Letter) =>
            letter === 'R'
              ? rowsOf(relation).map((row) => seen.has(keyOf(table, row)))
              : tries.flatMap((one, index) => (one.relation === relation && one.letter === letter ? [rows[index]?.done ?? false] : []))
          return (
            letters
              .map((letter) => (done(letter).includes(true) ? (done(letter).includes(false) ? letter.toLowerCase() : letter) : ''))
              .join('') || '-'
          )
        }
        grid
          .get(table.name)
          ?.set(role, { own: cell('own'), west: cell('west'), below: cell('below'), east: cell('east'), foreign: cell('foreign') })
      }
    }
    return grid
  } finally {
    await stage.end()
  }
}

const keyOf = ({ key }: Table, row: Row) => JSON.stringify(key.map((column) => row[column]))
const quoted = (value: unknown) => `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll("'", "''")}'`

function statementOf(letter: Letter, { name, key, addable, changeable, deletable }: Table, row: Row, accountId: string): string | null {
  const where = key.map((column) => `${column} = ${quoted(row[column])}`).join(' and ')
  if (letter === 'D') return deletable ? `delete from app.${name} where ${where}` : null
  if (letter === 'C') return changeable[0] ? `update app.${name} set ${changeable[0]} = ${changeable[0]} where ${where}` : null
  if (addable.length === 0) return null
  // The same once more, under an id of its own and as made by whoever tries.
  const columns = addable.filter((column) => column !== 'id').join(', ')
  const copy = { ...row, ...('created_by' in row && { created_by: accountId }) }
  return `insert into app.${name} (${columns}) select ${columns} from jsonb_populate_record(null::app.${name}, ${quoted(JSON.stringify(copy))})`
}

/** The page that shows it, table by table. */
export function gridPage(grid: Grid): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    '# Rights by table',
    '',
    'What everybody may do with the rows of each table of the database, measured by trying it: a change of rights is a change of this page, which',
    '`npx vitest run rights-grid -u` writes anew. [Rights in full](rights-in-full.md) says the same of the product in words.',
    '',
    'R is read, A add one like it, C change, D delete; a small letter holds for some of the rows only, such as adults but not minors. The own rows came with',
    'the person and account of the person who tries. Officer, former officer and member belong to West, where safeguarding was granted; *below* is a chapter under West,',
    '*elsewhere* another chapter, and *abroad* another organisation, to which the stranger belongs as an owner. What belongs to a whole organisation stands under West and abroad. Empty: there is no such row.',
    ...[...grid].flatMap(([table, lines]) => [
      '',
      `## ${table}`,
      '',
      line(['', 'own', 'West', 'below', 'elsewhere', 'abroad']),
      line(['---', ...relations.map(() => '---')]),
      ...[...lines].map(([role, cells]) => line([role, ...relations.map((relation) => cells[relation])])),
    ]),
    '',
  ].join('\n')
}
