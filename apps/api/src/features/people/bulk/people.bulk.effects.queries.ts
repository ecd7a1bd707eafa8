import type { BulkChange } from '@guildhall/contract/features/people'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { keepEffects } from '../../../platform/lists/bulk-effects.ts'
import type { BulkEffect } from '../../../platform/lists/bulk-effects.ts'
import type { BulkWork } from '../../../platform/lists/bulk.ts'
import { applyFieldChange, mayChangeField, revertFieldChange } from '../../fields/fields.public.ts'
import { addPeople, takeBackPeople } from '../../groups/groups.bulk.public.ts'
import { applyHeldChange, revertHeldChange } from '../../membership/membership.bulk.public.ts'
import { isLasting, isMyself, isOpen, mayDecide, mayWrite } from '../rights/people.rights.queries.ts'

type Work = BulkWork<BulkChange>

/** Changes these people with one statement and keeps what undo needs; answers how many were changed. */
export async function applyBulk(db: ActorDb, { orgId, jobId, change }: Work, ids: readonly string[]): Promise<number> {
  const people = sql`${ids}::uuid[]`
  const keep = (changed: RawBuilder<unknown>, before?: RawBuilder<unknown>) =>
    keepEffects(db, { orgId, jobId }, changed, before, 'person_id')
  switch (change.do) {
    case 'setField':
    case 'addChoices':
    case 'removeChoices':
      return applyFieldChange(db, 'people', { orgId, jobId, change }, ids)
    case 'stopAutoRenew':
    case 'renew':
      return applyHeldChange(db, { orgId, jobId }, change, ids)
    case 'tag':
      return keep(
        sql`insert into app.person_tags (org_id, person_id, tag_id) select ${orgId}, x, ${change.tagId} from unnest(${people}) x
        on conflict do nothing returning person_id`,
      )
    case 'untag':
      return keep(sql`delete from app.person_tags where tag_id = ${change.tagId} and person_id = any (${people}) returning person_id`)
    case 'lifecycle':
      return keep(
        sql`update app.people p set lifecycle = ${change.lifecycle} from (select o.id, o.lifecycle from app.people o where o.id = any (${people}) for update) o
        where p.id = o.id returning p.id as person_id, o.lifecycle as former`,
        sql`jsonb_build_object('lifecycle', changed.former)`,
      )
    case 'archive':
      return keep(
        sql`update app.people p set deleted_at = now() where p.id = any (${people}) and p.deleted_at is null returning p.id as person_id, p.deleted_at`,
        sql`jsonb_build_object('deletedAt', changed.deleted_at)`,
      )
    case 'affiliate':
      return keep(
        sql`insert into app.affiliations (org_id, person_id, chapter_id, kind, starts_on, is_primary)
        select ${orgId}, x, ${change.chapterId}, ${change.kind}, coalesce(${change.startsOn ?? null}::date, app.today()),
          not exists (select from app.affiliations o where o.person_id = x and o.is_primary and o.ends_on is null)
        from unnest(${people}) x on conflict do nothing returning person_id, id`,
        sql`jsonb_build_object('id', changed.id)`,
      )
    case 'addToGroup': {
      const added = await addPeople(db, orgId, change.groupId, ids)
      await keep(
        sql`select (x ->> 'personId')::uuid as person_id, x ->> 'memberId' as member_id from jsonb_array_elements(${JSON.stringify(added)}::jsonb) x`,
        sql`jsonb_build_object('id', changed.member_id)`,
      )
      return added.length
    }
  }
}

/** Takes the change back for these people, save where someone changed it again since; answers how many went back. */
export async function revertBulk(db: ActorDb, { orgId, jobId, change }: Work, effects: readonly BulkEffect[]): Promise<number> {
  const everybody = sql`${effects.map((effect) => effect.recordId)}::uuid[]`
  const may = 'fieldId' in change ? sql`(${isOpen} and ${await mayChangeField(db, 'people', change)})` : mayRevert(change)
  const { rows: allowed } = await sql<{
    id: string
  }>`select p.id from app.people p join app.bulk_effects e on e.job_id = ${jobId} and e.record_id = p.id
    where p.id = any (${everybody}) and ${may}`.execute(db)
  const ids = new Set(allowed.map(({ id }) => id))
  const people = sql`${[...ids]}::uuid[]`
  const made = effects.flatMap(({ recordId, before }) => (typeof before['id'] === 'string' && ids.has(recordId) ? [before['id']] : []))
  if ('fieldId' in change) return revertFieldChange(db, 'people', { orgId, jobId, change }, [...ids], effects)
  if (change.do === 'stopAutoRenew' || change.do === 'renew')
    return revertHeldChange(
      db,
      change,
      effects.filter(({ recordId }) => ids.has(recordId)),
    )
  const of = sql`app.bulk_effects e where e.job_id = ${jobId} and e.record_id = any (${people})`
  switch (change.do) {
    case 'tag':
      return count(
        await sql`delete from app.person_tags where tag_id = ${change.tagId} and person_id = any (${people}) returning 1`.execute(db),
      )
    case 'untag':
      return count(
        await sql`insert into app.person_tags (org_id, person_id, tag_id) select ${orgId}, x, ${change.tagId} from unnest(${people}) x
          where exists (select from app.tags t where t.id = ${change.tagId}) on conflict do nothing returning 1`.execute(db),
      )
    case 'lifecycle':
      return count(
        await sql`update app.people p set lifecycle = e.before ->> 'lifecycle' from ${of} and p.id = e.record_id and p.lifecycle = ${change.lifecycle} returning 1`.execute(
          db,
        ),
      )
    case 'archive':
      return count(
        await sql`update app.people p set deleted_at = null from ${of} and p.id = e.record_id and p.deleted_at = (e.before ->> 'deletedAt')::timestamptz returning 1`.execute(
          db,
        ),
      )
    case 'affiliate':
      return count(await sql`delete from app.affiliations where id = any (${made}::uuid[]) and version = 1 returning 1`.execute(db))
    case 'addToGroup':
      return (await takeBackPeople(db, made)).length
  }
}

/** What somebody may no longer change, or nobody, stays as it is. */
const mayRevert = (change: BulkChange): RawBuilder<boolean> =>
  change.do === 'lifecycle'
    ? sql`(${isLasting} and ${mayWrite} and (${mayDecide} or (p.lifecycle <> 'deceased' and coalesce(e.before ->> 'lifecycle', '') not in ('former', 'deceased')))
        and not (${isMyself} and e.before ->> 'lifecycle' = 'deceased'))`
    : change.do === 'archive'
      ? sql`(${isOpen} and ${mayDecide})`
      : isOpen

const count = ({ rows }: { rows: unknown[] }) => rows.length
