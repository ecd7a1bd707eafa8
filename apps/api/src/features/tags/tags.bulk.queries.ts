import type { TaggedType } from '@guildhall/contract/features/lists'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { keepEffects } from '../../platform/lists/bulk-effects.ts'
import type { BulkEffect } from '../../platform/lists/bulk-effects.ts'
import type { BulkWork } from '../../platform/lists/bulk.ts'
import { fault, problem } from '../../platform/procedures/problem.ts'
import { countTags } from './tags.queries.ts'

// Tagging many records of a list, whatever the list.

type Tagging = { do: 'tag' | 'untag'; tagId: string }

export async function mustFindBulkTag(db: ActorDb, tagId: string): Promise<void> {
  if ((await countTags(db, [tagId])) === 0)
    throw problem('UNPROCESSABLE_CONTENT', fault('change.tagId', 'tag_not_found', 'There is no such tag.'))
}

const carries = (type: TaggedType, id: RawBuilder<unknown>, tagId: string) => sql<SqlBool>`exists (select from app.record_tags rt
  where rt.record_type = ${sql.lit(type)} and rt.record_id = ${id} and rt.tag_id = ${tagId})`

/** Records that the change would make different. */
export const taggingDiffers = (type: TaggedType, id: RawBuilder<unknown>, change: Tagging): RawBuilder<SqlBool> =>
  change.do === 'tag' ? sql<SqlBool>`not ${carries(type, id, change.tagId)}` : carries(type, id, change.tagId)

const add = (
  type: TaggedType,
  orgId: string,
  tagId: string,
  ids: readonly string[],
) => sql`insert into app.record_tags (org_id, record_type, record_id, tag_id)
  select ${orgId}, ${type}, x, ${tagId} from unnest(${ids}::uuid[]) x where exists (select from app.tags t where t.id = ${tagId}) on conflict do nothing returning record_id`
const remove = (type: TaggedType, tagId: string, ids: readonly string[]) =>
  sql`delete from app.record_tags where record_type = ${type} and tag_id = ${tagId} and record_id = any (${ids}::uuid[]) returning record_id`

export const applyTagging = (db: ActorDb, type: TaggedType, { orgId, jobId, change }: BulkWork<Tagging>, ids: readonly string[]) =>
  keepEffects(db, { orgId, jobId }, change.do === 'tag' ? add(type, orgId, change.tagId, ids) : remove(type, change.tagId, ids))

/** `ids` are those that the caller may still change. */
export async function revertTagging(
  db: ActorDb,
  type: TaggedType,
  { orgId, change }: BulkWork<Tagging>,
  ids: readonly string[],
): Promise<number> {
  const { rows } = await (change.do === 'tag' ? remove(type, change.tagId, ids) : add(type, orgId, change.tagId, ids)).execute(db)
  return rows.length
}

export const recordsOf = (effects: readonly BulkEffect[]) => effects.map(({ recordId }) => recordId)
