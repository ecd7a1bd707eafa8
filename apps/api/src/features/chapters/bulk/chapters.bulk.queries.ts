import type { ChapterBulkChange } from '@guildhall/contract/features/chapters'
import type { FieldBulkChange } from '@guildhall/contract/features/fields'
import type { Selection } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { keepEffects } from '../../../platform/lists/bulk-effects.ts'
import type { BulkEffect } from '../../../platform/lists/bulk-effects.ts'
import type { BulkTargets, BulkWork } from '../../../platform/lists/bulk.ts'
import { mayInChapter } from '../../../platform/lists/json-refs.ts'
import { applyFieldChange, fieldsOfFilter, fieldTargets, mayChangeField, revertFieldChange } from '../../fields/fields.public.ts'
import { applyTagging, recordsOf, revertTagging, taggingDiffers } from '../../tags/tags.public.ts'
import { chaptersList } from '../chapters.list.queries.ts'

type Work = BulkWork<ChapterBulkChange>

export async function chapterTargets(db: ActorDb, selection: Selection, change: ChapterBulkChange): Promise<BulkTargets> {
  return {
    from: sql`from app.chapters c`,
    id: sql`c.id`,
    name: sql`c.name`,
    sort: sql`c.search`,
    where: await selectedChapters(db, selection),
    ...('fieldId' in change
      ? await fieldTargets(db, 'chapters', change)
      : {
          may: mayBulk(change),
          differs: change.do === 'status' ? sql`(c.status <> ${change.status})` : taggingDiffers('chapter', sql`c.id`, change),
        }),
  }
}

/** The chapters that a selection means; refuses a filter that cannot be asked. */
export async function selectedChapters(db: ActorDb, selection: Selection): Promise<RawBuilder<SqlBool>> {
  if ('ids' in selection) return sql<SqlBool>`c.id = any (${selection.ids}::uuid[])`
  const fields = await fieldsOfFilter(db, 'chapters', selection.all.filter)
  const { where } = chaptersList({ ...selection.all, fields })
  return sql<SqlBool>`(${sql.join(
    [...where, sql`c.id <> all (${selection.except}::uuid[])`].map((one) => sql`(${one})`),
    sql` and `,
  )})`
}

/** A closed chapter is reopened first, one by one: that has conditions of its own. */
const mayBulk = (change: Exclude<ChapterBulkChange, FieldBulkChange>): RawBuilder<SqlBool> =>
  change.do === 'status'
    ? sql<SqlBool>`((select app.everywhere('chapters.manage')) and c.status <> 'closed')`
    : sql<SqlBool>`${mayInChapter('chapters.edit', sql`c.id`)}`

export function applyChapterBulk(db: ActorDb, work: Work, ids: readonly string[]): Promise<number> {
  const { change } = work
  if ('fieldId' in change) return applyFieldChange(db, 'chapters', { ...work, change }, ids)
  if (change.do !== 'status') return applyTagging(db, 'chapter', { ...work, change }, ids)
  return keepEffects(
    db,
    work,
    sql`update app.chapters c set status = ${change.status} from (select o.id, o.status from app.chapters o where o.id = any (${ids}::uuid[]) for update) o
      where c.id = o.id returning c.id as record_id, o.status as former`,
    sql`jsonb_build_object('former', changed.former)`,
  )
}

export async function revertChapterBulk(db: ActorDb, work: Work, effects: readonly BulkEffect[]): Promise<number> {
  const { jobId, change } = work
  const may = 'fieldId' in change ? await mayChangeField(db, 'chapters', change) : mayBulk(change)
  const { rows: allowed } = await sql<{
    id: string
  }>`select c.id from app.chapters c where c.id = any (${recordsOf(effects)}::uuid[]) and ${may}`.execute(db)
  const ids = allowed.map(({ id }) => id)
  if ('fieldId' in change) return revertFieldChange(db, 'chapters', { ...work, change }, ids, effects)
  if (change.do !== 'status') return revertTagging(db, 'chapter', { ...work, change }, ids)
  const { rows } = await sql`update app.chapters c set status = e.before ->> 'former' from app.bulk_effects e
    where e.job_id = ${jobId} and e.record_id = c.id and c.id = any (${ids}::uuid[]) and c.status = ${change.status} returning 1`.execute(
    db,
  )
  return rows.length
}
