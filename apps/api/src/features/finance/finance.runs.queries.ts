import type { DuesRun, DuesRunPreview, NewDuesRun } from '@guildhall/contract/features/finance'
import type { Actor, ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { chapterRef, mayInChapter, orNull } from '../../platform/lists/json-refs.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { below } from './finance.queries.ts'
import type { Period } from './finance.rules.ts'

/** What a run is of: a rate that replaces no other, in a chapter and everything below it, or everywhere, for one period. */
export type RunAsked = { rateId: string; chapterId: string | null; period: Period }

/** An invoice is drafted once under this key, whoever starts which run. */
export const keyOf = (rateId: string, periodStart: string, subject: RawBuilder<unknown>) =>
  sql`concat('dues:', ${rateId}::text, ':', ${periodStart}::text, ':', ${subject})`

/**
 * `t`: everybody whom the rate is for, with the rate of the nearest chapter above that has one of its own in its place. A person is charged once, at
 * the home chapter where that is one of theirs.
 */
const targets = ({ rateId, chapterId, period }: RunAsked) => sql`
  base as (select r.* from app.dues_rates r where r.id = ${rateId}),
  scope as (
    select c.id, c.name, c.status from app.chapters c, base b
    where ${chapterId ? sql`c.id in (select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId})` : sql`true`}
      and (b.chapter_id is null or c.id in (select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = b.chapter_id))),
  rated as materialized (
    select s.id, s.name, s.status, coalesce(o.id, b.id) as rate_id, case when o.id is null then b.price_amount else o.price_amount end as price,
      case when o.id is null then b.price_currency else o.price_currency end as currency, coalesce(o.tax_bps, b.tax_bps) as tax_bps, coalesce(o.chapter_share_bps, b.chapter_share_bps) as share_bps
    from scope s cross join base b
    left join lateral (select r.id, r.price_amount, r.price_currency, r.tax_bps, r.chapter_share_bps from app.chapter_ancestors a
      join app.dues_rates r on r.overrides_id = b.id and r.chapter_id = a.ancestor_id and r.archived_at is null where a.chapter_id = s.id order by a.distance limit 1) o on true),
  belonging as materialized (
    select x.person_id, x.chapter_id, x.starts_on from app.affiliations x
    where x.kind = (select b.member_kind from base b) and x.starts_on <= ${period.end}::date and (x.ends_on is null or x.ends_on >= greatest(${period.start}::date, (select app.today())))
      and x.chapter_id in (select r.id from rated r)),
  people as (
    select distinct on (x.person_id) x.person_id as subject_id, x.person_id, null::uuid as chapter_id, p.display_name as name, p.sort_name as sort, p.lifecycle, x.chapter_id as place, 1 as quantity
    from belonging x join app.people p on p.id = x.person_id and p.deleted_at is null
    where (select b.charged_to from base b) = 'person'
    order by x.person_id, x.chapter_id is distinct from p.home_chapter_id, x.starts_on, x.chapter_id),
  chapters as (
    select r.id as subject_id, null::uuid as person_id, r.id as chapter_id, r.name, lower(r.name) as sort, 'active' as lifecycle, r.id as place,
      case when (select b.charged_to from base b) = 'chapter' then 1 else coalesce(m.members, 0) end as quantity
    from rated r join app.chapters c on c.id = r.id and c.parent_id is not null and c.status <> 'closed'
    left join (select y.chapter_id, count(distinct y.person_id)::int as members from belonging y join app.people q on q.id = y.person_id and q.deleted_at is null
      and q.lifecycle not in ('deceased', 'merged', 'erased') group by y.chapter_id) m on m.chapter_id = r.id
    where (select b.charged_to from base b) <> 'person'),
  t as materialized (
    select s.*, r.rate_id, r.currency, r.price * s.quantity as net, r.tax_bps, r.share_bps,
      case when s.lifecycle in ('deceased', 'merged', 'erased') then 'gone'
        when s.quantity = 0 then 'no_members'
        when r.price = 0 then 'free'
        when exists (select from app.invoices i where i.dedupe_key = ${keyOf(rateId, period.start, sql`s.subject_id`)} and i.state <> 'void') then 'charged' end as skipped
    from (select * from people union all select * from chapters) s join rated r on r.id = s.place)`

const tax = sql`round(t.net::numeric * t.tax_bps / 10000)::bigint`
// A chapter has a share of what its people pay, not of what it owes itself.
const share = sql`case when t.person_id is null then 0 else round(t.net::numeric * t.share_bps / 10000)::bigint end`

