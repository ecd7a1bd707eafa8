import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { mustTouch } from '../../../platform/records/update-record.ts'
import { archivedFault, refuseClosed, sayingFields } from '../people.faults.rules.ts'
import { findPerson } from '../people.queries.ts'
import { countTags, findTag, insertTag, removeTag, setTags, tagsQuery, updateTag } from './people.tags.queries.ts'

const { people } = data
const taken = fault('name', 'tag_name_taken', 'There is already a tag with this name.')

/** Tags, and who carries them. */
export const tagging = {
  setTags: people.setTags.handler(({ input: { personId, tagIds }, context }) =>
    context.inTx(async (db) => {
      const person = mustFind(await findPerson(db, personId))
      refuseClosed(person)
      if (!person.may.edit) throw problem('FORBIDDEN')
      if (person.archivedAt) throw problem('CONFLICT', archivedFault)
      if ((await countTags(db, tagIds)) !== new Set(tagIds).size) {
        throw problem('UNPROCESSABLE_CONTENT', fault('tagIds', 'tag_not_found', 'One of the tags is not there any more.'))
      }
      return { tags: await setTags(db, context.actor.orgId, personId, tagIds) }
    }),
  ),

  tags: {
    list: people.tags.list.handler(async ({ context }) => {
      const [row] = await context.read(tagsQuery())
      return { items: row?.items ?? [] }
    }),
    create: people.tags.create.handler(({ input, context }) =>
      context.inTx(async (db) => {
        const id = await insertTag(db, context.actor.orgId, input)
        const tag = id && (await findTag(db, id))
        if (!tag) throw problem('CONFLICT', taken)
        return tag
      }),
    ),
    update: people.tags.update.handler(({ input: { tagId, ...change }, context }) =>
      sayingFields(() => context.inTx((db) => updateTag(db, tagId, change))),
    ),
    remove: people.tags.remove.handler(({ input, context }) =>
      context.inTx(async (db) => {
        await mustTouch(await removeTag(db, input.tagId), () => findTag(db, input.tagId))
      }),
    ),
  },
}
