import { readOne } from '../../platform/records/statement.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { organisationQuery, updateOrganisation } from './account.organisation.queries.ts'

const { organisation: procedures } = data.account

export const organisation = procedures.router({
  get: procedures.get.handler(async ({ context }) => {
    const row = await readOne(context, organisationQuery())
    return row.organisation
  }),
  update: procedures.update.handler(({ input, context }) => context.inTx((db) => updateOrganisation(db, context.ifMatch, input))),
})
