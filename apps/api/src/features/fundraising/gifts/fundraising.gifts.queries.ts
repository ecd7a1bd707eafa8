import type { Gift, GiftRow } from '@guildhall/contract/features/fundraising.gifts'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { chapterRef, mayInChapter, orNull, personRef } from '../../../platform/lists/json-refs.ts'
import { statement } from '../../../platform/records/statement.ts'
import { moneyOf, namedRef } from '../fundraising.references.queries.ts'

// In these pieces `g` is the gift, `p` the person who gave, `c` its campaign and `h` its chapter, all of them left joined. Policies decide who sees which.

export const giftsFrom = sql`from app.gifts g
  left join app.people p on p.org_id = g.org_id and p.id = g.person_id and p.deleted_at is null and p.lifecycle <> 'erased'
  left join app.campaigns c on c.org_id = g.org_id and c.id = g.campaign_id
  left join app.chapters h on h.org_id = g.org_id and h.id = g.chapter_id`

/** As the donor wrote it, or the name of the person. */
export const donorName = sql`coalesce(nullif(g.donor_name, ''), p.display_name, '')`
/** Worth something: settled, counting, and not given back in full. */
export const isCounted = sql<boolean>`(g.counted_amount > 0)`
const manages = mayInChapter('gifts.manage', sql`g.chapter_id`)
const standing = sql`app.receipts x where x.org_id = g.org_id and x.gift_id = g.id and x.state = 'issued' order by x.id desc limit 1`

const rowFields = sql`'id', g.id, 'donor', ${orNull('p', personRef)}, 'donorName', ${donorName}, 'campaign', ${orNull('c', namedRef)}, 'chapter', ${orNull('h', chapterRef)},
  'money', ${moneyOf(sql`g.amount`, sql`g.currency`)}, 'refunded', ${moneyOf(sql`g.refunded_amount`, sql`g.currency`)}, 'method', g.method, 'status', g.status, 'source', g.source,
  'isAnonymous', g.is_anonymous, 'isTest', g.is_test, 'counts', g.counts, 'planId', g.plan_id, 'receivedOn', g.received_on, 'settledAt', g.settled_at, 'thankedAt', g.thanked_at,
  'createdAt', g.created_at, 'version', g.version`
export const giftRow = sql<GiftRow>`json_build_object(${rowFields}, 'receipt', (select json_build_object('id', x.id, 'number', x.number) from ${standing}))`

const allocations = sql`(select coalesce(json_agg(json_build_object('fund', ${namedRef('f')}, 'amount', a.amount, 'settled', a.settled_amount) order by a.place, f.sort_name), '[]')
  from app.gift_allocations a join app.funds f on f.org_id = a.org_id and f.id = a.fund_id where a.org_id = g.org_id and a.gift_id = g.id)`
/** What the chapter has of what is left of it. */
const share = sql`(select json_build_object('chapter', ${chapterRef('s')}, 'amount', round(g.share_amount::numeric * g.counted_amount / g.amount)::bigint) from app.chapters s where s.org_id = g.org_id and s.id = g.share_chapter_id)`
/** The payment that brought it, else the latest attempt. */
const payment = sql`(select json_build_object('id', y.id, 'state', y.state, 'reference', y.reference, 'disputeState', y.dispute_state, 'failure', y.failure, 'version', y.version)
  from app.payments y where y.org_id = g.org_id and y.gift_id = g.id order by y.settled_at is null, y.id desc limit 1)`
const settledPayment = (where = sql`true`) =>
  sql`exists (select from app.payments y where y.org_id = g.org_id and y.gift_id = g.id and y.state in ('settled', 'partly_refunded') and ${where})`
const receipts = sql`(select coalesce(json_agg(json_build_object('id', x.id, 'number', x.number, 'state', x.state, 'issuedOn', x.issued_on) order by x.id desc), '[]')
  from app.receipts x where x.org_id = g.org_id and x.gift_id = g.id)`
const refunds = sql`(select coalesce(json_agg(json_build_object('id', r.id, 'money', ${moneyOf(sql`r.amount`, sql`r.currency`)}, 'state', r.state, 'reason', r.reason,
    'createdAt', r.created_at) order by r.id), '[]')
  from app.payments y join app.refunds r on r.org_id = y.org_id and r.payment_id = y.id where y.org_id = g.org_id and y.gift_id = g.id)`
const note = sql`coalesce((select n.note from app.giving_notes n where n.org_id = g.org_id and n.gift_id = g.id), '')`
const thanked = sql`case when g.thanked_at is not null then json_build_object('by', (select n.name from app.account_name(g.thanked_by) n), 'how', g.thanked_how, 'at', g.thanked_at) end`

const giftItem = sql<Gift>`(jsonb_build_object(${rowFields}) || jsonb_build_object('donorEmail', g.donor_email, 'feeCovered', g.fee_covered, 'allocations', ${allocations}, 'share', ${share},
  'tribute', case when g.tribute_kind is not null then json_build_object('kind', g.tribute_kind, 'name', g.tribute_name) end, 'message', g.message, 'note', ${note},
  'payment', ${payment}, 'receipt', (select json_build_object('id', x.id, 'number', x.number, 'sentAt', x.sent_at) from ${standing}), 'receipts', ${receipts}, 'refunds', ${refunds},
  'thanked', ${thanked}, 'pledgeId', (select i.pledge_id from app.pledge_instalments i where i.org_id = g.org_id and i.id = g.instalment_id),
  'may', json_build_object('edit', ${manages}, 'refund', ${manages} and ${settledPayment()}, 'reverse', ${manages} and ${settledPayment(sql`y.kind = 'manual' and y.state = 'settled'`)},
    'thank', ${manages} and g.thanked_at is null and ${isCounted})))`

export const giftQuery = (giftId: string) => statement(sql<{ item: Gift }>`select ${giftItem} as item ${giftsFrom} where g.id = ${giftId}`)

export async function findGift(db: ActorDb, giftId: string): Promise<Gift | undefined> {
  const { rows } = await db.executeQuery(giftQuery(giftId).compile())
  return rows[0]?.item
}
