import { GiftInterval } from '@guildhall/contract/features/fundraising.gifts'
import { PlanStatus } from '@guildhall/contract/features/fundraising.plans'
import type { Plan } from '@guildhall/contract/features/fundraising.plans'
import type { Filter } from '@guildhall/contract/shapes'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import { choiceField, dateField, filterWhere, idField } from '../../../platform/lists/filters.ts'
import type { FilterCatalogue } from '../../../platform/lists/filters.ts'
import { chapterRef, mayInChapter, orNull, personRef } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { amountField } from '../../../platform/lists/money-cell.ts'
import { readSort } from '../../../platform/lists/sort.ts'
import { statement } from '../../../platform/records/statement.ts'
import { moneyOf, namedRef } from '../fundraising.references.queries.ts'

// In these pieces `r` is the recurring gift, `p` the person who gives, `c` its campaign, `f` its fund and `h` its chapter, all left joined.

const plansFrom = sql`from app.recurring_plans r
  left join app.people p on p.org_id = r.org_id and p.id = r.person_id and p.deleted_at is null and p.lifecycle <> 'erased'
  left join app.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join app.funds f on f.org_id = r.org_id and f.id = r.fund_id
  left join app.chapters h on h.org_id = r.org_id and h.id = r.chapter_id`

const isOpen = sql<boolean>`(r.status not in ('cancelled', 'completed'))`
const isOwn = sql<boolean>`coalesce(r.person_id = (select app.person_id()), false)`
const changes = sql<boolean>`(${isOpen} and (${isOwn} or ${mayInChapter('gifts.manage', sql`r.chapter_id`)}))`

/** What it has brought: of gifts that are worth something. */
const brought = sql`(select json_build_object('amount', coalesce(sum(g.counted_amount), 0), 'gifts', count(*) filter (where g.counted_amount > 0))
  from app.gifts g where g.org_id = r.org_id and g.plan_id = r.id)`
const card = sql`(select json_build_object('brand', m.brand, 'last4', m.last4, 'expMonth', m.exp_month, 'expYear', m.exp_year)
  from app.payment_methods m where m.org_id = r.org_id and m.plan_id = r.id and m.removed_at is null order by m.id desc limit 1)`

const planItem = sql<Plan>`(select json_build_object('id', r.id, 'donor', ${orNull('p', personRef)}, 'donorName', coalesce(nullif(r.donor_name, ''), p.display_name, ''),
  'campaign', ${orNull('c', namedRef)}, 'fund', ${namedRef('f')}, 'chapter', ${orNull('h', chapterRef)}, 'money', ${moneyOf(sql`r.amount`, sql`r.currency`)},
  'interval', r.interval, 'status', r.status, 'startedOn', r.started_on, 'nextOn', case when ${isOpen} then r.next_on end, 'retryOn', r.retry_on, 'failures', r.failures,
  'pausedUntil', r.paused_until, 'endsOn', r.ends_on, 'given', ${moneyOf(sql`b.brought -> 'amount'`, sql`r.currency`)}, 'gifts', b.brought -> 'gifts', 'card', ${card},
  'stoppedAt', r.stopped_at, 'stoppedBy', r.stopped_by, 'stopReason', r.stop_reason, 'createdAt', r.created_at, 'version', r.version,
  'may', json_build_object('change', ${changes}, 'stop', ${changes})) from (select ${brought} as brought) b)`

const catalogue: FilterCatalogue = {
  status: choiceField(sql`r.status`, PlanStatus.options),
  interval: choiceField(sql`r.interval`, GiftInterval.options),
  campaign: idField(sql`r.campaign_id`),
  fund: idField(sql`r.fund_id`),
  nextOn: dateField(sql`r.next_on`),
  money: amountField(sql`r.amount`, sql`r.currency`),
}

const sorts = ['created', 'nextOn', 'money'] as const
const orders: Record<(typeof sorts)[number], RawBuilder<unknown>[]> = {
  created: [sql`r.id`],
  nextOn: [sql`coalesce(r.next_on, '0001-01-01')`, sql`r.id`],
  money: [sql`r.amount`, sql`r.id`],
}

type Question = {
  campaignId?: string | undefined
  personId?: string | undefined
  chapterId?: string | undefined
  q?: string | undefined
  filter?: Filter | undefined
  sort?: string | undefined
}

