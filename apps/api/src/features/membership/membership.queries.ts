import type {
  HeldMembership,
  HeldMembershipDetail,
  MembershipApplication,
  MembershipChangePreview,
  MembershipListInput,
  MembershipOverride,
  MembershipRun,
  MembershipStatus,
  MembershipType,
  MembershipTypeChange,
  MembershipTypePreview,
  NewMembershipType,
} from '@guildhall/contract/features/membership'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { chapterRef, mayInChapter, orNull, personRef } from '../../platform/lists/json-refs.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { kindOf } from '../../platform/notify.ts'
import { columnsOf } from '../../platform/records/columns.ts'
import { statement } from '../../platform/records/statement.ts'
import { updateRecord } from '../../platform/records/update-record.ts'
import type { Term } from './membership.rules.ts'

/** A transaction of somebody who is signed in, or of a worker. */
type Rows = ActorDb | Kysely<Schema>

// Types -----------------------------------------------------------------------------------------------------------------------------

/** A list of these is what a person reads at once: nobody has more. */
export const typesLimit = 200

const typeItem = sql<MembershipType>`json_build_object('id', t.id, 'name', t.name, 'description', t.description, 'period', t.period, 'months', t.months,
  'startsMonth', t.starts_month, 'startsDay', t.starts_day, 'rolloverDays', t.rollover_days,
  'price', json_build_object('amount', t.price_amount, 'currency', t.price_currency), 'graceDays', t.grace_days, 'renewalDays', t.renewal_days,
  'needsApproval', t.needs_approval, 'chapterShareBps', t.chapter_share_bps, 'openTo', t.open_to, 'leaving', t.leaving, 'questions', to_json(t.questions),
  'archivedAt', t.archived_at, 'version', t.version)`
const typesFound = (where: RawBuilder<SqlBool>) =>
  sql<{
    item: MembershipType
  }>`select ${typeItem} as item from app.membership_types t where ${where} order by lower(t.name), t.id limit ${sql.lit(typesLimit)}`

export const typesQuery = (archived: boolean) => statement(typesFound(archived ? sql`true` : sql`t.archived_at is null`))

/** Those that the caller may choose for themselves. */
const choosable: RawBuilder<SqlBool> = sql`t.archived_at is null and (t.open_to = 'everyone'
  or (t.open_to = 'members' and exists (select from app.memberships o where o.person_id = (select app.person_id()) and o.starts_on is not null)))`
export const choosableTypesQuery = () => statement(typesFound(choosable))

export async function findType(db: ActorDb, typeId: string): Promise<MembershipType | undefined> {
  const { rows } = await typesFound(sql`t.id = ${typeId}`).execute(db)
  return rows[0]?.item
}
export async function mayChoose(db: ActorDb, typeId: string): Promise<boolean> {
  return (await typesFound(sql`t.id = ${typeId} and ${choosable}`).execute(db)).rows.length > 0
}
export async function typeNameTaken(db: ActorDb, name: string, except: string | null): Promise<boolean> {
  const { rows } = await sql`select from app.membership_types t where lower(t.name) = lower(${name}) and t.archived_at is null
    and t.id is distinct from ${except}::uuid`.execute(db)
  return rows.length > 0
}
export async function countTypes(db: ActorDb): Promise<number> {
  const { rows } = await sql<{ types: number }>`select count(*)::int as types from app.membership_types`.execute(db)
  return rows[0]?.types ?? 0
}

type TypeFacts = Partial<Omit<NewMembershipType, 'price'>>
const priceOf = (price: MembershipType['price'] | undefined) =>
  price ? { price_amount: price.amount, price_currency: price.currency } : {}

