import type { ActorDb } from '@guildhall/db'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { findPerson } from '../people.queries.ts'
import { isOneself, showInPublic, shownInPublic } from './people.names.queries.ts'

const { people } = data

/** Nobody agrees for somebody else. */
async function mustBeOneself(db: ActorDb, personId: string): Promise<void> {
  mustFind(await findPerson(db, personId))
  if (!(await isOneself(db, personId))) throw problem('FORBIDDEN')
}

export const publicNames = {
  publicName: people.publicName.handler(({ input: { personId }, context }) =>
    context.inTx(async (db) => {
      await mustBeOneself(db, personId)
      return shownInPublic(db, personId)
    }),
  ),
  setPublicName: people.setPublicName.handler(({ input: { personId, ...agreed }, context }) =>
    context.inTx(async (db) => {
      await mustBeOneself(db, personId)
      await showInPublic(db, context.actor.orgId, personId, agreed)
      return shownInPublic(db, personId)
    }),
  ),
}
