import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { mustFindTags } from '../../tags/tags.public.ts'
import { archivedFault, refuseClosed } from '../people.faults.rules.ts'
import { findPerson } from '../people.queries.ts'
import { setTags } from './people.tags.queries.ts'

/** The tags that a person carries. */
export const tagging = {
  setTags: data.people.setTags.handler(({ input: { personId, tagIds }, context }) =>
    context.inTx(async (db) => {
      const person = mustFind(await findPerson(db, personId))
      refuseClosed(person)
      if (!person.may.edit) throw problem('FORBIDDEN')
      if (person.archivedAt) throw problem('CONFLICT', archivedFault)
      await mustFindTags(db, tagIds)
      return { tags: await setTags(db, context.actor.orgId, personId, tagIds) }
    }),
  ),
}
