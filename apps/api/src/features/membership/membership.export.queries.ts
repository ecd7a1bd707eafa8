import { MembershipStatus } from '@guildhall/contract/features/membership'
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { exportField, exportRows } from '../../platform/lists/export-source.ts'
import type { ExportSource } from '../../platform/lists/export-source.ts'
import { choiceField, dateField, filterWhere, idField } from '../../platform/lists/filters.ts'
import { amountCell } from '../../platform/lists/money-cell.ts'
import { mayWith } from '../../platform/lists/people-rights.ts'
import { readSort } from '../../platform/lists/sort.ts'

const catalogue = {
  membershipType: idField(sql`m.type_id`),
  membershipStatus: choiceField(sql`m.status`, MembershipStatus.options),
  termStart: dateField(sql`e.starts_on`),
  termEnd: dateField(sql`e.ends_on`),
}
const orders = { name: [sql`p.sort_name`, sql`e.id`], termEnd: [sql`coalesce(e.ends_on, 'infinity')`, sql`e.id`] }

/** Terms, each with its membership and person: of those whom the caller may export, as far as they read memberships. Headers are those that an import knows again. */
export const membershipsExport: ExportSource = {
  fields: [
    exportField('memberNo', 'Member number', sql`p.member_no`),
    exportField('displayName', 'Display name', sql`p.display_name`),
    exportField(
      'primaryEmail',
      'Email',
      sql`(select a.address from app.person_emails a where a.org_id = p.org_id and a.person_id = p.id order by a.is_primary desc, a.created_at, a.id limit 1)`,
    ),
    exportField('type', 'Type of membership', sql`y.name`),
    exportField('chapter', 'Chapter', sql`c.name`),
    exportField('chapterCode', 'Chapter code', sql`c.code`),
    exportField('status', 'Status of membership', sql`coalesce(m.override_status, m.status)`),
    exportField('termStart', 'Term start', sql`e.starts_on`, 'date'),
    exportField('termEnd', 'Term end', sql`e.ends_on`, 'date'),
    exportField('termStatus', 'Status of term', sql`e.status`),
    exportField('paidOn', 'Paid on', sql`e.settled_on`, 'date'),
    exportField('price', 'Price', amountCell(sql`e.price_amount`, sql`e.price_currency`), 'number'),
    exportField('currency', 'Currency', sql`e.price_currency`),
    exportField('autoRenew', 'Auto-renewal', sql`m.auto_renew`, 'flag'),
    exportField('membershipId', 'Membership id', sql`m.id`),
    exportField('personId', 'Person record id', sql`p.id`),
  ],
  may: () => sql`((select app.everywhere('people.export')) or (select app.scope('people.export')) <> '{}')
    and ((select app.everywhere('memberships.read')) or (select app.scope('memberships.read')) <> '{}')`,
  rows(request) {
    const { by, descending } = readSort(request.sort, ['name', 'termEnd'], 'name')
    const wanted = 'all' in request.selection ? filterWhere(request.selection.all.filter, catalogue) : null
    return exportRows(request, sql`e.id`, {
      key: ['memberships'],
      item: sql`null`,
      from: sql`from app.membership_terms e join app.memberships m on m.org_id = e.org_id and m.id = e.membership_id
        join app.people p on p.org_id = m.org_id and p.id = m.person_id join app.membership_types y on y.org_id = m.org_id and y.id = m.type_id
        left join app.chapters c on c.org_id = m.org_id and c.id = m.chapter_id`,
      where: [sql<SqlBool>`p.deleted_at is null`, mayWith('people.export'), ...(wanted ? [wanted] : [])],
      order: orders[by],
      descending,
    })
  },
}
