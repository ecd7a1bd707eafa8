import type { Chapter, ChapterChange, NewChapter } from '@guildhall/contract/features/chapters'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { columnsOf } from '../../platform/records/columns.ts'
import { mustTouch, updateRecord } from '../../platform/records/update-record.ts'
import { chapterQuery } from './chapters.queries.ts'

export async function findChapter(db: ActorDb, chapterId: string): Promise<Chapter | undefined> {
  const { rows } = await db.executeQuery(chapterQuery(chapterId).compile())
  return rows[0]?.chapter
}

/** Name and status of a chapter that others refer to. */
export const chapterState = (db: ActorDb, chapterId: string) =>
  db.selectFrom('app.chapters').select(['name', 'status']).where('id', '=', chapterId).executeTakeFirst()

export const codeTaken = async (db: ActorDb, code: string, except: string | null) =>
  (await db.selectFrom('app.chapters').select('id').where('code', '=', code).where('id', 'is distinct from', except).executeTakeFirst()) !==
  undefined

export async function insertChapter(db: ActorDb, orgId: string, chapter: Omit<NewChapter, 'fields'>): Promise<string> {
  const { id } = await db
    .insertInto('app.chapters')
    .values({ org_id: orgId, ...columnsOf('app.chapters', chapter) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Guarded = { chapterId: string; version: number }

export const updateChapter = (
  db: ActorDb,
  { chapterId, version }: Guarded,
  change: Omit<ChapterChange, 'fields'> | { parentId: string | null },
  /** What belongs to the chapter changes too, which is a change of the chapter. */
  touch = false,
): Promise<Chapter> =>
  updateRecord(
    db,
    'app.chapters',
    { id: chapterId, version },
    { ...(touch ? { city: sql`city` } : {}), ...columnsOf('app.chapters', change) },
    () => findChapter(db, chapterId),
  )

/** Locks the chapter, so that nobody joins it while it is being closed, and counts what still lives in it. */
export async function lockForClosing(db: ActorDb, { chapterId, version }: Guarded) {
  const chapter = db.selectFrom('app.chapters').select('status').where('id', '=', chapterId).where('version', '=', version)
  const locked = await mustTouch(await chapter.forUpdate().executeTakeFirst(), () => findChapter(db, chapterId), version)
  const { rows } = await sql<{ subchapters: number; people: number }>`
    select (select count(*)::int from app.chapters c where c.parent_id = ${chapterId} and c.status <> 'closed') as subchapters,
      (select count(distinct a.person_id)::int from app.affiliations a where a.chapter_id = ${chapterId}
        and (a.ends_on is null or a.ends_on >= (select app.today())) and not ${isClosed('a')}) as people`.execute(db)
  return { status: locked.status, subchapters: rows[0]?.subchapters ?? 0, people: rows[0]?.people ?? 0 }
}

/** Of somebody who died, was merged or erased: read-only, and in the way of nothing. */
const isClosed = (row: string) => sql<boolean>`exists (select from app.people p where p.org_id = ${sql.ref(`${row}.org_id`)}
  and p.id = ${sql.ref(`${row}.person_id`)} and p.lifecycle in ('deceased', 'merged', 'erased'))`

/** Ends the terms that run, forgets those that have not begun, and closes the chapter. */
export async function closeChapter(db: ActorDb, { chapterId, version }: Guarded, closedOn: string | undefined): Promise<Chapter> {
  const day = sql<string>`coalesce(${closedOn ?? null}::date, (select app.today()))`
  const offices = db.selectFrom('app.positions').select('id').where('chapter_id', '=', chapterId)
  await db
    .deleteFrom('app.position_holders')
    .where('position_id', 'in', offices)
    .where('starts_on', '>', day)
    .where((where) => where.not(isClosed('app.position_holders')))
    .execute()
  await db
    .updateTable('app.position_holders')
    .set({ ends_on: day })
    .where('position_id', 'in', offices)
    .where((where) =>
      where.and([where.or([where('ends_on', 'is', null), where('ends_on', '>', day)]), where.not(isClosed('app.position_holders'))]),
    )
    .execute()
  const set = { status: 'closed', closed_on: day } as const
  return updateRecord(db, 'app.chapters', { id: chapterId, version }, set, () => findChapter(db, chapterId))
}

export const reopenChapter = (db: ActorDb, { chapterId, version }: Guarded): Promise<Chapter> =>
  updateRecord(db, 'app.chapters', { id: chapterId, version }, { status: 'active', closed_on: null }, () => findChapter(db, chapterId))
