import * as z from 'zod'
import { act, del, get, patch, post } from '../base.ts'
import { FormattedText, formattedText } from '../formatted-text.ts'
import { Cursor, Id, Instant, Limit, PersonRef, Version, page, text } from '../shapes.ts'

const tag = 'Comments'

/** Records that can be commented on. */
export const CommentedType = z.enum(['group'])
export type CommentedType = z.infer<typeof CommentedType>

/** How many characters a comment may have. */
export const commentLimit = 10_000

export const Comment = z.object({
  id: Id,
  parentId: Id.nullable().describe('The comment that it answers'),
  author: PersonRef.nullable().describe('Null when it is not yours to see, or gone'),
  body: FormattedText.nullable().describe('Null when it was deleted, or hidden from you'),
  createdAt: Instant,
  editedAt: Instant.nullable(),
  deleted: z.boolean(),
  hidden: z.object({ at: Instant, reason: z.string() }).nullable().describe('By those who look after the record'),
  replies: z.int(),
  mine: z.boolean(),
  may: z.object({ edit: z.boolean(), moderate: z.boolean().describe('Hide it, or show it again') }),
  version: Version,
})
export type Comment = z.infer<typeof Comment>

const OnRecord = { recordType: CommentedType, recordId: Id }
const OneComment = z.strictObject({ commentId: Id })
const body = formattedText(commentLimit, 1)
const bodyExample = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'See you on Tuesday.' }] }] }

export const commentsData = {
  list: get('/comments', 'listComments', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Comments on a record, the newest first; or the answers to one of them, the oldest first',
  })
    .input(z.strictObject({ ...OnRecord, parentId: Id.optional(), cursor: Cursor.optional(), limit: Limit.optional() }))
    .output(page(Comment)),
  get: get('/comments/{commentId}', 'getComment', { needs: 'signed-in', whileActing: true, tag, summary: 'A comment' })
    .input(OneComment)
    .output(Comment),
  create: post('/comments', 'createComment', { needs: 'signed-in', tag, summary: 'Comment on a record, or answer a comment' })
    .input(
      z
        .strictObject({ ...OnRecord, parentId: Id.optional(), body })
        .meta({ examples: [{ recordType: 'group', recordId: '01920000-0000-7000-8000-000000000003', body: bodyExample }] }),
    )
    .output(Comment),
  update: patch('/comments/{commentId}', 'updateComment', {
    needs: 'signed-in',
    tag,
    summary: 'Change your own comment; it is marked as edited',
  })
    .input(OneComment.extend({ body }).meta({ examples: [{ body: bodyExample }] }))
    .output(Comment),
  remove: del('/comments/{commentId}', 'removeComment', { needs: 'signed-in', tag, summary: 'Delete your own comment; answers to it stay' })
    .input(OneComment)
    .output(z.void()),
  restore: post('/comments/{commentId}/restore', 'restoreComment', {
    needs: 'signed-in',
    tag,
    status: 200,
    summary: 'Bring your own deleted comment back',
  })
    .input(OneComment)
    .output(Comment),
  hide: act('/comments/{commentId}/hide', 'hideComment', {
    needs: 'signed-in',
    tag,
    summary: 'Hide somebody’s comment on a record that you look after, with the reason',
  })
    .input(OneComment.extend({ reason: text(300, 1) }).meta({ examples: [{ reason: 'Not about this group.' }] }))
    .output(Comment),
  show: act('/comments/{commentId}/show', 'showComment', { needs: 'signed-in', tag, summary: 'Show a hidden comment again' })
    .input(OneComment)
    .output(Comment),
}
