import type { ActorDb } from '@guildhall/db'
import { fault, problem } from '../../platform/procedures/problem.ts'

/** A group that something refers to must be there for the caller; null and nothing refer to none. */
export async function mustSeeGroup(db: ActorDb, groupId: string | null | undefined, path = 'groupId'): Promise<void> {
  if (!groupId) return
  if (await db.selectFrom('app.groups').select('id').where('id', '=', groupId).executeTakeFirst()) return
  throw problem('UNPROCESSABLE_CONTENT', fault(path, 'event_group_not_found', 'There is no such group.'))
}
