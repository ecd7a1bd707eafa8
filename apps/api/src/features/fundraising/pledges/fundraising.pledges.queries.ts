import { PledgeStatus } from '@guildhall/contract/features/fundraising.pledges'
import type { InstalmentState, Pledge } from '@guildhall/contract/features/fundraising.pledges'
import type { Filter } from '@guildhall/contract/shapes'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import { choiceField, dateField, filterWhere, flagField, idField } from '../../../platform/lists/filters.ts'
import type { FilterCatalogue } from '../../../platform/lists/filters.ts'
import { chapterRef, mayInChapter, orNull, personRef } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { amountField } from '../../../platform/lists/money-cell.ts'
import { readSort } from '../../../platform/lists/sort.ts'
import { statement } from '../../../platform/records/statement.ts'
import type { TransferDetails } from '../../payments/payments.transfer.public.ts'
import { moneyOf, namedRef } from '../fundraising.references.queries.ts'

// In these pieces `l` is the pledge, `p` who promised it, `c` its campaign, `f` its fund and `h` its chapter, all left joined.

const pledgesFrom = sql`from app.pledges l
  left join app.people p on p.org_id = l.org_id and p.id = l.person_id and p.deleted_at is null and p.lifecycle <> 'erased'
  left join app.campaigns c on c.org_id = l.org_id and c.id = l.campaign_id
  left join app.funds f on f.org_id = l.org_id and f.id = l.fund_id
  left join app.chapters h on h.org_id = l.org_id and h.id = l.chapter_id`

const instalments = sql`app.pledge_instalments i where i.org_id = l.org_id and i.pledge_id = l.id`
const isOverdue = sql<boolean>`(l.status = 'open' and i.state = 'due' and i.due_on < (select app.today()))`
const sumOf = (which: RawBuilder<unknown>) => sql`(select coalesce(sum(i.amount), 0) from ${instalments} and ${which})`
const nextDueOn = sql`case when l.status = 'open' then (select min(i.due_on) from ${instalments} and i.state = 'due') end`

const pledgeItem = sql<Pledge>`json_build_object('id', l.id, 'person', ${orNull('p', personRef)}, 'campaign', ${orNull('c', namedRef)}, 'fund', ${namedRef('f')},
  'chapter', ${orNull('h', chapterRef)}, 'money', ${moneyOf(sql`l.amount`, sql`l.currency`)}, 'paid', ${moneyOf(sumOf(sql`i.state = 'paid'`), sql`l.currency`)},
  'overdue', ${moneyOf(sumOf(isOverdue), sql`l.currency`)}, 'status', l.status, 'pledgedOn', l.pledged_on, 'nextDueOn', ${nextDueOn},
  'note', coalesce((select n.note from app.giving_notes n where n.org_id = l.org_id and n.pledge_id = l.id), ''),
  'instalments', (select coalesce(json_agg(json_build_object('id', i.id, 'dueOn', i.due_on, 'amount', i.amount,
    'state', case when ${isOverdue} then 'overdue' else i.state end, 'giftId', i.gift_id) order by i.place), '[]') from ${instalments}),
  'createdAt', l.created_at, 'version', l.version, 'may', json_build_object('edit', ${mayInChapter('gifts.manage', sql`l.chapter_id`)}, 'pay', coalesce(l.person_id = (select app.person_id()), false)))`

const catalogue: FilterCatalogue = {
  status: choiceField(sql`l.status`, PledgeStatus.options),
  campaign: idField(sql`l.campaign_id`),
  fund: idField(sql`l.fund_id`),
  nextDueOn: dateField(sql`(${nextDueOn})`),
  money: amountField(sql`l.amount`, sql`l.currency`),
  overdue: flagField(sql`exists (select from ${instalments} and ${isOverdue})`),
}

const sorts = ['created', 'nextDueOn', 'money'] as const
const orders: Record<(typeof sorts)[number], RawBuilder<unknown>[]> = {
  created: [sql`l.id`],
  // Those of which nothing is due stand behind.
  nextDueOn: [sql`coalesce(${nextDueOn}, '9999-12-31')`, sql`l.id`],
  money: [sql`l.amount`, sql`l.id`],
}

type Question = {
  campaignId?: string | undefined
  personId?: string | undefined
  chapterId?: string | undefined
  q?: string | undefined
  filter?: Filter | undefined
  sort?: string | undefined
}

