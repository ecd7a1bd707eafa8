import type { BulkChange, BulkCounts } from '@guildhall/contract/features/people'
import type { Job, PersonRef, Selection } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { filterWhere } from '../../../platform/lists/filters.ts'
import { jobOf } from '../../../platform/jobs/job-progress.ts'
import { isCurrent, mayInChapter, personRef } from '../../../platform/lists/json-refs.ts'
import { notInGroup } from '../../groups/groups.bulk.public.ts'
import { fieldsOfFilter } from '../../fields/fields.public.ts'
import { peopleFiltersIn } from '../list/people.filters.queries.ts'
import { peopleWhere } from '../list/people.list.queries.ts'
import { isLasting, isMyself, isOpen, mayDecide, mayWrite } from '../rights/people.rights.queries.ts'

type Condition = RawBuilder<SqlBool>

/** The people a selection means, as a condition on `p`. Archived ones are never part of it. */
async function selected(db: ActorDb, selection: Selection): Promise<Condition> {
  const fields = await fieldsOfFilter(db, 'people', 'all' in selection ? selection.all.filter : undefined)
  const chosen =
    'ids' in selection
      ? sql<SqlBool>`p.id = any (${selection.ids}::uuid[])`
      : sql<SqlBool>`(${peopleWhere({ ...selection.all, fields })} and p.id <> all (${selection.except}::uuid[]))`
  return sql`(${chosen} and p.deleted_at is null)`
}

/** Whom a change is for: those whom it would make different. */
function wouldChange(change: BulkChange): Condition {
  switch (change.do) {
    case 'tag':
      return sql`not exists (select from app.person_tags t where t.tag_id = ${change.tagId} and t.person_id = p.id)`
    case 'untag':
      return sql`exists (select from app.person_tags t where t.tag_id = ${change.tagId} and t.person_id = p.id)`
    case 'addToGroup':
      return notInGroup('p.id', change.groupId)
    case 'lifecycle':
      return sql`(p.lifecycle <> ${change.lifecycle})`
    case 'affiliate':
      return sql`not exists (select from app.affiliations x where x.chapter_id = ${change.chapterId} and x.person_id = p.id and x.kind = ${change.kind}
        and (${isCurrent('x')} or x.starts_on = coalesce(${change.startsOn ?? null}::date, (select app.today()))))`
    case 'archive':
      return sql`true`
  }
}

/** Adding to a group is a right over the group, checked once; everything else is a right over the person. Read-only records are nobody's to change. */
function mayBulk(change: BulkChange): Condition {
  switch (change.do) {
    case 'addToGroup':
      return isOpen
    case 'archive':
      return sql`(${isOpen} and ${mayDecide})`
    case 'lifecycle':
      if (change.lifecycle === 'deceased') return sql`(${isLasting} and ${mayDecide} and not ${isMyself})`
      return change.lifecycle === 'former'
        ? sql`(${isLasting} and ${mayDecide})`
        : sql`((${isOpen} and ${mayWrite}) or (p.lifecycle = 'deceased' and ${mayDecide}))`
    default:
      return sql`(${isOpen} and ${mayWrite})`
  }
}

export type BulkPreview = z.infer<typeof BulkCounts> & { sample: z.infer<typeof PersonRef>[] }

/** What a change would come to. */
export async function previewBulk(db: ActorDb, selection: Selection, change: BulkChange): Promise<BulkPreview> {
  const { rows } = await sql<BulkPreview>`
    with marked as materialized (select p.id, p.display_name, p.sort_name, ${mayBulk(change)} as may, ${wouldChange(change)} as differs from app.people p where ${await selected(db, selection)})
    select count(*)::int as matched, count(*) filter (where may and differs)::int as changed, count(*) filter (where may and not differs)::int as unchanged,
      count(*) filter (where not may)::int as refused,
      (select coalesce(json_agg(${personRef('p')}), '[]') from (select id, display_name from marked where may and differs order by sort_name, id limit 10) p) as sample
    from marked`.execute(db)
  return rows[0] ?? { matched: 0, changed: 0, unchanged: 0, refused: 0, sample: [] }
}

export type Target = { id: string; may: boolean; differs: boolean }

/** The next people of a selection in the order of their ids, which a change cannot disturb. */
export async function nextTargets(
  db: ActorDb,
  selection: Selection,
  change: BulkChange,
  after: string | null,
  limit: number,
): Promise<Target[]> {
  const { rows } = await sql<Target>`select p.id, ${mayBulk(change)} as may, ${wouldChange(change)} as differs from app.people p
    where ${await selected(db, selection)} and p.id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000') order by p.id limit ${sql.lit(limit)}`.execute(
    db,
  )
  return rows
}

/** What must be there for a change to make sense; nothing when it is, else what is missing. */
export async function missingOf(db: ActorDb, change: BulkChange): Promise<'tag' | 'chapter' | 'right' | undefined> {
  if (change.do === 'tag' || change.do === 'untag') {
    return (await db.selectFrom('app.tags').select('id').where('id', '=', change.tagId).executeTakeFirst()) ? undefined : 'tag'
  }
  if (change.do !== 'affiliate') return undefined
  const { rows } = await sql<{
    may: boolean
  }>`select ${mayInChapter('people.write', sql`c.id`)} as may from app.chapters c where c.id = ${change.chapterId} and c.status <> 'closed'`.execute(
    db,
  )
  const [chapter] = rows
  return !chapter ? 'chapter' : chapter.may ? undefined : 'right'
}

/** Refuses a filter that names unknown fields before any work is queued. */
export async function checkSelection(db: ActorDb, selection: Selection): Promise<void> {
  if (!('all' in selection)) return
  const { filter } = selection.all
  filterWhere(filter, peopleFiltersIn('join', await fieldsOfFilter(db, 'people', filter)))
}

/** Work on many rows may take longer than a page does; the audit log notes through which job a change came. */
export async function asBulkWork(db: ActorDb, jobId: string | null): Promise<void> {
  await sql`select set_config('statement_timeout', '30000', true), set_config('app.via', ${jobId ? `bulk:${jobId}` : ''}, true)`.execute(db)
}

/** The caller's changes that are not done yet, newest first. */
export async function unfinishedBulk(db: ActorDb): Promise<Job[]> {
  const { rows } = await sql<{ job: Job }>`select ${jobOf('j')} as job from app.job_progress j
    where j.kind = 'bulk' and j.status in ('queued', 'running') order by j.created_at desc, j.id limit 20`.execute(db)
  return rows.map(({ job }) => job)
}