export async function previewRun(db: ActorDb, asked: RunAsked): Promise<Pick<DuesRunPreview, 'charged' | 'skipped' | 'totals' | 'sample'>> {
  const named = sql`json_build_object('id', n.subject_id, 'name', n.name, 'chapter', n.place_name, 'quantity', n.quantity, 'amount', n.net, 'currency', n.currency, 'ownRate', n.own)`
  const first = (
    where: RawBuilder<unknown>,
    most: number,
  ) => sql`(select coalesce(json_agg(${named} order by n.sort, n.subject_id), '[]') from (
    select t.*, r.name as place_name, t.rate_id <> ${asked.rateId}::uuid as own from t join rated r on r.id = t.place where ${where} order by t.sort, t.subject_id limit ${sql.lit(most)}) n)`
  const { rows } = await sql<Pick<DuesRunPreview, 'charged' | 'skipped' | 'totals' | 'sample'>>`with ${targets(asked)}
    select (select count(*)::int from t where t.skipped is null) as charged,
      (select coalesce(json_agg(json_build_object('currency', s.currency, 'net', s.net, 'tax', s.tax, 'total', s.net + s.tax, 'chapterShare', s.share) order by s.currency), '[]')
        from (select t.currency, sum(t.net) as net, sum(${tax}) as tax, sum(${share}) as share from t where t.skipped is null group by t.currency) s) as totals,
      (select coalesce(json_agg(json_build_object('reason', w.reason, 'count', w.number, 'sample', ${first(sql`t.skipped = w.reason`, 10)}) order by w.reason), '[]')
        from (select t.skipped as reason, count(*)::int as number from t where t.skipped is not null group by t.skipped) w) as skipped,
      ${first(sql`t.skipped is null`, 50)} as sample`.execute(db)
  return rows[0] ?? { charged: 0, skipped: [], totals: [], sample: [] }
}

/** Whether the caller keeps the books of a chapter, or of the whole organisation. */
export async function mayCharge(db: ActorDb, chapterId: string | null): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select ${mayInChapter('finance.manage', sql`${chapterId}::uuid`)} as may`.execute(db)
  return rows[0]?.may ?? false
}

export async function todayOf(db: ActorDb): Promise<string> {
  const { rows } = await sql<{ today: string }>`select app.today()::text as today`.execute(db)
  return rows[0]?.today ?? ''
}

// Runs --------------------------------------------------------------------------------------------------------------------------------

const runItem = sql<DuesRun>`json_build_object('id', u.id, 'rate', json_build_object('id', r.id, 'name', r.name, 'chargedTo', r.charged_to), 'chapter', ${orNull('c', chapterRef)},
  'period', json_build_object('start', u.period_start, 'end', u.period_end, 'label', u.period_label), 'dueOn', u.due_on, 'issues', u.issues, 'state', u.state,
  'planned', u.planned, 'charged', u.charged, 'skipped', u.skipped, 'voided', u.voided, 'undoReason', u.undo_reason, 'jobId', u.job_id,
  'by', n.name, 'createdAt', u.created_at, 'version', u.version, 'may', json_build_object('undo', ${mayInChapter('finance.manage', sql`u.chapter_id`)} and u.state in ('started', 'done')))`
const runsFrom = sql`from app.dues_runs u join app.dues_rates r on r.org_id = u.org_id and r.id = u.rate_id
  left join app.chapters c on c.org_id = u.org_id and c.id = u.chapter_id left join app.account_name(u.created_by) n on true`

export const runsList = ({ chapterId }: { chapterId?: string | undefined }): List<DuesRun> => ({
  key: ['dues_runs', chapterId ?? null],
  item: runItem,
  from: runsFrom,
  where: chapterId ? [sql<SqlBool>`(u.chapter_id is null or ${below(sql`u.chapter_id`, chapterId)})`] : [],
  order: [sql`u.id`],
  descending: true,
})

export async function findRun(db: ActorDb, runId: string): Promise<DuesRun | undefined> {
  const { rows } = await sql<{ item: DuesRun }>`select ${runItem} as item ${runsFrom} where u.id = ${runId}`.execute(db)
  return rows[0]?.item
}

export async function insertRun(
  db: ActorDb,
  { orgId, accountId }: Actor,
  { rateId, chapterId, period }: RunAsked,
  { dueOn, issue }: Pick<NewDuesRun, 'dueOn' | 'issue'>,
): Promise<string> {
  const { id } = await db
    .insertInto('app.dues_runs')
    .values({
      org_id: orgId,
      created_by: accountId,
      rate_id: rateId,
      chapter_id: chapterId,
      period_start: period.start,
      period_end: period.end,
      period_label: period.label,
      due_on: dueOn ?? null,
      issues: issue,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Nobody else works on the run until the transaction ends. */
export async function lockRun(db: ActorDb, runId: string): Promise<DuesRun | undefined> {
  await sql`select from app.dues_runs u where u.id = ${runId} for update`.execute(db)
  return findRun(db, runId)
}

export async function noteRun(
  db: ActorDb,
  runId: string,
  set: {
    state?: DuesRun['state']
    job_id?: string
    planned?: number
    charged?: number
    skipped?: number
    voided?: number
    undo_reason?: string
  },
): Promise<void> {
  await db.updateTable('app.dues_runs').set(set).where('id', '=', runId).execute()
}

/** Writes down whom a run charges; how many, and how many it skips. */
export async function planRun(db: ActorDb, orgId: string, runId: string, asked: RunAsked): Promise<{ planned: number; skipped: number }> {
  const { rows } = await sql<{ planned: number; skipped: number }>`with ${targets(asked)},
    made as (insert into app.dues_run_items (org_id, run_id, subject_id, person_id, chapter_id, rate_id, quantity, net_amount, currency, share_chapter_id)
      select ${orgId}, ${runId}, t.subject_id, t.person_id, t.chapter_id, t.rate_id, t.quantity, t.net, t.currency, case when t.person_id is not null and t.share_bps > 0 then t.place end
      from t where t.skipped is null returning 1)
    select (select count(*)::int from made) as planned, (select count(*)::int from t where t.skipped is not null) as skipped`.execute(db)
  return rows[0] ?? { planned: 0, skipped: 0 }
}

export type RunItem = {
  subjectId: string
  personId: string | null
  chapterId: string | null
  quantity: number
  net: number
  currency: string
  shareChapterId: string | null
  rateName: string
  dueDays: number
  taxBps: number
  taxNote: string
  shareBps: number
}

export async function nextItems(db: ActorDb, runId: string, limit: number): Promise<RunItem[]> {
  const { rows } = await sql<RunItem>`
    select d.subject_id as "subjectId", d.person_id as "personId", d.chapter_id as "chapterId", d.quantity, d.net_amount as net, d.currency, d.share_chapter_id as "shareChapterId",
      r.name as "rateName", r.due_days as "dueDays", r.tax_bps as "taxBps", r.tax_note as "taxNote", r.chapter_share_bps as "shareBps"
    from app.dues_run_items d join app.dues_rates r on r.org_id = d.org_id and r.id = d.rate_id
    where d.run_id = ${runId} and d.state = 'planned' order by d.subject_id limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** An invoice that was there before is somebody else's charge of the same; which are this transaction's own. */
