import type { EventBulkChange } from '@guildhall/contract/features/events'
import type { Selection } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { keepEffects } from '../../../platform/lists/bulk-effects.ts'
import type { BulkEffect } from '../../../platform/lists/bulk-effects.ts'
import type { BulkTargets, BulkWork } from '../../../platform/lists/bulk.ts'
import { eventsList } from '../events.list.queries.ts'
import { eventsFrom, firstMissing, manages, publishes } from '../events.queries.ts'
import { statusBefore } from '../events.writes.queries.ts'

type Condition = RawBuilder<SqlBool>
type Work = BulkWork<EventBulkChange>

/** The events that a selection means; refuses a filter that cannot be asked. Templates are in no list. */
export function selectedEvents(selection: Selection): Condition {
  if ('ids' in selection) return sql<SqlBool>`(e.id = any (${selection.ids}::uuid[]) and e.template_name is null)`
  const { where } = eventsList(selection.all)
  return sql<SqlBool>`(${sql.join(
    [...where, sql`e.id <> all (${selection.except}::uuid[])`].map((one) => sql`(${one})`),
    sql` and `,
  )})`
}

/** Mirrors the policies and the guard of an event. */
const mayBulk = (change: EventBulkChange): Condition => (change.do === 'publish' || change.do === 'cancel' ? publishes : manages)

/** Why an event stays as it is; null where it would be changed. */
function stays(change: EventBulkChange): RawBuilder<unknown> {
  switch (change.do) {
    case 'publish':
      return sql`(case when e.status <> 'draft' then e.status else ${firstMissing} end)`
    case 'cancel':
      return sql`(case when e.status <> 'published' then e.status when e.ends_at <= now() then 'past' end)`
    case 'archive':
      return sql`(case when e.status = 'archived' then e.status end)`
    case 'restore':
      return sql`(case when e.status <> 'archived' then 'same' end)`
    case 'visibility':
      return sql`(case when e.status = 'archived' then e.status when e.visibility = ${change.visibility} then 'same'
        when ${change.visibility} = 'chapter' and e.chapter_id is null then 'no_chapter' when ${change.visibility} = 'group' and e.group_id is null then 'no_group' end)`
    case 'copy':
      return sql`null::text`
  }
}

export const eventTargets = (selection: Selection, change: EventBulkChange): BulkTargets => ({
  from: eventsFrom,
  id: sql`e.id`,
  name: sql`concat(e.title, ' (', to_char(e.starts_local, 'YYYY-MM-DD'), ')')`,
  sort: sql`e.starts_at`,
  where: selectedEvents(selection),
  may: mayBulk(change),
  differs: sql<SqlBool>`(${stays(change)} is null)`,
  why: stays(change),
})

/** How many events a selection means, counted no further than asked. */
export async function countSelected(db: ActorDb, selection: Selection, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (select 1 ${eventsFrom}
    where ${selectedEvents(selection)} limit ${sql.lit(most)}) x`.execute(db)
  return rows[0]?.count ?? 0
}

/** In the order of their ids, so that two such changes wait for each other. */
const locked = (ids: readonly string[]) =>
  sql`(select o.id, o.status, o.visibility from app.events o where o.id = any (${ids}::uuid[]) order by o.id for update) o`

export async function setStatuses(db: ActorDb, ids: readonly string[], status: 'published' | 'cancelled', reason = ''): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update app.events e set status = ${status}, cancel_reason = ${reason} from ${locked(ids)}
    where e.id = o.id returning e.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Archiving, restoring and another visibility, each with what it was before. */
export function setKept(db: ActorDb, work: Work, ids: readonly string[]): Promise<number> {
  const { change } = work
  const changed =
    change.do === 'visibility'
      ? sql`update app.events e set visibility = ${change.visibility} from ${locked(ids)} where e.id = o.id
          returning e.id as record_id, o.visibility as former, e.visibility as latter`
      : sql`update app.events e set status = ${change.do === 'archive' ? sql`'archived'` : statusBefore} from ${locked(ids)} where e.id = o.id
          returning e.id as record_id, o.status as former, e.status as latter`
  return keepEffects(db, work, changed, sql`jsonb_build_object('former', changed.former, 'latter', changed.latter)`)
}

/** Whose change it is, also in the worker. */
export async function callerOf(db: ActorDb, { orgId }: Work): Promise<{ orgId: string; accountId: string }> {
  const { rows } = await sql<{ accountId: string }>`select app.account_id() as "accountId"`.execute(db)
  return { orgId, accountId: rows[0]?.accountId ?? '' }
}

export const keepCopies = (db: ActorDb, work: Work, copies: readonly { of: string; id: string }[]): Promise<number> =>
  keepEffects(
    db,
    work,
    sql`select c.of as record_id, c.id as copy from jsonb_to_recordset(${JSON.stringify(copies)}::jsonb) c (of uuid, id uuid)`,
    sql`jsonb_build_object('copy', changed.copy)`,
  )

/** Copies that nobody has published or changed are archived; of the rest, what was changed again since stays. */
export async function revertEventBulk(db: ActorDb, { jobId, change }: Work, effects: readonly BulkEffect[]): Promise<number> {
  const ids = effects.map(({ recordId }) => recordId)
  const told = (key: string) => sql`(x.before ->> ${sql.lit(key)})`
  const undone = (set: RawBuilder<unknown>, event: RawBuilder<unknown>, still: Condition) =>
    sql`with mine as materialized (select e.id, x.before ${eventsFrom} join app.bulk_effects x on x.job_id = ${jobId} and x.record_id = any (${ids}::uuid[]) and e.id = ${event}
        where ${mayBulk(change)})
      update app.events e set ${set} from mine x where e.id = x.id and ${still} returning 1`.execute(db)
  const { rows } =
    change.do === 'copy'
      ? await undone(sql`status = 'archived'`, sql`${told('copy')}::uuid`, sql<SqlBool>`e.status = 'draft' and e.updated_at = e.created_at`)
      : change.do === 'visibility'
        ? await undone(
            sql`visibility = ${told('former')}`,
            sql`x.record_id`,
            sql<SqlBool>`e.visibility = ${told('latter')} and e.status <> 'archived'`,
          )
        : await undone(sql`status = ${told('former')}`, sql`x.record_id`, sql<SqlBool>`e.status = ${told('latter')}`)
  return rows.length
}
