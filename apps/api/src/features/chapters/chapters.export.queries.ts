import { sql } from 'kysely'
import { exportField, listExport } from '../../platform/lists/export-source.ts'
import { fieldCells } from '../fields/fields.public.ts'
import { tagCell } from '../tags/tags.public.ts'
import { chaptersList } from './chapters.list.queries.ts'

/** Chapters of the organisation. */
export const chaptersExport = listExport(
  sql`c.id`,
  chaptersList,
  [
    exportField('name', 'Name', sql`c.name`),
    exportField('code', 'Code', sql`c.code`),
    exportField('parent', 'Parent', sql`up.name`),
    exportField('parentCode', 'Parent code', sql`up.code`),
    exportField('level', 'Level', sql`c.level`),
    exportField('status', 'Status', sql`c.status`),
    exportField(
      'members',
      'Members',
      sql`coalesce((select n.people from app.chapter_counts n where n.org_id = c.org_id and n.chapter_id = c.id and n.kind = 'member'), 0)`,
      'number',
    ),
    exportField('city', 'City', sql`c.city`),
    exportField('contactEmail', 'Contact email', sql`c.contact_email`),
    exportField('website', 'Website', sql`c.website`),
    exportField('timezone', 'Timezone', sql`c.timezone`),
    tagCell('chapter', sql`c.org_id`, sql`c.id`),
    exportField('charteredOn', 'Chartered on', sql`c.chartered_on`, 'date'),
    exportField('closedOn', 'Closed on', sql`c.closed_on`, 'date'),
    exportField('about', 'About', sql`c.about`),
    exportField('id', 'Record id', sql`c.id`),
  ],
  { of: 'chapters', cells: (fields) => fieldCells('chapters', fields, 'c.org_id', 'c.id') },
)
