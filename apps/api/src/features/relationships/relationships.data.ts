import type { Relationship } from '@guildhall/contract/features/relationships'
import type { ActorDb } from '@guildhall/db'
import { listPage } from '../../platform/lists/list-page.ts'
import { mustFind } from '../../platform/procedures/problem.ts'
import type { CallerContext } from '../../platform/procedures/context.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { readOne } from '../../platform/records/statement.ts'
import { mustTouch } from '../../platform/records/update-record.ts'
import { linesData } from './lines/relationships.lines.data.ts'
import { familyQuery, graphQuery } from './relationships.graph.queries.ts'
import {
  answerRelationship,
  changeRelationship,
  endRelationship,
  findRelationship,
  proposeRelationship,
  relationshipQuery,
  relationshipsList,
  reopenRelationship,
  rightsQuery,
  tellOfRelationship,
  verifyRelationship,
  withRights,
} from './relationships.queries.ts'
import type { Stored } from './relationships.queries.ts'
import { relationshipTypesData } from './relationships.types.data.ts'

const { relationships } = data

export const relationshipsData = relationships.router({
  ...relationshipTypesData,
  lines: linesData,

  list: relationships.list.handler(async ({ input, context }) => {
    const found = await listPage(context, relationshipsList(input), input)
    return { ...found, items: await mayWithEach(context, found.items) }
  }),
  get: relationships.get.handler(async ({ input, context }) => {
    const { item } = await readOne(context, relationshipQuery(input.relationshipId))
    return mustFind((await mayWithEach(context, [item]))[0])
  }),
  graph: relationships.graph.handler(async ({ input, context }) => (await readOne(context, graphQuery(input.personId))).graph),
  family: relationships.family.handler(async ({ context }) => ({ items: (await context.read(familyQuery)).map(({ item }) => item) })),

  create: relationships.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const id = await proposeRelationship(db, input)
      const made = mustFind(await findRelationship(db, id))
      if (made.state === 'proposed') await tellOfRelationship(db, id, 'relationship-request')
      return made
    }),
  ),
  update: relationships.update.handler(({ input: { relationshipId, ...change }, context }) =>
    context.inTx((db) => done(db, relationshipId, context.ifMatch, (version) => changeRelationship(db, relationshipId, change, version))),
  ),
  accept: relationships.accept.handler(({ input: { relationshipId }, context }) =>
    context.inTx((db) => answered(db, relationshipId, true, context.ifMatch)),
  ),
  reject: relationships.reject.handler(({ input: { relationshipId }, context }) =>
    context.inTx((db) => answered(db, relationshipId, false, context.ifMatch)),
  ),
  verify: relationships.verify.handler(({ input: { relationshipId }, context }) =>
    context.inTx((db) => done(db, relationshipId, context.ifMatch, (version) => verifyRelationship(db, relationshipId, version))),
  ),
  end: relationships.end.handler(({ input: { relationshipId, endsOn }, context }) =>
    context.inTx((db) => done(db, relationshipId, context.ifMatch, (version) => endRelationship(db, relationshipId, endsOn, version))),
  ),
  reopen: relationships.reopen.handler(({ input: { relationshipId }, context }) =>
    context.inTx(async (db) => {
      const again = await done(db, relationshipId, context.ifMatch, (version) => reopenRelationship(db, relationshipId, version))
      if (again.state === 'proposed' && !again.may.answer) await tellOfRelationship(db, relationshipId, 'relationship-request')
      return again
    }),
  ),
})

async function mayWithEach(context: CallerContext, items: readonly Stored[]): Promise<Relationship[]> {
  return items.length === 0 ? [] : withRights(items, await context.read(rightsQuery(items.map(({ id }) => id))))
}

/** One step of a relationship that the caller sees, from the version that they saw. */
async function done(db: ActorDb, id: string, version: number, step: (version: number) => Promise<boolean>): Promise<Relationship> {
  const read = () => findRelationship(db, id)
  mustFind(await read())
  await mustTouch(await step(version), read, version)
  return mustFind(await read())
}

async function answered(db: ActorDb, id: string, agreed: boolean, version: number): Promise<Relationship> {
  const now = await done(db, id, version, (known) => answerRelationship(db, id, agreed, known))
  await tellOfRelationship(db, id, 'relationship-answer')
  return now
}