export function pledgesList({ sort = '-created', ...question }: Question): List<Pledge> {
  const { by, descending } = readSort(sort, sorts, 'created')
  const { campaignId, personId, chapterId, q, filter } = question
  const filtered = filterWhere(filter, catalogue)
  const words = q?.trim()
  return {
    key: ['pledges', campaignId ?? null, personId ?? null, chapterId ?? null, words ?? '', filter ?? null, by],
    item: pledgeItem,
    from: pledgesFrom,
    where: [
      ...(campaignId ? [sql<SqlBool>`l.campaign_id = ${campaignId}`] : []),
      ...(personId ? [sql<SqlBool>`l.person_id = ${personId}`] : []),
      ...(chapterId
        ? [sql<SqlBool>`l.chapter_id = any (array(select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId}))`]
        : []),
      ...(words ? [sql<SqlBool>`l.person_id in (select x.id from app.matching_people(${words}) x)`] : []),
      ...(filtered ? [filtered] : []),
    ],
    order: orders[by],
    descending,
  }
}

export const pledgeQuery = (pledgeId: string) =>
  statement(sql<{ item: Pledge }>`select ${pledgeItem} as item ${pledgesFrom} where l.id = ${pledgeId}`)

export async function findPledge(db: ActorDb, pledgeId: string): Promise<Pledge | undefined> {
  const { rows } = await db.executeQuery(pledgeQuery(pledgeId).compile())
  return rows[0]?.item
}

export type PledgeSaid = {
  person_id: string
  campaign_id: string | null
  fund_id: string | null
  amount: number
  currency: string
  pledged_on: string
  note: string
  instalments: readonly { due_on: string; amount: number }[]
}
export async function recordPledge(db: ActorDb, said: PledgeSaid): Promise<string> {
  const { rows } = await sql<{ id: string }>`select app.record_pledge(${JSON.stringify(said)}::jsonb) as id`.execute(db)
  return rows[0]?.id ?? ''
}
/** Whether it is still as the caller knows it; nobody else changes it until the transaction ends. */
export async function holdPledge(db: ActorDb, pledgeId: string, version: number): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select app.hold_pledge(${pledgeId}, ${version}) as held`.execute(db)
  return rows[0]?.held ?? false
}
export async function changePledge(db: ActorDb, pledgeId: string, said: { cancelled?: boolean; note?: string }): Promise<void> {
  await sql`select app.change_pledge(${pledgeId}, ${JSON.stringify(said)}::jsonb)`.execute(db)
}
export async function waiveInstalment(db: ActorDb, instalmentId: string, waived: boolean): Promise<void> {
  await sql`select app.waive_instalment(${instalmentId}, ${waived})`.execute(db)
}
/** Mails a reminder of the first instalment that is due. */
export async function remindPledge(db: ActorDb, pledgeId: string): Promise<void> {
  await sql`select app.remind_pledge(${pledgeId})`.execute(db)
}

/** The gift that a payment of the actor's own pays. */
export async function giftOfPayment(db: ActorDb, paymentId: string): Promise<string | undefined> {
  const found = await db.selectFrom('app.payments').select('gift_id').where('id', '=', paymentId).executeTakeFirst()
  return found?.gift_id ?? undefined
}

/** What the link in a reminder shows of an instalment. */
export type LinkedInstalment = {
  amount: number
  currency: string
  dueOn: string
  state: Exclude<InstalmentState, 'overdue'>
  pledgeStatus: PledgeStatus
  campaign: string | null
  fund: string
  /** A page to pay on is open. */
  isWaiting: boolean
  transfer: TransferDetails | null
}
export async function instalmentByLink(
  db: Kysely<Schema>,
  idpOrg: string | undefined,
  secretHash: string,
): Promise<LinkedInstalment | undefined> {
  const { rows } = await sql<{
    found: LinkedInstalment | null
  }>`select app.instalment_by_link(${idpOrg ?? null}, ${secretHash}) as found`.execute(db)
  return rows[0]?.found ?? undefined
}

type Portion = { after: string | null; isLast: boolean }
/** Mails reminders of instalments that are soon due or overdue, a portion of them; each once. */
export async function remindPledges(
  tx: Kysely<Schema>,
  orgId: string,
  { on, after, most }: { on: string; after: string | null; most: number },
): Promise<Portion> {
  const { rows } = await sql<{ done: Portion }>`select app.remind_pledges(${orgId}, ${on}, ${after}, ${most}) as done`.execute(tx)
  return rows[0]?.done ?? { after, isLast: true }
}
