import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { idField } from '../../platform/lists/filters.ts'
import { fault, problem } from '../../platform/procedures/problem.ts'

/** A filter over a column with a chapter, which stands for those below it too. */
export const chapterField = (column: RawBuilder<unknown>) =>
  idField(column, (ids) => sql`${column} in (select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = any (${ids}::uuid[]))`)

/** A chapter that something refers to must be there for the caller; null and nothing refer to none. */
export async function mustSeeChapter(db: ActorDb, chapterId: string | null | undefined, path = 'chapterId'): Promise<void> {
  if (!chapterId) return
  if (await db.selectFrom('app.chapters').select('id').where('id', '=', chapterId).executeTakeFirst()) return
  throw problem('UNPROCESSABLE_CONTENT', fault(path, 'chapter_not_found', 'There is no such chapter.'))
}
