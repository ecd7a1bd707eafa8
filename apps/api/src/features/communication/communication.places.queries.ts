import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { fault, problem } from '../../platform/procedures/problem.ts'
import { mustSeeChapter } from '../chapters/chapters.references.public.ts'

// What belongs to the organisation, a chapter or a group has the columns `chapter_id` and `group_id`, of which one is set at most.

type Place = { chapterId?: string | null | undefined; groupId?: string | null | undefined }

/** Mirrors the policies, to say what to offer; they decide. The argument is the table's alias in the statement. */
export const holdsMessages = (permission: 'messages.write' | 'messages.send', alias: string): RawBuilder<SqlBool> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`((select app.everywhere(${permission})) or coalesce(${column('chapter_id')} = any ((select app.scope(${permission}))::uuid[]), false)
    or coalesce(${column('group_id')} = any ((select app.message_groups(${permission}))::uuid[]), false))`
}

/** Whether the caller writes messages of any place. */
export const writesSomewhere = sql<boolean>`((select app.everywhere('messages.write')) or (select app.scope('messages.write')) <> '{}'
  or (select app.group_scope('messages.write')) <> '{}')`

/** The chapter or group of a message must be there for the caller. */
export async function mustSeePlace(db: ActorDb, { chapterId, groupId }: Place): Promise<void> {
  await mustSeeChapter(db, chapterId)
  if (!groupId) return
  if (await db.selectFrom('app.groups').select('id').where('id', '=', groupId).executeTakeFirst()) return
  throw problem('UNPROCESSABLE_CONTENT', fault('groupId', 'group_not_found', 'There is no such group.'))
}
