import type { GroupBulkChange } from '@guildhall/contract/features/groups'
import type { FieldBulkChange } from '@guildhall/contract/features/fields'
import type { Selection } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { keepEffects } from '../../platform/lists/bulk-effects.ts'
import type { BulkEffect } from '../../platform/lists/bulk-effects.ts'
import type { BulkTargets, BulkWork } from '../../platform/lists/bulk.ts'
import { mayInChapter } from '../../platform/lists/json-refs.ts'
import { applyFieldChange, fieldsOfFilter, fieldTargets, mayChangeField, revertFieldChange } from '../fields/fields.public.ts'
import { applyTagging, recordsOf, revertTagging, taggingDiffers } from '../tags/tags.public.ts'
import { groupsList } from './groups.list.queries.ts'
import { groupsFrom, manages, runsChapter } from './groups.queries.ts'

type Condition = RawBuilder<SqlBool>
type OwnChange = Exclude<GroupBulkChange, FieldBulkChange>
type Work = BulkWork<GroupBulkChange>

export async function groupTargets(db: ActorDb, selection: Selection, change: GroupBulkChange): Promise<BulkTargets> {
  return {
    from: groupsFrom,
    id: sql`g.id`,
    name: sql`g.name`,
    sort: sql`g.sort_name`,
    where: await selectedGroups(db, selection),
    ...('fieldId' in change ? await fieldTargets(db, 'groups', change) : { may: mayBulk(change), differs: differs(change) }),
  }
}

/** The groups that a selection means; refuses a filter that cannot be asked. */
export async function selectedGroups(db: ActorDb, selection: Selection): Promise<Condition> {
  if ('ids' in selection) return sql<SqlBool>`g.id = any (${selection.ids}::uuid[])`
  const fields = await fieldsOfFilter(db, 'groups', selection.all.filter)
  const { where } = groupsList({ ...selection.all, fields })
  return sql<SqlBool>`(${sql.join(
    [...where, sql`g.id <> all (${selection.except}::uuid[])`].map((one) => sql`(${one})`),
    sql` and `,
  )})`
}

/** Mirrors the policies and the guard of a group's place: leaders tag, archive and narrow, officers decide where a group belongs and who sees it. */
const mayBulk = (change: OwnChange): Condition => (change.do === 'chapter' || change.do === 'visibility' ? runsChapter : manages)

function differs(change: OwnChange): Condition {
  switch (change.do) {
    case 'tag':
    case 'untag':
      return taggingDiffers('group', sql`g.id`, change)
    case 'archive':
      return sql`(g.archived_at is null)`
    case 'restore':
      return sql`(g.archived_at is not null)`
    case 'chapter':
      return sql`(g.chapter_id is distinct from ${change.chapterId}::uuid)`
    case 'visibility':
      return sql`(g.visibility <> ${change.visibility})`
  }
}

/** Whether groups may be put into this chapter, or under the whole organisation; nothing where there is no such chapter, or it is closed. */
export async function chapterTakesGroups(db: ActorDb, chapterId: string | null): Promise<{ may: boolean } | undefined> {
  const { rows } = await sql<{ may: boolean }>`select ${mayInChapter('groups.manage', sql`x.id`)} as may
    from (select ${chapterId}::uuid as id) x where x.id is null or exists (select from app.chapters c where c.id = x.id and c.status <> 'closed')`.execute(
    db,
  )
  return rows[0]
}

const set = (column: 'archived_at' | 'chapter_id' | 'visibility', value: RawBuilder<unknown>, ids: readonly string[]) =>
  sql`update app.groups g set ${sql.ref(column)} = ${value}
    from (select o.id, o.archived_at, o.chapter_id, o.visibility from app.groups o where o.id = any (${ids}::uuid[]) for update) o
    where g.id = o.id returning g.id as record_id, o.${sql.ref(column)} as former, g.${sql.ref(column)} as latter`

export async function applyGroupBulk(db: ActorDb, work: Work, ids: readonly string[]): Promise<number> {
  const { change } = work
  const keep = (changed: RawBuilder<unknown>) =>
    keepEffects(db, work, changed, sql`jsonb_build_object('former', changed.former, 'latter', changed.latter)`)
  switch (change.do) {
    case 'setField':
    case 'addChoices':
    case 'removeChoices':
      return applyFieldChange(db, 'groups', { ...work, change }, ids)
    case 'tag':
    case 'untag':
      return applyTagging(db, 'group', { ...work, change }, ids)
    case 'archive':
      return keep(set('archived_at', sql`now()`, ids))
    case 'restore':
      return keep(set('archived_at', sql`null`, ids))
    case 'chapter':
      return keep(set('chapter_id', sql`${change.chapterId}::uuid`, ids))
    case 'visibility':
      return keep(set('visibility', sql`${change.visibility}`, ids))
  }
}

const columns = { archive: 'archived_at', restore: 'archived_at', chapter: 'chapter_id', visibility: 'visibility' } as const
const types = { archived_at: 'timestamptz', chapter_id: 'uuid', visibility: 'text' } as const

/** What was changed again since has another value than the change gave it. */
export async function revertGroupBulk(db: ActorDb, work: Work, effects: readonly BulkEffect[]): Promise<number> {
  const { jobId, change } = work
  const may = 'fieldId' in change ? await mayChangeField(db, 'groups', change) : mayBulk(change)
  const { rows: allowed } = await sql<{
    id: string
  }>`select g.id from app.groups g join app.bulk_effects e on e.job_id = ${jobId} and e.record_id = g.id
    where g.id = any (${recordsOf(effects)}::uuid[]) and ${may} ${
      change.do === 'chapter' ? sql`and ${mayInChapter('groups.manage', sql`(e.before ->> 'former')::uuid`)}` : sql``
    }`.execute(db)
  const ids = allowed.map(({ id }) => id)
  if ('fieldId' in change) return revertFieldChange(db, 'groups', { ...work, change }, ids, effects)
  if (change.do === 'tag' || change.do === 'untag') return revertTagging(db, 'group', { ...work, change }, ids)
  const column = columns[change.do]
  const value = (key: string) => sql`(e.before ->> ${sql.lit(key)})::${sql.raw(types[column])}`
  const { rows } = await sql`update app.groups g set ${sql.ref(column)} = ${value('former')} from app.bulk_effects e
    where e.job_id = ${jobId} and e.record_id = g.id and g.id = any (${ids}::uuid[]) and g.${sql.ref(column)} is not distinct from ${value('latter')} returning 1`.execute(
    db,
  )
  return rows.length
}