const found = (words: string) => sql<SqlBool>`r.id in (
  select app.search_recurring_plans(${words})
  union all select n.id from app.recurring_plans n where n.person_id in (select x.id from app.matching_people(${words}) x))`

export function plansList({ sort = '-created', ...question }: Question): List<Plan> {
  const { by, descending } = readSort(sort, sorts, 'created')
  const { campaignId, personId, chapterId, q, filter } = question
  const filtered = filterWhere(filter, catalogue)
  const words = q?.trim()
  return {
    key: ['recurring_plans', campaignId ?? null, personId ?? null, chapterId ?? null, words ?? '', filter ?? null, by],
    item: planItem,
    from: plansFrom,
    where: [
      // Whoever left the first payment has begun nothing.
      sql<SqlBool>`not (r.started_on is null and r.status = 'cancelled')`,
      ...(campaignId ? [sql<SqlBool>`r.campaign_id = ${campaignId}`] : []),
      ...(personId ? [sql<SqlBool>`r.person_id = ${personId}`] : []),
      ...(chapterId
        ? [sql<SqlBool>`r.chapter_id = any (array(select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId}))`]
        : []),
      ...(words ? [found(words)] : []),
      ...(filtered ? [filtered] : []),
    ],
    order: orders[by],
    descending,
  }
}

export const planQuery = (planId: string) => statement(sql<{ item: Plan }>`select ${planItem} as item ${plansFrom} where r.id = ${planId}`)

export async function findPlan(db: ActorDb, planId: string): Promise<Plan | undefined> {
  const { rows } = await db.executeQuery(planQuery(planId).compile())
  return rows[0]?.item
}

/** What somebody does with a recurring gift. */
export type PlanChange =
  | { do: 'change'; amount: number; covers_fees: false }
  | { do: 'pause'; until: string | null }
  | { do: 'resume' }
  | { do: 'stop'; reason: string }
  | { do: 'retry' }

/** Whether it is still as the caller knows it; nobody else changes it until the transaction ends. */
export async function holdPlan(db: ActorDb, planId: string, version: number): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select app.hold_plan(${planId}, ${version}) as held`.execute(db)
  return rows[0]?.held ?? false
}
export async function changePlan(db: ActorDb, planId: string, change: PlanChange): Promise<void> {
  await sql`select app.change_plan(${planId}, ${JSON.stringify(change)}::jsonb)`.execute(db)
}

// By the link in each receipt. Nobody's name is there: whoever has the link may have it from somebody else.

export type LinkedPlan = {
  orgId: string
  planId: string
  status: PlanStatus
  /** All that is charged, with the fee that its donor covers. */
  amount: number
  currency: string
  interval: GiftInterval
  startedOn: string | null
  nextOn: string | null
  retryOn: string | null
  pausedUntil: string | null
  endsOn: string | null
  stoppedBy: 'donor' | 'office' | 'failures' | null
  campaign: string | null
  slug: string | null
  minAmount: number
  maxAmount: number | null
  today: string
  given: number
  gifts: number
  cardBrand: string | null
  cardLast4: string | null
  /** A charge has failed, and can be paid with another card. */
  mayPay: boolean
}
export async function planByLink(db: Kysely<Schema>, idpOrg: string | undefined, secretHash: string): Promise<LinkedPlan | undefined> {
  const { rows } = await sql<{ found: LinkedPlan | null }>`select app.plan_by_link(${idpOrg ?? null}, ${secretHash}) as found`.execute(db)
  return rows[0]?.found ?? undefined
}
export async function changePlanByLink(
  db: Kysely<Schema>,
  idpOrg: string | undefined,
  secretHash: string,
  change: PlanChange,
): Promise<boolean> {
  const { rows } = await sql<{ changed: boolean }>`
    select app.change_plan_by_link(${idpOrg ?? null}, ${secretHash}, ${JSON.stringify(change)}::jsonb) as changed`.execute(db)
  return rows[0]?.changed ?? false
}

/** Plans that are to be charged today, a portion of them. One that is charged is not due any more. */
export async function plansDue(tx: Kysely<Schema>, orgId: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select d as id from app.plans_due(${orgId}, ${most}) d`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Removed cards of recurring gifts that have ended, each once: the provider forgets them too. */
export async function cardsToForget(tx: Kysely<Schema>, orgId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select m as id from app.plan_cards_to_forget(${orgId}) m`.execute(tx)
  return rows.map(({ id }) => id)
}
