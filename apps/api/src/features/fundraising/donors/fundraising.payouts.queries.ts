import type { ChapterShare, Payout } from '@guildhall/contract/features/fundraising.donors'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { chapterRef } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { statement } from '../../../platform/records/statement.ts'
import { moneyOf } from '../fundraising.references.queries.ts'

const within = (column: RawBuilder<unknown>, chapterId: string) =>
  sql<SqlBool>`${column} = any (array(select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId}))`
const pays = sql<boolean>`(select app.everywhere('gifts.manage'))`

type Shares = { items: ChapterShare[]; may: { pay: boolean } }
export const sharesQuery = (chapterId: string | undefined) =>
  statement(sql<Shares>`
    select (select coalesce(json_agg(json_build_object('chapter', ${chapterRef('h')}, 'currency', s.currency, 'share', s.earned_amount, 'paidOut', s.paid_amount, 'balance', s.open_amount,
        'gifts', s.gifts, 'lastPaidOn', (select max(o.paid_on) from app.chapter_payouts o
          where o.org_id = s.org_id and o.chapter_id = s.chapter_id and o.currency = s.currency and o.reversed_at is null)) order by h.name, s.currency), '[]')
      from (select * from app.chapter_shares x where ${chapterId ? within(sql`x.chapter_id`, chapterId) : sql`true`} order by x.chapter_id, x.currency limit 500) s
      join app.chapters h on h.org_id = s.org_id and h.id = s.chapter_id) as items,
      json_build_object('pay', ${pays}) as may`)

const payoutItem = sql<Payout>`json_build_object('id', o.id, 'chapter', ${chapterRef('h')}, 'money', ${moneyOf(sql`o.amount`, sql`o.currency`)}, 'paidOn', o.paid_on,
  'reference', o.reference, 'note', o.note, 'by', n.name, 'createdAt', o.created_at,
  'reversal', case when o.reversed_at is not null then json_build_object('at', o.reversed_at, 'reason', o.reversal_reason) end,
  'version', o.version, 'may', json_build_object('reverse', ${pays} and o.reversed_at is null))`
const payoutsFrom = sql`from app.chapter_payouts o join app.chapters h on h.org_id = o.org_id and h.id = o.chapter_id left join app.account_name(o.created_by) n on true`

export const payoutsList = (chapterId: string | undefined): List<Payout> => ({
  key: ['chapter_payouts', chapterId ?? null],
  item: payoutItem,
  from: payoutsFrom,
  where: chapterId ? [within(sql`o.chapter_id`, chapterId)] : [],
  order: [sql`o.id`],
  descending: true,
})

export async function findPayout(db: ActorDb, payoutId: string): Promise<Payout | undefined> {
  const { rows } = await sql<{ item: Payout }>`select ${payoutItem} as item ${payoutsFrom} where o.id = ${payoutId}`.execute(db)
  return rows[0]?.item
}

type PayoutSaid = { chapter_id: string; amount: number; currency: string; paid_on: string; reference: string; note: string }
export async function recordPayout(db: ActorDb, said: PayoutSaid): Promise<string> {
  const { rows } = await sql<{ id: string }>`select app.record_payout(${JSON.stringify(said)}::jsonb) as id`.execute(db)
  return rows[0]?.id ?? ''
}
/** False where somebody else has changed it meanwhile. */
export async function reversePayout(db: ActorDb, payoutId: string, version: number, reason: string): Promise<boolean> {
  const { rows } = await sql<{ reversed: boolean }>`select app.reverse_payout(${payoutId}, ${version}, ${reason}) as reversed`.execute(db)
  return rows[0]?.reversed ?? false
}
