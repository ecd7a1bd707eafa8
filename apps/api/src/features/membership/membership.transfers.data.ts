import type { Transfer } from '@guildhall/contract/features/membership'
import type { ActorDb } from '@guildhall/db'
import { listPage } from '../../platform/lists/list-page.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { readOne } from '../../platform/records/statement.ts'
import { mustTouch } from '../../platform/records/update-record.ts'
import { chapterStatus, lifecycleOf } from './membership.queries.ts'
import {
  answerTransfer,
  askerQuery,
  findTransfer,
  ownPerson,
  requestTransfer,
  tellOfTransfer,
  transfersList,
  transfersOfPersonQuery,
  withdrawTransfer,
} from './membership.transfers.queries.ts'

const { transfers } = data.membership

export const transfersData = transfers.router({
  list: transfers.list.handler(({ input, context }) => listPage(context, transfersList(input), input)),

  ofPerson: transfers.ofPerson.handler(async ({ input, context }) => {
    const { mayRequest } = await readOne(context, askerQuery(input.personId))
    return { items: (await context.read(transfersOfPersonQuery(input.personId))).map(({ item }) => item), may: { request: mayRequest } }
  }),

  request: transfers.request.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const personId = input.personId ?? mustFind(await ownPerson(db))
      if (!(await lifecycleOf(db, personId)))
        throw problem('UNPROCESSABLE_CONTENT', fault('personId', 'person_not_found', 'There is no such person.'))
      if ((await chapterStatus(db, input.toChapterId)) === undefined)
        throw problem('UNPROCESSABLE_CONTENT', fault('toChapterId', 'chapter_not_found', 'There is no such chapter.'))
      const transferId = await requestTransfer(db, { ...input, personId })
      const made = mustFind(await findTransfer(db, transferId))
      await tellOfTransfer(db, transferId, made.state)
      return made
    }),
  ),

  approve: transfers.approve.handler(({ input, context }) =>
    context.inTx((db) =>
      done(db, input.transferId, context.ifMatch, () => answerTransfer(db, input.transferId, true, '', context.ifMatch)),
    ),
  ),
  reject: transfers.reject.handler(({ input, context }) =>
    context.inTx((db) =>
      done(db, input.transferId, context.ifMatch, () => answerTransfer(db, input.transferId, false, input.reason, context.ifMatch), {
        state: 'rejected',
        reason: input.reason,
      }),
    ),
  ),
  withdraw: transfers.withdraw.handler(({ input, context }) =>
    context.inTx((db) => done(db, input.transferId, context.ifMatch, () => withdrawTransfer(db, input.transferId, context.ifMatch))),
  ),
})

/** One step of a transfer. Once it is over, a chapter may see nothing more of the person: the answer then is what it saw last. */
async function done(
  db: ActorDb,
  transferId: string,
  version: number,
  step: () => Promise<boolean>,
  over: Partial<Transfer> = { state: 'completed' },
): Promise<Transfer> {
  const read = () => findTransfer(db, transferId)
  const before = mustFind(await read())
  await mustTouch(await step(), read, version)
  const now = (await read()) ?? { ...before, ...over, may: { approve: false, reject: false, withdraw: false }, version: version + 1 }
  await tellOfTransfer(db, transferId, now.state)
  return now
}
