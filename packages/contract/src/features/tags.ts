import * as z from 'zod'
import { del, get, patch, post, put } from '../base.ts'
import { Id, Instant, TagAudience, TagColor, TagRef, text } from '../shapes.ts'
import { TaggedType } from './lists.ts'

const tag = 'Tags'

/** How many records of each type that you see carry a tag; a type of which there are none may be left out. */
export const TagUses = z.partialRecord(z.enum(['person', ...TaggedType.options]), z.int())
export type TagUses = z.infer<typeof TagUses>

export const Tag = TagRef.extend({ uses: TagUses.describe('How many records that you see carry it, by type'), createdAt: Instant })
export type Tag = z.infer<typeof Tag>

export const NewTag = z.strictObject({
  name: text(60, 1),
  color: TagColor.default('gray'),
  audience: TagAudience.default('officers').describe('Officers: people who may edit people or see sensitive data'),
})

export const tagsData = {
  list: get('/tags', 'listTags', {
    needs: 'people.directory',
    whileActing: true,
    tag,
    summary: 'All tags you see with how often they are used',
  }).output(z.object({ items: z.array(Tag) })),
  create: post('/tags', 'createTag', { needs: 'people.write', tag, summary: 'Make a tag' }).input(NewTag).output(Tag),
  update: patch('/tags/{tagId}', 'updateTag', {
    needs: 'people.write',
    tag,
    ifMatch: false,
    summary: 'Rename or recolour a tag, or choose who sees it',
  })
    .input(z.strictObject({ tagId: Id, name: text(60, 1).optional(), color: TagColor.optional(), audience: TagAudience.optional() }))
    .output(Tag),
  remove: del('/tags/{tagId}', 'removeTag', { needs: 'people.write', tag, summary: 'Delete a tag and remove it from everything' })
    .input(z.strictObject({ tagId: Id }))
    .output(z.void()),
  set: put('/tagged/{recordId}', 'setRecordTags', {
    needs: 'signed-in',
    tag,
    summary: 'Let a record carry exactly these tags; needs the right to change the record',
    description: 'Tags that you do not see stay. The tags of people are set at /people/{personId}/tags.',
  })
    .input(z.strictObject({ recordType: TaggedType, recordId: Id, tagIds: z.array(Id).max(50) }))
    .output(z.object({ tags: z.array(TagRef) })),
}
