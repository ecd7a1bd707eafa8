import type { CommentedType } from '@guildhall/contract/features/comments'
import type { NotificationKindName } from '@guildhall/contract/features/notifications'
import type { Actor, ActorDb } from '@guildhall/db'
import { jobActor } from '../../platform/jobs/job-progress.ts'
import type { JobHandler, Jobs } from '../../platform/jobs/jobs.ts'
import { accountsOf, notify } from '../../platform/notify.ts'
import type { Told } from '../../platform/notify.ts'
import type { Services } from '../../platform/services.ts'
import { commentQuery, findSaid } from './comments.queries.ts'

/** Tells whom a comment mentions, and whose comment it answers, once the caller's transaction has committed. */
export async function tellOfComment(
  jobs: Jobs,
  db: ActorDb,
  { orgId, accountId }: Actor,
  { commentId, mentioned, isAnswer = false }: { commentId: string; mentioned: readonly string[]; isAnswer?: boolean },
): Promise<void> {
  if (mentioned.length === 0 && !isAnswer) return
  await jobs.send(db, 'comments', { orgId, accountId, commentId, mentioned: mentioned.join(','), ...(isAnswer && { answer: 'yes' }) })
}

const aboutRecord = { group: (groupId) => ({ groupId }) } satisfies Record<CommentedType, (id: string) => Told['about']>

/** Each is told only if they can read the comment by then; nobody of what they wrote themselves. */
export const commentNotices =
  ({ database, log }: Services): JobHandler =>
  async ({ orgId = '', accountId = '', commentId = '', mentioned = '', answer = '' }) => {
    const author = await jobActor(database, orgId, accountId)
    const said = author && (await database.asActor(author, (db) => findSaid(db, commentId)))
    if (!said) return log.info({ comment: commentId }, 'a comment is told to nobody: it is gone, or its author may no longer act')
    const kinds = new Map<string, NotificationKindName>()
    if (answer && said.answeredAccountId) kinds.set(said.answeredAccountId, 'comment-reply')
    const people = mentioned.split(',').filter(Boolean)
    for (const account of await database.withoutActor((db) => accountsOf(db, orgId, people))) kinds.set(account, 'comment-mention')
    for (const [account, kind] of kinds) {
      const reader = await jobActor(database, orgId, account)
      const [found] = reader ? await database.read(reader, commentQuery(commentId)) : []
      if (!found?.item.comment.body) continue
      const about = {
        ...(said.authorId && { personId: said.authorId }),
        ...aboutRecord[said.recordType](said.recordId),
        recordId: commentId,
      }
      await database.asActor(author, (db) => notify(db, { kind, to: { accountId: account }, about, dedupeKey: `${kind}:${commentId}` }))
    }
  }
