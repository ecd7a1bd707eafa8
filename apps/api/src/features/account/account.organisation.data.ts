import { readOne } from '../../platform/records/statement.ts'
import { mustFind } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { untouched } from '../../platform/procedures/stale.ts'
import { findOrganisation, organisationQuery, updateOrganisation } from './account.organisation.queries.ts'

const { organisation: procedures } = data.account

export const organisation = procedures.router({
  get: procedures.get.handler(async ({ context }) => {
    const row = await readOne(context, organisationQuery())
    return row.organisation
  }),
  update: procedures.update.handler(({ input, context }) =>
    context.inTx(async (db) => {
      if (Object.keys(input).length > 0 && !(await updateOrganisation(db, context.ifMatch, input))) {
        throw untouched(await findOrganisation(db), context.ifMatch)
      }
      return mustFind(await findOrganisation(db))
    }),
  ),
})
