import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { exportField, exportRows } from '../../../platform/lists/export-source.ts'
import type { ExportSource } from '../../../platform/lists/export-source.ts'
import { amountCell } from '../../../platform/lists/money-cell.ts'
import { eventsList } from '../events.list.queries.ts'
import { checksIn, manages } from '../events.queries.ts'

const seats = (column: RawBuilder<unknown>) => sql`case when ${checksIn} then ${column} end`
/** In one currency for each event. It answers nothing for events that the caller does not manage. */
const revenue = (column: string) =>
  sql`case when ${manages} then (select ${amountCell(sql`sum(${sql.ref(`v.${column}`)})`, sql`max(v.currency)`)} from app.event_revenue(array[e.id]) v having count(*) > 0) end`

/** Events that the caller sees. Who comes and what was paid stands there of events that they run. */
export const eventsExport: ExportSource = {
  fields: [
    exportField('title', 'Title', sql`e.title`),
    exportField('startsAt', 'Starts at', sql`e.starts_at`, 'instant'),
    exportField('endsAt', 'Ends at', sql`e.ends_at`, 'instant'),
    exportField('timezone', 'Time zone', sql`e.timezone`),
    exportField('status', 'Status', sql`e.status`),
    exportField('kind', 'Kind', sql`e.kind`),
    exportField('mode', 'Place or online', sql`e.mode`),
    exportField('venueName', 'Place', sql`e.venue_name`),
    exportField('venueAddress', 'Address', sql`e.venue_address`),
    exportField('chapter', 'Chapter', sql`c.name`),
    exportField('chapterCode', 'Chapter code', sql`c.code`),
    exportField('group', 'Group', sql`g.name`),
    exportField('visibility', 'Visibility', sql`e.visibility`),
    exportField('summary', 'Summary', sql`e.summary`),
    exportField('capacity', 'Capacity', sql`e.capacity`, 'number'),
    exportField('taken', 'Seats taken', sql`n.taken`, 'number'),
    exportField('waiting', 'Waiting list', sql`n.waiting`, 'number'),
    exportField('confirmed', 'Confirmed', seats(sql`n.confirmed`), 'number'),
    exportField('attended', 'Attended', seats(sql`n.checked_in`), 'number'),
    exportField('awaitingPayment', 'Awaiting payment', seats(sql`n.pending_payment`), 'number'),
    exportField('cancelledRegistrations', 'Cancelled registrations', seats(sql`n.cancelled`), 'number'),
    exportField('charged', 'Charged', revenue('charged'), 'number'),
    exportField('paid', 'Paid', revenue('paid'), 'number'),
    exportField('refunded', 'Refunded', revenue('refunded'), 'number'),
    exportField(
      'currency',
      'Currency',
      sql`case when ${manages} then (select t.price_currency from app.event_ticket_types t where t.org_id = e.org_id and t.event_id = e.id and t.price_amount > 0 limit 1) end`,
    ),
    exportField('cancelReason', 'Reason for cancelling', sql`e.cancel_reason`),
    exportField('createdAt', 'Created at', sql`e.created_at`, 'instant'),
    exportField('id', 'Record id', sql`e.id`),
  ],
  may: () => sql`((select app.everywhere('events.manage')) or (select app.scope('events.manage')) <> '{}' or (select app.group_scope('events.manage')) <> '{}'
    or (select app.event_scope('events.manage')) <> '{}')`,
  rows: (request) => {
    const { selection, sort } = request
    return exportRows(request, sql`e.id`, eventsList({ ...('all' in selection ? selection.all : {}), sort, archived: 'ids' in selection }))
  },
}
