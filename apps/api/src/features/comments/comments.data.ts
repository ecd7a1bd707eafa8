import { mentionedIn } from '@guildhall/contract/formatted-document'
import { mustSeeMentioned } from '../../platform/formatted-text/mentions.ts'
import { listPage } from '../../platform/lists/list-page.ts'
import { mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { readOne } from '../../platform/records/statement.ts'
import { tellOfComment } from './comments.jobs.ts'
import {
  changeComment,
  commentOf,
  commentQuery,
  commentsList,
  findComment,
  insertComment,
  now,
  recordQuery,
  recordThere,
} from './comments.queries.ts'

const { comments } = data

export const commentsData = comments.router({
  list: comments.list.handler(async ({ input: { recordType, recordId, parentId, ...page }, context }) => {
    const found = await listPage(context, commentsList(recordType, recordId, parentId), page)
    // Of a record that is not there, nothing can be told.
    if (found.items.length === 0) await readOne(context, recordQuery(recordType, recordId))
    return { ...found, items: found.items.map(commentOf) }
  }),

  get: comments.get.handler(async ({ input, context }) => commentOf((await readOne(context, commentQuery(input.commentId))).item)),

  create: comments.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      if (!(await recordThere(db, input.recordType, input.recordId))) throw problem('NOT_FOUND')
      await mustSeeMentioned(db, 'body', input.body)
      const commentId = await insertComment(db, context.actor, input)
      const mentioned = mentionedIn(input.body)
      await tellOfComment(context.services.jobs, db, context.actor, { commentId, mentioned, isAnswer: input.parentId !== undefined })
      return mustFind(await findComment(db, commentId))
    }),
  ),

  update: comments.update.handler(({ input: { commentId, body }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findComment(db, commentId))
      if (!before.mine) throw problem('FORBIDDEN')
      if (before.deleted) throw problem('NOT_FOUND')
      await mustSeeMentioned(db, 'body', body, before.body ?? undefined)
      const known = new Set(before.body && mentionedIn(before.body))
      const mentioned = mentionedIn(body).filter((id) => !known.has(id))
      const changed = await changeComment(db, commentId, { body, edited_at: now }, context.ifMatch)
      await tellOfComment(context.services.jobs, db, context.actor, { commentId, mentioned })
      return changed
    }),
  ),

  remove: comments.remove.handler(({ input: { commentId }, context }) =>
    context.inTx(async (db) => {
      await mustBeMine(db, commentId)
      await changeComment(db, commentId, { deleted_at: now })
    }),
  ),

  restore: comments.restore.handler(({ input: { commentId }, context }) =>
    context.inTx(async (db) => {
      await mustBeMine(db, commentId)
      return changeComment(db, commentId, { deleted_at: null })
    }),
  ),

  hide: comments.hide.handler(({ input: { commentId, reason }, context }) =>
    context.inTx((db) => changeComment(db, commentId, { hidden_at: now, hidden_reason: reason }, context.ifMatch)),
  ),

  show: comments.show.handler(({ input: { commentId }, context }) =>
    context.inTx((db) => changeComment(db, commentId, { hidden_at: null, hidden_reason: null }, context.ifMatch)),
  ),
})

/** Said before the database refuses it, since whoever looks after the record may change other things of the comment. */
async function mustBeMine(db: Parameters<typeof findComment>[0], commentId: string): Promise<void> {
  const { mine } = mustFind(await findComment(db, commentId))
  if (!mine) throw problem('FORBIDDEN')
}