export async function insertType(
  db: ActorDb,
  { orgId, accountId }: { orgId: string; accountId: string },
  { price, name, period, ...rest }: NewMembershipType,
): Promise<string> {
  const { id } = await db
    .insertInto('app.membership_types')
    .values({
      org_id: orgId,
      created_by: accountId,
      name,
      period,
      price_amount: price.amount,
      price_currency: price.currency,
      ...columnsOf('app.membership_types', rest),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const updateType = (
  db: ActorDb,
  typeId: string,
  version: number,
  { price, ...rest }: MembershipTypeChange,
): Promise<MembershipType> =>
  updateRecord(
    db,
    'app.membership_types',
    { id: typeId, version },
    {
      ...columnsOf('app.membership_types', rest satisfies { [Field in keyof TypeFacts]: TypeFacts[Field] | undefined }),
      ...priceOf(price),
    },
    () => findType(db, typeId),
  )

export const archiveType = (db: ActorDb, typeId: string, version: number, archived: boolean): Promise<MembershipType> =>
  updateRecord(db, 'app.membership_types', { id: typeId, version }, { archived_at: archived ? sql`now()` : null }, () =>
    findType(db, typeId),
  )

/** Renewals that the calendar opens within a year, by the rules that the type has now: what it charges, and which dates that gives. */
const mostRenewals = 100_001
export async function renewalsOf(db: ActorDb, typeId: string): Promise<MembershipTypePreview['after']> {
  const { rows } = await sql<{ found: MembershipTypePreview['after'] }>`with r as materialized (
      select m.id, m.person_id, greatest(m.ends_on - t.renewal_days, (select app.today())) as opens_on, t.price_amount as amount,
        round(t.price_amount::numeric * case when m.chapter_id is null then 0 else t.chapter_share_bps end / 10000) as share,
        app.term_ends(t.period, t.months, t.starts_month, t.starts_day, 0, m.ends_on + 1) as ends_on, t.grace_days
      from app.memberships m join app.membership_types t on t.org_id = m.org_id and t.id = m.type_id
      where m.type_id = ${typeId} and m.status in ('active', 'grace') and m.auto_renew and t.archived_at is null and t.period <> 'lifetime'
        and m.ends_on - t.renewal_days <= (select app.today()) + 365
        and not exists (select from app.membership_terms o where o.org_id = m.org_id and o.membership_id = m.id and o.status = 'open')
      limit ${sql.lit(mostRenewals)})
    select json_build_object('total', count(*), 'amount', coalesce(sum(r.amount), 0), 'chapters', coalesce(sum(r.share), 0),
      'first', (select coalesce(json_agg(json_build_object('person', ${personRef('p')}, 'opensOn', f.opens_on, 'amount', f.amount, 'endsOn', f.ends_on,
          'graceUntil', f.ends_on + f.grace_days) order by f.opens_on, f.id), '[]')
        from (select * from r order by r.opens_on, r.id limit 10) f join app.people p on p.id = f.person_id)) as found from r`.execute(db)
  return answered(rows).found
}

export async function typeInUse(db: ActorDb, typeId: string): Promise<{ waiting: number; offered: number }> {
  const { rows } = await sql<{ waiting: number; offered: number }>`select
    (select count(*)::int from app.memberships m where m.type_id = ${typeId} and m.status = 'awaiting_approval') as waiting,
    (select count(*)::int from app.membership_terms o join app.memberships m on m.org_id = o.org_id and m.id = o.membership_id
      where m.type_id = ${typeId} and o.status = 'open') as offered`.execute(db)
  return answered(rows)
}

// Memberships -----------------------------------------------------------------------------------------------------------------------

const mine = sql`coalesce(m.person_id = (select app.person_id()), false)`
const runs = mayInChapter('memberships.manage', sql`m.chapter_id`)
/** Only asked about rows of officers: whether somebody decides about another officer takes a look at offices. */
const decides = sql`(${runs} and app.decides_membership(m.person_id, m.chapter_id))`
const waiting = sql`m.status in ('awaiting_approval', 'awaiting_payment')`
const counting = sql`m.status in ('active', 'grace')`
const paused = sql`coalesce('suspended' in (m.status, m.override_status), false)`
const isSettled = sql`(m.starts_on is not null)`

const heldFields = sql`'id', m.id, 'person', ${personRef('p')}, 'type', json_build_object('id', t.id, 'name', t.name), 'chapter', ${orNull('c', chapterRef)},
  'status', m.status, 'counts', coalesce(m.override_status, m.status),
  'override', case when m.override_status is not null then json_build_object('status', m.override_status, 'until', m.override_until, 'reason', m.override_reason) end,
  'autoRenew', m.auto_renew, 'startsOn', m.starts_on, 'endsOn', m.ends_on, 'graceUntil', m.grace_until, 'paidOn', m.paid_on, 'leavesOn', m.leaves_on,
  'owed', (select json_build_object('amount', o.price_amount, 'currency', o.price_currency) from app.membership_terms o
    where o.org_id = m.org_id and o.membership_id = m.id and o.status = 'open'),
  'answers', m.answers, 'reason', m.reason, 'appliedAt', m.created_at, 'decidedAt', m.decided_at, 'version', m.version,
  'may', json_build_object(
    'decide', m.status = 'awaiting_approval' and ${decides},
    'renew', (${mine} or ${runs}) and m.leaves_on is null and (m.status in ('active', 'grace', 'lapsed', 'awaiting_payment') or (m.status = 'cancelled' and ${runs})) and t.archived_at is null
      and not (${isSettled} and m.ends_on is null) and (${runs} or coalesce(m.ends_on - t.renewal_days <= (select app.today()), true)),
    'cancel', (${mine} or ${runs}) and m.status in ('active', 'grace', 'suspended') and (not ${paused} or ${decides}),
    'leaveNow', t.leaving = 'any_time' or coalesce(m.ends_on < (select app.today()), true) or ${decides},
    'keep', m.leaves_on is not null and (${mine} or ${runs}) and (not ${paused} or ${decides}),
    'suspend', ${counting} and ${decides}, 'resume', m.status = 'suspended' and ${decides},
    'change', m.status not in ('declined', 'withdrawn') and ${decides},
    'changeType', m.status not in ('declined', 'withdrawn') and (${decides} or (${mine} and not ${paused} and app.membership_may_switch(m.status, m.leaves_on, m.ends_on, t.renewal_days))),
    'autoRenew', (${mine} or ${runs}) and m.status not in ('declined', 'withdrawn', 'cancelled'),
    'withdraw', (${mine} or ${runs}) and ${waiting} and not ${isSettled})`
const heldItem = sql<HeldMembership>`json_build_object(${heldFields})`
const detailItem = sql<HeldMembershipDetail>`json_build_object(${heldFields}, 'terms', (select coalesce(json_agg(json_build_object('id', e.id, 'status', e.status,
  'startsOn', e.starts_on, 'endsOn', e.ends_on, 'settledOn', e.settled_on, 'price', json_build_object('amount', e.price_amount, 'currency', e.price_currency))
  order by e.starts_on desc nulls first, e.id desc), '[]') from (select x.* from app.membership_terms x where x.org_id = m.org_id and x.membership_id = m.id
  order by x.starts_on desc nulls first, x.id desc limit 100) e))`
const heldFrom = sql`from app.memberships m
  join app.people p on p.org_id = m.org_id and p.id = m.person_id
  join app.membership_types t on t.org_id = m.org_id and t.id = m.type_id
  left join app.chapters c on c.org_id = m.org_id and c.id = m.chapter_id`

export function membershipsList(input: z.infer<typeof MembershipListInput>): List<HeldMembership> {
  const { status, typeId, chapterId, endsBy, mineToDecide, overridden } = input
  const where: RawBuilder<SqlBool>[] = [sql`p.deleted_at is null`]
  if (status) where.push(sql`m.status = ${status}`)
  if (typeId) where.push(sql`m.type_id = ${typeId}`)
  if (chapterId) where.push(sql`m.chapter_id in (select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId})`)
  if (endsBy) where.push(sql`m.ends_on <= ${endsBy}`)
  if (overridden) where.push(sql`m.override_until is not null`)
  if (mineToDecide) where.push(sql`m.status = 'awaiting_approval'`, sql`${decides}`)
  return {
    key: ['memberships', status ?? null, typeId ?? null, chapterId ?? null, endsBy ?? null, mineToDecide ?? false, overridden ?? false],
    item: heldItem,
    from: heldFrom,
    where,
    order: [sql`m.id`],
    descending: true,
  }
}

const ofPerson = (whose: RawBuilder<unknown>) =>
  sql<{ item: HeldMembershipDetail }>`select ${detailItem} as item ${heldFrom} where m.person_id = ${whose} order by m.id desc limit 50`
export const membershipsOfPersonQuery = (personId: string) => statement(ofPerson(sql`${personId}::uuid`))
export const myMembershipsQuery = () => statement(ofPerson(sql`(select app.person_id())`))

/** Whether the person is there for the caller, and whether they may give them a membership; no row for somebody who is hidden. */
export const personQuery = (personId: string) =>
  statement(
    sql<{ mayAdd: boolean }>`select p.lifecycle not in ('deceased', 'merged', 'erased') and p.id is distinct from (select app.person_id())
      and ${mayInChapter('memberships.manage', sql`p.home_chapter_id`)} as "mayAdd" from app.people p where p.id = ${personId}`,
  )

const one = (membershipId: string) =>
  sql<{ item: HeldMembershipDetail }>`select ${detailItem} as item ${heldFrom} where m.id = ${membershipId}`
export const membershipQuery = (membershipId: string) => statement(one(membershipId))
export async function findHeld(db: ActorDb, membershipId: string): Promise<HeldMembershipDetail | undefined> {
  const { rows } = await one(membershipId).execute(db)
  return rows[0]?.item
}

/** The membership with its terms as the rules see it, held so that of two who act at once the second sees what the first did. */
export async function lockHeld(db: ActorDb, membershipId: string): Promise<HeldMembershipDetail | undefined> {
  await sql`select from app.memberships m where m.id = ${membershipId} for update`.execute(db)
  return findHeld(db, membershipId)
}

/** Its terms as the rules see them. */
export async function termsOf(db: ActorDb, membershipId: string): Promise<Term[]> {
  const { rows } = await sql<Term>`select t.id, t.status, t.period, t.months, t.starts_month as "startsMonth", t.starts_day as "startsDay",
    t.rollover_days as "rolloverDays", t.grace_days as "graceDays", t.starts_on::text as "startsOn", t.ends_on::text as "endsOn"
    from app.membership_terms t where t.membership_id = ${membershipId}`.execute(db)
  return rows
}

/** What work finds, without what it changes. The transaction goes on, since an answer that is kept for repetition belongs to it. */
export async function takenBack<Found>(db: ActorDb, work: () => Promise<Found>): Promise<Found> {
  await sql`savepoint tried`.execute(db)
  const found = await work()
  await sql`rollback to savepoint tried`.execute(db)
  return found
}

/** Whether the caller may give a membership of their own this type without an officer. */
export async function maySwitch(db: ActorDb, membershipId: string, typeId: string): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select app.may_switch_membership(${membershipId}, ${typeId}) as may`.execute(db)
  return rows[0]?.may ?? false
}

/** Where a membership stands, and what is charged next by the rules that its type has now. */
export async function outlookOf(db: ActorDb, membershipId: string): Promise<MembershipChangePreview['before']> {
  const { rows } = await sql<{
    found: MembershipChangePreview['before']
  }>`select json_build_object('status', m.status, 'endsOn', m.ends_on, 'next',
      case when n.amount is not null then json_build_object('amount', n.amount, 'currency', n.currency,
        'chapterShare', round(n.amount::numeric * case when m.chapter_id is null then 0 else n.share end / 10000), 'on', n.opens_on, 'startsOn', n.starts_on,
        'endsOn', app.term_ends(n.period, n.months, n.starts_month, n.starts_day, n.rollover, n.starts_on)) end) as found
    from app.memberships m join app.membership_types t on t.org_id = m.org_id and t.id = m.type_id
    cross join lateral (select case when m.status in ('active', 'grace') then m.ends_on + 1 end as follows) f
    left join lateral (
      select o.price_amount as amount, o.price_currency as currency, o.chapter_share_bps as share, o.period, o.months, o.starts_month, o.starts_day, o.rollover_days as rollover,
        (o.created_at at time zone (select g.timezone from app.organisations g where g.org_id = o.org_id))::date as opens_on, f.follows as starts_on
      from app.membership_terms o where o.org_id = m.org_id and o.membership_id = m.id and o.status = 'open'
      union all
      select t.price_amount, t.price_currency, t.chapter_share_bps, t.period, t.months, t.starts_month, t.starts_day, 0, greatest(m.ends_on - t.renewal_days, (select app.today())), f.follows
      where m.status in ('active', 'grace') and m.auto_renew and m.leaves_on is null and m.ends_on is not null and t.archived_at is null and t.period <> 'lifetime'
        and not exists (select from app.membership_terms o where o.org_id = m.org_id and o.membership_id = m.id and o.status = 'open')) n on true
    where m.id = ${membershipId}`.execute(db)
  return answered(rows).found
}

/** Of its open terms, those that are not paid. */
export async function unpaidInvoicesOf(db: ActorDb, membershipId: string) {
  const { rows } =
    await sql<UnpaidInvoice>`select i.id, i.number, i.state, i.total_amount::float8 as total, i.currency, i.paid_amount::float8 as paid
    from app.invoices i where i.kind = 'invoice' and i.state in ('draft', 'issued', 'partly_paid') and i.id in (select l.invoice_id from app.membership_terms o
      join app.invoice_lines l on l.org_id = o.org_id and l.subject_type = 'membership_term' and l.subject_id = o.id
      where o.membership_id = ${membershipId} and o.status = 'open') order by i.id limit 20`.execute(db)
  return rows
}
type UnpaidInvoice = { id: string; number: string | null; state: string; total: number; currency: string; paid: number }

export async function isHeld(db: ActorDb, personId: string, typeId: string): Promise<boolean> {
  const { rows } = await sql`select from app.memberships m where m.person_id = ${personId} and m.type_id = ${typeId}
    and m.status not in ('declined', 'withdrawn', 'cancelled', 'lapsed')`.execute(db)
  return rows.length > 0
}

/** Whether a membership of theirs is paused: another one is approved by an officer then. */
export async function isPaused(db: ActorDb, personId: string): Promise<boolean> {
  const { rows } = await sql<{ paused: boolean }>`select app.membership_paused(${personId}) as paused`.execute(db)
  return rows[0]?.paused ?? false
}

export async function chapterStatus(db: ActorDb, chapterId: string): Promise<string | undefined> {
  return (await db.selectFrom('app.chapters').select('status').where('id', '=', chapterId).executeTakeFirst())?.status
}

export async function lifecycleOf(db: ActorDb, personId: string) {
  return db.selectFrom('app.people').select(['lifecycle', 'deleted_at']).where('id', '=', personId).executeTakeFirst()
}

/** The caller's person, made from the account when there is none. */
export async function becomePerson(db: ActorDb): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select app.become_person() as id`.execute(db)
  return rows[0]?.id ?? null
}

type NewHeld = {
  personId: string
  typeId: string
  chapterId: string | null
  status: 'awaiting_approval' | 'awaiting_payment'
  autoRenew: boolean
  answers: z.infer<typeof MembershipApplication>['answers']
}
export async function insertHeld(db: ActorDb, { orgId, accountId }: { orgId: string; accountId: string }, held: NewHeld): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`insert into app.memberships (org_id, person_id, type_id, chapter_id, status, auto_renew, answers, applied_by)
    values (${orgId}, ${held.personId}, ${held.typeId}, ${held.chapterId}, ${held.status}, ${held.autoRenew}, ${JSON.stringify(held.answers)}::jsonb, ${accountId})
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}

type HeldChange = {
  status?: MembershipStatus
  reason?: string
  typeId?: string | undefined
  chapterId?: string | null | undefined
  autoRenew?: boolean | undefined
  decidedBy?: string
  leavesOn?: string | null
  override?: z.infer<typeof MembershipOverride> | null
}
export const updateHeld = (db: ActorDb, membershipId: string, version: number, { decidedBy, override, ...change }: HeldChange) =>
  updateRecord(
    db,
    'app.memberships',
    { id: membershipId, version },
    {
      ...columnsOf('app.memberships', change),
      ...(decidedBy && { decided_by: decidedBy, decided_at: sql`now()` }),
      ...(override !== undefined && {
        override_status: override?.status ?? null,
        override_until: override?.until ?? null,
        override_reason: override?.reason ?? null,
      }),
    },
    () => findHeld(db, membershipId),
  )

export type OpenedTerm = { term: string; amount: number; currency: string; settled: boolean }
/** The next term at today's price, or the one that is open already; a free one is settled at once. */
export async function openTerm(db: ActorDb, membershipId: string): Promise<OpenedTerm> {
  const { rows } =
    await sql<OpenedTerm>`select term, amount::float8 as amount, currency, settled from app.open_membership_term(${membershipId})`.execute(
      db,
    )
  const [opened] = rows
  if (!opened) throw new Error('a term was neither opened nor refused')
  return opened
}

export type TermToCharge = { personId: string; chapterId: string | null; shareBps: number; text: string }
export async function termToCharge(db: ActorDb, term: string): Promise<TermToCharge | undefined> {
  const { rows } =
    await sql<TermToCharge>`select t.person_id as "personId", m.chapter_id as "chapterId", t.chapter_share_bps as "shareBps", y.name as text
    from app.membership_terms t join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id
    join app.membership_types y on y.org_id = m.org_id and y.id = m.type_id where t.id = ${term}`.execute(db)
  return rows[0]
}

/** Once its invoice is paid; false when that was done before. */
export const settleTerm = (db: Rows, org: string, term: string, paidOn: string) =>
  sql`select app.settle_membership_term(${org}, ${term}, ${paidOn})`.execute(db)
export const unsettleTerm = (db: Rows, org: string, term: string) => sql`select app.unsettle_membership_term(${org}, ${term})`.execute(db)

export const endMemberships = (tx: Rows, org: string, on: string) => sql`select app.end_memberships(${org}, ${on})`.execute(tx)

export const tellOfEnd = (db: ActorDb, membershipId: string) =>
  sql`select app.tell_of_end(${membershipId}, ${JSON.stringify(kindOf('membership-ended'))}::jsonb)`.execute(db)

/** Counted as far as lists are. */
const most = 10_001
export function figuresQuery(chapterId: string | undefined) {
  const there = chapterId
    ? sql`m.chapter_id in (select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId})`
    : sql`true`
  const count = (where: RawBuilder<SqlBool>) =>
    sql`(select count(*)::int from (select from app.memberships m where ${there} and ${where} limit ${sql.lit(most)}) c)`
  const today = sql`(select app.today())`
  return statement(
    sql<MembershipFigures>`select ${count(sql`m.status = 'active' and m.ends_on between ${today} and ${today} + 30`)} as ending,
      ${count(sql`m.status = 'grace'`)} as grace, ${count(sql`m.status = 'lapsed' and m.grace_until >= date_trunc('month', ${today})::date - 1`)} as lapsed`,
  )
}
type MembershipFigures = { ending: number; grace: number; lapsed: number }

/** By the organisation's calendar. */
export async function today(db: ActorDb): Promise<string> {
  const { rows } = await sql<{ today: string }>`select app.today()::text as today`.execute(db)
  return rows[0]?.today ?? ''
}

/** Rows of one transaction: few enough that whoever else writes in the books of the organisation waits for a second at most. */
export const portion = 1_000

type Portion = { after: string | null; isLast: boolean }
export type RunPortion = Portion & Omit<MembershipRun, 'continues'>

/** A portion of the daily run, behind the membership that the one before ended with. */
export async function runPortion(tx: Rows, org: string, on: string, after: string | null, most = portion): Promise<RunPortion> {
  const { rows } = await sql<{ done: RunPortion }>`select app.run_memberships(${org}, ${on}, ${after}, ${most}) as done`.execute(tx)
  return answered(rows).done
}
export async function endLifecycleOverrides(tx: Rows, org: string, on: string): Promise<void> {
  await sql`select app.end_lifecycle_overrides(${org}, ${on})`.execute(tx)
}
/** Charges open terms that have no invoice, such as imported ones. */
export async function chargePortion(tx: Rows, org: string, after: string | null, most = portion): Promise<Portion> {
  const { rows } = await sql<{ done: Portion }>`select app.charge_membership_terms(${org}, ${after}, ${most}) as done`.execute(tx)
  return answered(rows).done
}

/** Mails the applicant how it stands, once at each stage; what is not so is not told. Those who decide hear of an application. */
export async function tellOfApplication(
  tx: Rows,
  org: string,
  membershipId: string,
  stage: 'received' | 'approved' | 'declined' | 'welcome',
) {
  await sql`select app.tell_of_application(${org}, ${membershipId}, ${stage}, ${JSON.stringify(kindOf('membership-request'))}::jsonb)`.execute(
    tx,
  )
}
/** The first term of a membership has been settled. */
export async function welcomeMember(tx: Rows, org: string, term: string): Promise<void> {
  const { rows } = await sql<{ id: string | null }>`select app.membership_of_term(${org}, ${term}) as id`.execute(tx)
  const [held] = rows
  if (held?.id) await tellOfApplication(tx, org, held.id, 'welcome')
}

/** What a mail about a membership says. */
export type Notice = {
  type: string
  chapter: string | null
  status: string
  reason: string
  endsOn: string | null
  graceUntil: string | null
  invoice: { id: string; number: string; balance: number; currency: string; dueOn: string } | null
}
export async function findNotice(tx: Rows, org: string, membershipId: string): Promise<Notice | null> {
  const { rows } = await sql<{ notice: Notice | null }>`select app.membership_notice(${org}, ${membershipId}) as notice`.execute(tx)
  return rows[0]?.notice ?? null
}
/** What its member is to be reminded of now; null once they have renewed. */
export async function renewalStageOf(tx: Rows, org: string, membershipId: string): Promise<string | null> {
  const { rows } = await sql<{ stage: string | null }>`select app.renewal_stage_of(${org}, ${membershipId}) as stage`.execute(tx)
  return rows[0]?.stage ?? null
}

export async function remindMembers(tx: Rows, org: string, on: string, after: string | null): Promise<Portion> {
  const { rows } = await sql<{ done: Portion }>`select app.remind_members(${org}, ${on}, ${after}, ${portion}) as done`.execute(tx)
  return answered(rows).done
}
/** Renewals that are due to be charged to a saved card. */
export async function renewalsToCharge(tx: Rows, org: string, on: string, after: string | null, most: number) {
  const { rows } = await sql<{ membershipId: string; invoiceId: string }>`
    select c.membership as "membershipId", c.invoice as "invoiceId" from app.renewals_to_charge(${org}, ${on}, ${after}, ${most}) c`.execute(
    tx,
  )
  return rows
}

function answered<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (!row) throw new Error('the run answers nothing')
  return row
}
