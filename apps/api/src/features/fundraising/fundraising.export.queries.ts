import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { exportField, exportRows, listExport } from '../../platform/lists/export-source.ts'
import type { ExportSource } from '../../platform/lists/export-source.ts'
import { amountCell } from '../../platform/lists/money-cell.ts'
import { campaignsList, raised, reached } from './campaigns/fundraising.campaigns.queries.ts'
import { giftsList } from './gifts/fundraising.gifts.list.queries.ts'
import { donorName } from './gifts/fundraising.gifts.queries.ts'

const total = (column: string) => amountCell(sql`coalesce(${sql.ref(`t.${column}`)}, 0)`, sql`r.currency`)
const isAmount = sql`r.goal_kind in ('amount', 'recurring')`
const goalCell = (value: typeof raised) => sql`case when ${isAmount} then ${amountCell(value, sql`r.currency`)} else ${value} end`

export const campaignsExport = listExport(sql`r.id`, campaignsList, [
  exportField('name', 'Name', sql`r.name`),
  exportField('status', 'Status', sql`r.status`),
  exportField('kind', 'Kind', sql`r.kind`),
  exportField('visibility', 'Visibility', sql`r.visibility`),
  exportField('chapter', 'Chapter', sql`c.name`),
  exportField('chapterCode', 'Chapter code', sql`c.code`),
  exportField('summary', 'Summary', sql`r.summary`),
  exportField('startsOn', 'First day', sql`r.starts_on`, 'date'),
  exportField('endsOn', 'Last day', sql`r.ends_on`, 'date'),
  exportField('goalKind', 'Goal in', sql`r.goal_kind`),
  exportField('goal', 'Goal', goalCell(sql`r.goal_value`), 'number'),
  exportField('reached', 'Reached', goalCell(reached), 'number'),
  exportField('raised', 'Raised', amountCell(raised, sql`r.currency`), 'number'),
  exportField('settled', 'Settled', total('settled_amount'), 'number'),
  exportField('refunded', 'Refunded', total('refunded_amount'), 'number'),
  exportField('pledged', 'Pledged', total('pledged_amount'), 'number'),
  exportField('recurring', 'Recurring per month', total('recurring_amount'), 'number'),
  exportField('currency', 'Currency', sql`r.currency`),
  exportField('gifts', 'Gifts', sql`coalesce(t.gifts, 0)`, 'number'),
  exportField('donors', 'Donors', sql`coalesce(t.donors, 0)`, 'number'),
  exportField('fund', 'Fund', sql`(select f.name from app.funds f where f.org_id = r.org_id and f.id = r.fund_id)`),
  exportField('slug', 'Address', sql`r.slug`),
  exportField('archivedAt', 'Archived at', sql`r.archived_at`, 'instant'),
  exportField('createdAt', 'Created at', sql`r.created_at`, 'instant'),
  exportField('id', 'Record id', sql`r.id`),
])

const money = (column: string) => amountCell(sql.ref(column), sql`g.currency`)
const allocated = sql`app.gift_allocations a join app.funds f on f.org_id = a.org_id and f.id = a.fund_id where a.org_id = g.org_id and a.gift_id = g.id`
/** The name of one fund; of several, each with its part. */
const funds = sql`(select case when count(*) > 1 then string_agg(f.name || ': ' || ${amountCell(sql`a.amount`, sql`g.currency`)}, '; ' order by a.place, f.sort_name) else min(f.name) end from ${allocated})`
const yes = (condition: unknown) => sql`case when ${condition} then 'yes' else 'no' end`

/** Gifts of donors whom the caller sees, not those that they gave or recorded themselves. The columns come back in an import. */
export const giftsExport: ExportSource = {
  fields: [
    exportField('donor', 'Donor', donorName),
    exportField('donorEmail', 'Donor email', sql`g.donor_email`),
    exportField('memberNo', 'Member number', sql`p.member_no`),
    exportField('money', 'Amount', money('g.amount'), 'number'),
    exportField('refunded', 'Refunded', money('g.refunded_amount'), 'number'),
    exportField('raised', 'Counted', money('g.counted_amount'), 'number'),
    exportField('feeCovered', 'Fee covered', money('g.fee_covered'), 'number'),
    exportField('currency', 'Currency', sql`g.currency`),
    exportField('status', 'Status', sql`g.status`),
    exportField('method', 'Method', sql`g.method`),
    exportField('source', 'Source', sql`g.source`),
    exportField('day', 'Received on', sql`g.received_on`, 'date'),
    exportField(
      'reference',
      'Reference',
      sql`(select y.reference from app.payments y where y.org_id = g.org_id and y.gift_id = g.id order by y.settled_at is null, y.id desc limit 1)`,
    ),
    exportField('campaign', 'Campaign', sql`c.name`),
    exportField('fund', 'Fund', funds),
    exportField('recurring', 'Recurring', yes(sql`g.plan_id is not null`)),
    exportField('anonymous', 'Anonymous', yes(sql`g.is_anonymous`)),
    exportField('tribute', 'Tribute', sql`g.tribute_kind`),
    exportField('tributeName', 'Tribute name', sql`g.tribute_name`),
    exportField('message', 'Message', sql`g.message`),
    exportField('note', 'Note', sql`(select n.note from app.giving_notes n where n.org_id = g.org_id and n.gift_id = g.id)`),
    exportField(
      'receipt',
      'Receipt',
      sql`(select x.number from app.receipts x where x.org_id = g.org_id and x.gift_id = g.id and x.state = 'issued' order by x.id desc limit 1)`,
    ),
    exportField('thankedAt', 'Thanked at', sql`g.thanked_at`, 'instant'),
    exportField('chapter', 'Chapter', sql`h.name`),
    exportField('chapterCode', 'Chapter code', sql`h.code`),
    exportField('test', 'Test', sql`case when g.is_test then 'yes' end`),
    exportField('foreignId', 'Foreign id', sql`g.foreign_id`),
    exportField('created', 'Created at', sql`g.created_at`, 'instant'),
    exportField('giftId', 'Gift record id', sql`g.id`),
    exportField('personId', 'Person record id', sql`g.person_id`),
  ],
  may: () => sql`((select app.everywhere('gifts.read')) or (select app.scope('gifts.read')) <> '{}')`,
  rows(request) {
    const { selection, sort } = request
    const rows = exportRows(request, sql`g.id`, giftsList({ ...('all' in selection ? selection.all : {}), sort }))
    const read = sql<SqlBool>`((select app.everywhere('gifts.read')) or g.chapter_id = any ((select app.scope('gifts.read'))::uuid[]))`
    return { ...rows, where: [...rows.where, read] }
  },
}
