import { sql } from 'kysely'
import { exportField, exportRows } from '../../../platform/lists/export-source.ts'
import type { ExportSource } from '../../../platform/lists/export-source.ts'
import { amountCell } from '../../../platform/lists/money-cell.ts'
import { manages } from '../events.queries.ts'
import { registrationsList } from './events.attendees.queries.ts'

const answers = sql`(select string_agg(concat(q.text, ': ', case jsonb_typeof(a.answer -> 'value') when 'array'
    then (select string_agg(v, ', ') from jsonb_array_elements_text(a.answer -> 'value') v) else a.answer ->> 'value' end), E'\\n' order by q.place, q.id)
  from jsonb_array_elements(r.answers) a (answer) join app.event_questions q on q.org_id = r.org_id and q.id = (a.answer ->> 'questionId')::uuid)`

/** Registrations of events that the caller runs; one's own are no list. */
export const registrationsExport: ExportSource = {
  fields: [
    exportField('name', 'Name', sql`r.name`),
    exportField('email', 'Email', sql`r.email`),
    exportField('status', 'Status', sql`r.status`),
    exportField('ticket', 'Ticket', sql`t.name`),
    exportField('price', 'Price', amountCell(sql`r.price_amount`, sql`r.price_currency`), 'number'),
    exportField('currency', 'Currency', sql`r.price_currency`),
    exportField('refund', 'To refund', amountCell(sql`r.refund_amount`, sql`r.price_currency`), 'number'),
    exportField('answers', 'Answers', answers),
    exportField('host', 'Guest of', sql`(select h.name from app.registrations h where h.org_id = r.org_id and h.id = r.host_id)`),
    exportField('source', 'Source', sql`r.source`),
    exportField('waiting', 'Waiting list', sql`case when r.status = 'waitlisted' then app.waiting_position(r.id) end`, 'number'),
    exportField('createdAt', 'Registered at', sql`r.created_at`, 'instant'),
    exportField('checkedInAt', 'Checked in at', sql`r.checked_in_at`, 'instant'),
    exportField('reason', 'Reason', sql`r.reason`),
    exportField('memberNo', 'Member number', sql`p.member_no`),
    exportField('event', 'Event', sql`e.title`),
    exportField('startsAt', 'Event starts at', sql`e.starts_at`, 'instant'),
    exportField('id', 'Registration id', sql`r.id`),
    exportField('eventId', 'Event record id', sql`r.event_id`),
    exportField('personId', 'Person record id', sql`r.person_id`),
  ],
  may: () => sql`((select app.everywhere('events.manage')) or (select app.scope('events.manage')) <> '{}' or (select app.group_scope('events.manage')) <> '{}'
    or (select app.event_scope('events.manage')) <> '{}')`,
  rows(request) {
    const { selection, sort } = request
    const list = registrationsList({ ...('all' in selection ? selection.all : {}), sort })
    return exportRows(request, sql`r.id`, { ...list, where: [...list.where, manages] })
  },
}
