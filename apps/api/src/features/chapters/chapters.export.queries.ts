import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { ExportField, ExportSource } from '../../platform/lists/export-source.ts'
import { chaptersList } from './chapters.list.queries.ts'

const field = (key: string, header: string, cell: RawBuilder<unknown>, kind: ExportField['kind'] = 'text'): ExportField => ({
  key,
  header,
  kind,
  cell,
})

/** Chapters of the organisation. */
export const chaptersExport: ExportSource = {
  fields: [
    field('name', 'Name', sql`c.name`),
    field('code', 'Code', sql`c.code`),
    field('parent', 'Parent', sql`up.name`),
    field('parentCode', 'Parent code', sql`up.code`),
    field('level', 'Level', sql`c.level`),
    field('status', 'Status', sql`c.status`),
    field(
      'members',
      'Members',
      sql`coalesce((select n.people from app.chapter_counts n where n.org_id = c.org_id and n.chapter_id = c.id and n.kind = 'member'), 0)`,
      'number',
    ),
    field('city', 'City', sql`c.city`),
    field('contactEmail', 'Contact email', sql`c.contact_email`),
    field('website', 'Website', sql`c.website`),
    field('timezone', 'Timezone', sql`c.timezone`),
    field('charteredOn', 'Chartered on', sql`c.chartered_on`, 'date'),
    field('closedOn', 'Closed on', sql`c.closed_on`, 'date'),
    field('about', 'About', sql`c.about`),
    field('id', 'Record id', sql`c.id`),
  ],
  may: () => sql`((select app.everywhere('people.export')) or (select app.scope('people.export')) <> '{}')`,
  rows({ selection, sort }) {
    const list = chaptersList({ ...('ids' in selection ? {} : selection.all), sort })
    const chosen =
      'ids' in selection ? sql<boolean>`c.id = any (${selection.ids}::uuid[])` : sql<boolean>`c.id <> all (${selection.except}::uuid[])`
    return { id: sql`c.id`, from: list.from, where: [...list.where, chosen], order: list.order, descending: list.descending ?? false }
  },
}
