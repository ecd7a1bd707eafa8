import { sql } from 'kysely'
import { exportField, listExport } from '../../platform/lists/export-source.ts'
import { __records__List } from './__area__.queries.ts'

export const __records__Export = listExport(sql`r.id`, __records__List, [
  exportField('name', 'Name', sql`r.name`),
  exportField('status', 'Status', sql`r.status`),
  exportField('chapter', 'Chapter', sql`c.name`),
  exportField('chapterCode', 'Chapter code', sql`c.code`),
  exportField('description', 'Description', sql`r.description`),
  exportField('archivedAt', 'Archived at', sql`r.archived_at`, 'instant'),
  exportField('createdAt', 'Created at', sql`r.created_at`, 'instant'),
  exportField('id', 'Record id', sql`r.id`),
])
