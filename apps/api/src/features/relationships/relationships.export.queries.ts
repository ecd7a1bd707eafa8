import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { exportField, exportRows } from '../../platform/lists/export-source.ts'
import type { ExportSource } from '../../platform/lists/export-source.ts'
import { fault, problem } from '../../platform/procedures/problem.ts'
import { relationshipsList } from './relationships.queries.ts'

/** Pairs as officers see them; what somebody sees only because it is their own is not in it. Dates and people come back through an import. */
export const relationshipsExport: ExportSource = {
  fields: [
    exportField('type', 'Type', sql`t.name`),
    exportField('typeKey', 'Type key', sql`t.key`),
    exportField('from', 'First', sql`f.display_name`),
    exportField('fromMemberNo', 'First member number', sql`f.member_no`),
    exportField('fromChapter', 'First chapter', sql`fc.name`),
    exportField('to', 'Second', sql`s.display_name`),
    exportField('toMemberNo', 'Second member number', sql`s.member_no`),
    exportField('toChapter', 'Second chapter', sql`sc.name`),
    exportField('state', 'Status', sql`r.state`),
    exportField('startsOn', 'First day', sql`r.starts_on`, 'date'),
    exportField('endsOn', 'Last day', sql`r.ends_on`, 'date'),
    exportField('note', 'Note', sql`r.note`),
    exportField('verifiedAt', 'Verified at', sql`r.verified_at`, 'instant'),
    exportField('createdAt', 'Created at', sql`r.created_at`, 'instant'),
    exportField('id', 'Relationship record id', sql`r.id`),
    exportField('fromId', 'First record id', sql`r.from_person_id`),
    exportField('toId', 'Second record id', sql`r.to_person_id`),
  ],
  may: () => sql`(((select app.everywhere('relationships.read')) or (select app.scope('relationships.read')) <> '{}')
    and ((select app.everywhere('people.export')) or (select app.scope('people.export')) <> '{}'))`,
  rows(request) {
    const { selection, sort } = request
    const { filter, q } = 'all' in selection ? selection.all : {}
    const list = relationshipsList({}, filter)
    if (sort !== undefined && sort !== '-createdAt')
      throw problem('BAD_REQUEST', fault('sort', 'sort', 'Relationships stand in the order in which they were recorded.'))
    const words = q?.trim()
    const where: RawBuilder<SqlBool>[] = [officers]
    if (words) {
      const named = sql`(select x.id from app.matching_people(${words}) x)`
      where.push(sql`(r.from_person_id in ${named} or r.to_person_id in ${named})`)
    }
    const rows = exportRows(request, sql`r.id`, list)
    return { ...rows, where: [...rows.where, ...where] }
  },
}

const officers = sql<SqlBool>`((select app.everywhere('relationships.read'))
  or exists (select from app.people_within('relationships.read') w where w.person_id in (r.from_person_id, r.to_person_id)))`
