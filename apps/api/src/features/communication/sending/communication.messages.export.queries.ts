import { DeliveryState } from '@guildhall/contract/features/communication.messages'
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { exportField, exportRows } from '../../../platform/lists/export-source.ts'
import type { ExportSource } from '../../../platform/lists/export-source.ts'
import { choiceField, filterWhere, idField } from '../../../platform/lists/filters.ts'
import { leftStates, messagesList } from './communication.messages.queries.ts'

const writesSomewhere = sql<boolean>`((select app.everywhere('messages.write')) or (select app.scope('messages.write')) <> '{}'
  or (select app.group_scope('messages.write')) <> '{}')`
const counted = (...whats: readonly string[]) =>
  sql`coalesce((select sum(x.n)::int from app.message_counts x where x.org_id = m.org_id and x.message_id = m.id and x.what = any (${sql.lit(`{${whats.join(',')}}`)}::text[])), 0)`

/** One row for each message, with what became of it. */
export const messagesExport: ExportSource = {
  fields: [
    exportField('name', 'Name', sql`m.name`),
    exportField('status', 'Status', sql`m.status`),
    exportField('subject', 'Subject', sql`m.subject`),
    exportField('topic', 'Topic', sql`t.name`),
    exportField('place', 'For', sql`coalesce(c.name, g.name)`),
    exportField('sendAt', 'Sent', sql`coalesce(m.started_at, m.send_at)`, 'instant'),
    exportField('recipients', 'Recipients', counted(...DeliveryState.options), 'number'),
    exportField('left', 'Mails', counted(...leftStates), 'number'),
    exportField('delivered', 'Delivered', counted('delivered'), 'number'),
    exportField('bounced', 'Bounced', counted('soft_bounce', 'hard_bounce'), 'number'),
    exportField('complaints', 'Complaints', counted('complaint'), 'number'),
    exportField('clicked', 'Clicked', counted('clicked'), 'number'),
    exportField('opened', 'Opened (indicative)', counted('opened'), 'number'),
    exportField('unsubscribed', 'Unsubscribed', counted('unsubscribed'), 'number'),
    exportField('skipped', 'Left out', counted('skipped'), 'number'),
    exportField('createdBy', 'Written by', sql`(select a.name from app.account_name(m.created_by) a)`),
    exportField('createdAt', 'Created', sql`m.created_at`, 'instant'),
    exportField('id', 'Message id', sql`m.id`),
  ],
  may: () => writesSomewhere,
  rows(request) {
    const { selection, sort } = request
    return exportRows(request, sql`m.id`, messagesList({ ...('all' in selection ? selection.all : {}), sort }))
  },
}

/** Recipients of messages with what became of their mail: those whom the caller may export, with the address that they see. */
export const deliveriesExport: ExportSource = {
  fields: [
    exportField('person', 'Name', sql`p.display_name`),
    exportField(
      'email',
      'Email',
      sql`(select e.address from app.person_emails e where e.org_id = d.org_id and e.person_id = d.person_id order by e.is_primary desc, e.created_at, e.id limit 1)`,
    ),
    exportField('memberNo', 'Member number', sql`p.member_no`),
    exportField('outcome', 'Outcome', sql`d.state`),
    exportField('reason', 'Left out because', sql`d.skip_reason`),
    exportField('sentAt', 'Sent', sql`d.sent_at`, 'instant'),
    exportField('clickedAt', 'Clicked', sql`d.clicked_at`, 'instant'),
    exportField('openedAt', 'Opened (indicative)', sql`d.opened_at`, 'instant'),
    exportField('unsubscribedAt', 'Unsubscribed', sql`d.unsubscribed_at`, 'instant'),
    exportField('message', 'Message', sql`m.name`),
    exportField('messageId', 'Message id', sql`d.message_id`),
    exportField('personId', 'Person record id', sql`d.person_id`),
  ],
  may: () => sql`(${writesSomewhere} and ((select app.everywhere('people.export')) or (select app.scope('people.export')) <> '{}'))`,
  rows(request) {
    const { selection } = request
    const chosen =
      'all' in selection
        ? filterWhere(selection.all.filter, {
            message: idField(sql`d.message_id`),
            outcome: choiceField(sql`d.state`, DeliveryState.options),
          })
        : undefined
    return exportRows(request, sql`d.id`, {
      key: ['deliveries'],
      item: sql`d.id`,
      from: sql`from app.message_deliveries d join app.messages m on m.org_id = d.org_id and m.id = d.message_id
        join app.people p on p.org_id = d.org_id and p.id = d.person_id`,
      where: [sql<SqlBool>`true`, ...(chosen ? [chosen] : [])],
      order: [sql`d.id`],
    })
  },
}
