import type { ActorDb } from '@guildhall/db'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { findPerson } from '../people.queries.ts'
import { agreedToBeNamed, agreeToBeNamed, isOneself } from './people.names.queries.ts'

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
      return { shown: await agreedToBeNamed(db, personId) }
    }),
  ),
  setPublicName: people.setPublicName.handler(({ input: { personId, shown }, context }) =>
    context.inTx(async (db) => {
      await mustBeOneself(db, personId)
      await agreeToBeNamed(db, context.actor.orgId, personId, shown)
      return { shown }
    }),
  ),
}
