import type { ActorDb } from '@guildhall/db'
import { listPage } from '../../platform/lists/list-page.ts'
import { problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { untouched } from '../../platform/procedures/stale.ts'
import { endGrant, findGrant, grantOverlaps, grantsList, insertGrant, missingOf, updateGrant } from './account.grants.queries.ts'

const { account } = data

export const grants = account.grants.router({
  list: account.grants.list.handler(({ input, context }) => listPage(context, grantsList(input), input)),

  add: account.grants.add.handler(({ input, context, errors }) =>
    context.inTx(async (db) => {
      const field = await missingOf(db, input)
      if (field) {
        const message = 'There is no such record.'
        throw errors.UNPROCESSABLE_CONTENT({
          data: { reason: 'not_found', detail: message, errors: [{ path: field, code: 'not_found', message }] },
        })
      }
      if (input.startsOn && input.endsOn && input.endsOn < input.startsOn) throw datesFault()
      if (await grantOverlaps(db, input)) {
        throw errors.CONFLICT({
          data: { reason: 'duplicate_grant', detail: 'The account has this role here in that time already; change its dates instead.' },
        })
      }
      return found(db, await insertGrant(db, context.actor, input))
    }),
  ),

  update: account.grants.update.handler(({ input: { grantId, ...change }, context }) =>
    context.inTx(async (db) => {
      const before = await found(db, grantId)
      const endsOn = change.endsOn === undefined ? before.endsOn : change.endsOn
      if (endsOn !== null && endsOn < (change.startsOn ?? before.startsOn)) throw datesFault()
      if (Object.keys(change).length > 0 && !(await updateGrant(db, grantId, context.ifMatch, change)))
        throw untouched(await found(db, grantId), context.ifMatch)
      return found(db, grantId)
    }),
  ),

  end: account.grants.end.handler(({ input: { grantId }, context, errors }) =>
    context.inTx(async (db) => {
      if (await endGrant(db, grantId)) return
      const grant = await found(db, grantId)
      throw grant.when === 'past'
        ? errors.CONFLICT({ data: { reason: 'ended', detail: 'This grant is over already.' } })
        : errors.FORBIDDEN()
    }),
  ),
})

async function found(db: ActorDb, grantId: string) {
  const grant = await findGrant(db, grantId)
  if (!grant) throw problem('NOT_FOUND')
  return grant
}

function datesFault() {
  const message = 'The last day cannot be before the first.'
  return problem('UNPROCESSABLE_CONTENT', { reason: 'dates', detail: message, errors: [{ path: 'endsOn', code: 'dates', message }] })
}
