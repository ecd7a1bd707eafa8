import { fault, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { mustTouch } from '../../platform/records/update-record.ts'
import { setRecordTags, standing } from './tags.records.queries.ts'
import { findTag, insertTag, mustFindTags, removeTag, tagsQuery, updateTag } from './tags.queries.ts'

const { tags } = data
const taken = fault('name', 'tag_name_taken', 'There is already a tag with this name.')

/** Tags, and which records carry them. */
export const tagsData = tags.router({
  list: tags.list.handler(async ({ context }) => {
    const [row] = await context.read(tagsQuery())
    return { items: row?.items ?? [] }
  }),
  create: tags.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const id = await insertTag(db, context.actor.orgId, input)
      const tag = id && (await findTag(db, id))
      if (!tag) throw problem('CONFLICT', taken)
      return tag
    }),
  ),
  update: tags.update.handler(({ input: { tagId, ...change }, context }) =>
    context
      .inTx((db) => updateTag(db, tagId, change))
      .catch((error: unknown) => {
        throw error instanceof Error && 'constraint' in error && error.constraint === 'tags_org_id_name_key_key'
          ? problem('CONFLICT', taken)
          : error
      }),
  ),
  remove: tags.remove.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustTouch(await removeTag(db, input.tagId), () => findTag(db, input.tagId))
    }),
  ),
  set: tags.set.handler(({ input: { recordType, recordId, tagIds }, context }) =>
    context.inTx(async (db) => {
      const record = { type: recordType, id: recordId }
      const found = await standing(db, record)
      if (!found.seen) throw problem('NOT_FOUND')
      if (!found.mayChange) throw problem('FORBIDDEN')
      await mustFindTags(db, tagIds)
      return { tags: await setRecordTags(db, context.actor.orgId, record, tagIds) }
    }),
  ),
})
