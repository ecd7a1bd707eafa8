import { GiftSource, GiftStatus } from '@guildhall/contract/features/fundraising.gifts'
import type { GiftRow, GiftTotals } from '@guildhall/contract/features/fundraising.gifts'
import { PaymentMethod } from '@guildhall/contract/features/payments'
import type { Filter } from '@guildhall/contract/shapes'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { choiceField, dateField, filterWhere, flagField, idField, relationField } from '../../../platform/lists/filters.ts'
import type { FilterCatalogue } from '../../../platform/lists/filters.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { amountField } from '../../../platform/lists/money-cell.ts'
import { readSort } from '../../../platform/lists/sort.ts'
import { statement } from '../../../platform/records/statement.ts'
import { chapterField } from '../../chapters/chapters.references.public.ts'
import { giftRow, giftsFrom, isCounted } from './fundraising.gifts.queries.ts'

const toFund = (which: RawBuilder<SqlBool>) =>
  sql<SqlBool>`exists (select from app.gift_allocations a where a.org_id = g.org_id and a.gift_id = g.id and ${which})`

const catalogue: FilterCatalogue = {
  status: choiceField(sql`g.status`, GiftStatus.options),
  method: choiceField(sql`g.method`, PaymentMethod.options),
  source: choiceField(sql`g.source`, GiftSource.options),
  campaign: idField(sql`g.campaign_id`),
  fund: relationField(
    (which) => toFund(which ?? sql`true`),
    (ids) => sql`a.fund_id = any (${ids}::uuid[])`,
  ),
  donor: idField(sql`g.person_id`),
  chapter: chapterField(sql`g.chapter_id`),
  share: idField(sql`g.share_chapter_id`),
  day: dateField(sql`g.day`),
  money: amountField(sql`g.amount`, sql`g.currency`),
  recurring: flagField(sql`(g.plan_id is not null)`),
  anonymous: flagField(sql`g.is_anonymous`),
  tribute: flagField(sql`(g.tribute_kind is not null)`),
  thanked: flagField(sql`(g.thanked_at is not null)`),
  counted: flagField(isCounted),
  test: flagField(sql`g.is_test`),
}

const sorts = ['created', 'day', 'money'] as const
const orders: Record<(typeof sorts)[number], RawBuilder<unknown>[]> = {
  created: [sql`g.id`],
  day: [sql`g.day`, sql`g.id`],
  money: [sql`g.amount`, sql`g.id`],
}

type Question = {
  campaignId?: string | undefined
  personId?: string | undefined
  chapterId?: string | undefined
  planId?: string | undefined
  q?: string | undefined
  filter?: Filter | undefined
}

/** Looked for one way after the other, so that each can use its index. */
const found = (words: string) => sql<SqlBool>`g.id in (
  select app.search_gifts(${words})
  union all select n.id from app.gifts n where n.person_id in (select f.id from app.matching_people(${words}) f)
  union all select n.gift_id from app.payments n where n.gift_id is not null and n.id in (select app.payments_referring(${words}))
  union all select n.gift_id from app.receipts n where n.gift_id is not null
    and n.number >= ${words.toUpperCase()} collate "C" and n.number < ${`${words.toUpperCase()}\uffff`} collate "C")`

function giftsWhere({ campaignId, personId, chapterId, planId, q, filter }: Question): RawBuilder<SqlBool>[] {
  const filtered = filterWhere(filter, catalogue)
  const words = q?.trim()
  return [
    ...(campaignId ? [sql<SqlBool>`g.campaign_id = ${campaignId}`] : []),
    ...(personId ? [sql<SqlBool>`g.person_id = ${personId}`] : []),
    ...(chapterId
      ? [sql<SqlBool>`g.chapter_id = any (array(select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId}))`]
      : []),
    ...(planId ? [sql<SqlBool>`g.plan_id = ${planId}`] : []),
    ...(words ? [found(words)] : []),
    ...(filtered ? [filtered] : []),
  ]
}

export function giftsList({ sort = '-created', ...question }: Question & { sort?: string | undefined }): List<GiftRow> {
  const { by, descending } = readSort(sort, sorts, 'created')
  const { campaignId, personId, chapterId, planId, q, filter } = question
  return {
    key: ['gifts', campaignId ?? null, personId ?? null, chapterId ?? null, planId ?? null, q?.trim() ?? '', filter ?? null, by],
    item: giftRow,
    from: giftsFrom,
    where: giftsWhere(question),
    order: orders[by],
    descending,
  }
}

/** What the gifts of a question come to. What was given back is in `settled` still; disputed, reversed and test gifts are not. */
export const totalsQuery = (question: Question) =>
  statement(sql<{ item: GiftTotals }>`
    select json_build_object('currency', g.currency, 'gifts', count(*) filter (where ${isCounted}), 'settled', sum(g.amount), 'refunded', sum(g.refunded_amount),
      'raised', sum(g.counted_amount)) as item
    from app.gifts g where g.counts and g.status in ('settled', 'partly_refunded', 'refunded') and ${sql.join(
      [sql`true`, ...giftsWhere(question)].map((one) => sql`(${one})`),
      sql` and `,
    )}
    group by g.currency order by g.currency`)
