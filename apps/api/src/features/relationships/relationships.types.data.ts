import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { archiveType, findType, insertType, typesQuery, updateType } from './relationships.types.queries.ts'

const { relationships } = data

/** Types are few, and everybody may read how they are called. */
export const relationshipTypesData = {
  types: relationships.types.handler(async ({ input: { archived }, context }) => ({
    items: (await context.read(typesQuery(archived))).map(({ item }) => item),
  })),
  createType: relationships.createType.handler(({ input, context }) =>
    context.inTx(async (db) => {
      mustBeAgreedTo(input)
      return mustFind(await findType(db, await insertType(db, context.actor, input)))
    }),
  ),
  updateType: relationships.updateType.handler(({ input: { relationshipTypeId, ...change }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findType(db, relationshipTypeId))
      mustBeAgreedTo({ grants: change.grants ?? before.grants, approval: change.approval ?? before.approval })
      return updateType(db, { relationshipTypeId, version: context.ifMatch }, change)
    }),
  ),
  archiveType: relationships.archiveType.handler(({ input, context }) =>
    context.inTx((db) => archiveType(db, { ...input, version: context.ifMatch }, true)),
  ),
  restoreType: relationships.restoreType.handler(({ input, context }) =>
    context.inTx((db) => archiveType(db, { ...input, version: context.ifMatch }, false)),
  ),
}

function mustBeAgreedTo({ grants, approval }: { grants: string; approval: string }): void {
  if (grants !== 'none' && approval === 'none')
    throw problem(
      'UNPROCESSABLE_CONTENT',
      fault('approval', 'relationship_grant_unapproved', 'What opens a record to somebody else needs somebody to agree.'),
    )
}