export async function noteCharged(
  db: ActorDb,
  runId: string,
  charged: readonly { subjectId: string; invoiceId: string }[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string; state: string }>`
    update app.dues_run_items d set invoice_id = x.invoice, state = case when i.created_at = now() then 'charged' else 'existing' end
    from unnest(${charged.map(({ subjectId }) => subjectId)}::uuid[], ${charged.map(({ invoiceId }) => invoiceId)}::uuid[]) x (subject, invoice)
    join app.invoices i on i.id = x.invoice
    where d.run_id = ${runId} and d.subject_id = x.subject returning d.invoice_id as id, d.state`.execute(db)
  return rows.filter(({ state }) => state === 'charged').map(({ id }) => id)
}

/** Voids the next invoices of a run of which nothing was paid or credited; the others are kept. */
export async function voidNext(
  db: ActorDb,
  orgId: string,
  runId: string,
  why: string,
  limit: number,
): Promise<{ matched: number; voided: number }> {
  const { rows } = await sql<{ id: string; open: boolean }>`
    select d.invoice_id as id, i.paid_amount = 0 and i.credited_amount = 0 and i.state in ('draft', 'issued') and not exists (
        select from app.payment_allocations a where a.org_id = i.org_id and a.invoice_id = i.id and a.amount > a.refunded_amount) as open
    from app.dues_run_items d join app.invoices i on i.org_id = d.org_id and i.id = d.invoice_id
    where d.run_id = ${runId} and d.state = 'charged' order by d.subject_id limit ${sql.lit(limit)}`.execute(db)
  const open = rows.filter((row) => row.open).map(({ id }) => id)
  await sql`select app.void_invoice(${orgId}::uuid, u.id, ${why}) from unnest(${open}::uuid[]) u (id) order by u.id`.execute(db)
  await sql`update app.dues_run_items d set state = case when d.invoice_id = any (${open}::uuid[]) then 'voided' else 'kept' end
    where d.run_id = ${runId} and d.invoice_id = any (${rows.map(({ id }) => id)}::uuid[])`.execute(db)
  return { matched: rows.length, voided: open.length }
}

/** What is not charged yet never will be. */
export async function dropPlanned(db: ActorDb, runId: string): Promise<void> {
  await sql`update app.dues_run_items d set state = 'voided' where d.run_id = ${runId} and d.state = 'planned'`.execute(db)
}

/** What undoing would void and what it would leave. */
export async function undoPreview(db: ActorDb, runId: string): Promise<{ voids: number; keeps: number }> {
  const { rows } = await sql<{ voids: number; keeps: number }>`
    select count(*) filter (where i.paid_amount = 0 and i.credited_amount = 0 and i.state in ('draft', 'issued'))::int as voids,
      count(*) filter (where not (i.paid_amount = 0 and i.credited_amount = 0 and i.state in ('draft', 'issued')) and i.state <> 'void')::int as keeps
    from app.dues_run_items d join app.invoices i on i.org_id = d.org_id and i.id = d.invoice_id where d.run_id = ${runId} and d.state = 'charged'`.execute(
    db,
  )
  return rows[0] ?? { voids: 0, keeps: 0 }
}
