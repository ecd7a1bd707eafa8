import { listPage } from '../../platform/lists/list-page.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { endGrant, findGrant, grantOverlaps, grantsList, insertGrant, missingOf, updateGrant } from './account.grants.queries.ts'

const { account } = data

export const grants = account.grants.router({
  list: account.grants.list.handler(({ input, context }) => listPage(context, grantsList(input), input)),

  add: account.grants.add.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const field = await missingOf(db, input)
      if (field) throw problem('UNPROCESSABLE_CONTENT', fault(field, 'record_not_found', 'There is no such record.'))
      if (input.startsOn && input.endsOn && input.endsOn < input.startsOn) throw datesFault()
      if (await grantOverlaps(db, input)) {
        throw problem('CONFLICT', {
          reason: 'duplicate_grant',
          detail: 'The account has this role here in that time already; change its dates instead.',
        })
      }
      return mustFind(await findGrant(db, await insertGrant(db, context.actor, input)))
    }),
  ),

  update: account.grants.update.handler(({ input: { grantId, ...change }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findGrant(db, grantId))
      const endsOn = change.endsOn === undefined ? before.endsOn : change.endsOn
      if (endsOn !== null && endsOn < (change.startsOn ?? before.startsOn)) throw datesFault()
      return updateGrant(db, grantId, context.ifMatch, change)
    }),
  ),

  end: account.grants.end.handler(({ input: { grantId }, context }) =>
    context.inTx(async (db) => {
      if (await endGrant(db, grantId)) return
      const grant = mustFind(await findGrant(db, grantId))
      throw grant.when === 'past' ? problem('CONFLICT', { reason: 'ended', detail: 'This grant is over already.' }) : problem('FORBIDDEN')
    }),
  ),
})

function datesFault() {
  return problem('UNPROCESSABLE_CONTENT', fault('endsOn', 'dates', 'The last day cannot be before the first.'))
}
