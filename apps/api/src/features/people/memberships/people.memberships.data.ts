import type { ActorDb } from '@guildhall/db'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { mustTouch } from '../../../platform/records/update-record.ts'
import { archivedFault, known, refuseClosed, sayingFields } from '../people.faults.rules.ts'
import { addMembership, chapterThere, removeMembership, updateMembership } from './people.memberships.queries.ts'
import { findMembership, findPerson, membershipsQuery } from '../people.queries.ts'

const { people } = data

/** Of a hidden person whose membership is the caller's to change, the database knows the state. */
async function checkOpen(db: ActorDb, personId: string) {
  const person = await findPerson(db, personId)
  if (person) refuseClosed(person)
}

/** Which chapters a person belongs to, from when to when. */
export const memberships = {
  memberships: people.memberships.handler(async ({ input, context }) => {
    const [row] = await context.read(membershipsQuery(input.personId))
    return { items: known(row).items }
  }),

  addMembership: people.addMembership.handler(({ input: { personId, ...membership }, context }) =>
    sayingFields(() =>
      context.inTx(async (db) => {
        const person = mustFind(await findPerson(db, personId))
        refuseClosed(person)
        if (person.archivedAt) throw problem('CONFLICT', archivedFault)
        const chapter = await chapterThere(db, membership.chapterId)
        if (!chapter) throw problem('UNPROCESSABLE_CONTENT', fault('chapterId', 'chapter_not_found', 'There is no such chapter.'))
        if (chapter.status === 'closed') throw problem('CONFLICT', fault('chapterId', 'chapter_closed', 'This chapter is closed.'))
        return mustFind(await findMembership(db, personId, await addMembership(db, context.actor.orgId, personId, membership)))
      }),
    ),
  ),

  updateMembership: people.updateMembership.handler(({ input: { personId, membershipId, ...change }, context }) =>
    sayingFields(() =>
      context.inTx(async (db) => {
        const named = { personId, membershipId }
        await checkOpen(db, personId)
        return updateMembership(db, named, context.ifMatch, change)
      }),
    ),
  ),

  removeMembership: people.removeMembership.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await checkOpen(db, input.personId)
      await mustTouch(await removeMembership(db, input), () => findMembership(db, input.personId, input.membershipId))
    }),
  ),
}
