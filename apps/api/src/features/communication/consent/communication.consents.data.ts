import type { ActorDb } from '@guildhall/db'
import type { MailChoices } from '@guildhall/contract/features/communication.topics'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import {
  choicesOf,
  chooseTopic,
  preferMail,
  reachOf,
  recordConsent,
  releaseAddress,
  standingWith,
  suppressAddress,
  suppressionsOf,
  topicExists,
} from './communication.consents.queries.ts'

const { consents, suppressions } = data.communication

async function shown(db: ActorDb, personId: string): Promise<MailChoices> {
  const { mine, contact, writes } = mustFind(await standingWith(db, personId))
  if (!contact) throw problem('FORBIDDEN')
  return { ...(await choicesOf(db, personId)), may: { choose: mine, record: writes } }
}

async function mustBeOneself(db: ActorDb, personId: string) {
  if (!mustFind(await standingWith(db, personId)).mine) throw problem('FORBIDDEN')
}

async function mustFindTopic(db: ActorDb, topicId: string) {
  if (!(await topicExists(db, topicId)))
    throw problem('UNPROCESSABLE_CONTENT', fault('topicId', 'topic_not_found', 'There is no such topic.'))
}

/** What people are subscribed to. */
export const consentsData = consents.router({
  get: consents.get.handler(({ input, context }) => context.inTx((db) => shown(db, input.personId))),
  choose: consents.choose.handler(({ input: { personId, topicId, subscribed }, context }) =>
    context.inTx(async (db) => {
      await mustBeOneself(db, personId)
      if (!(await topicExists(db, topicId))) throw problem('NOT_FOUND')
      await chooseTopic(db, topicId, subscribed)
      return shown(db, personId)
    }),
  ),
  prefer: consents.prefer.handler(({ input: { personId, essentialOnly, pauseWeeks }, context }) =>
    context.inTx(async (db) => {
      await mustBeOneself(db, personId)
      await preferMail(db, essentialOnly, pauseWeeks === null ? null : new Date(Date.now() + pauseWeeks * 7 * 86_400_000))
      return shown(db, personId)
    }),
  ),
  record: consents.record.handler(({ input, context }) =>
    context.inTx(async (db) => {
      if (!mustFind(await standingWith(db, input.personId)).writes) throw problem('FORBIDDEN')
      await mustFindTopic(db, input.topicId)
      await recordConsent(db, input)
      return shown(db, input.personId)
    }),
  ),
  reach: consents.reach.handler(({ input: { personId, topicId }, context }) =>
    context.inTx(async (db) => {
      if (!mustFind(await standingWith(db, personId)).contact) throw problem('FORBIDDEN')
      if (topicId) await mustFindTopic(db, topicId)
      return reachOf(db, personId, topicId ?? null)
    }),
  ),
})

/** Addresses that get no mail. */
export const suppressionsData = suppressions.router({
  list: suppressions.list.handler(({ input, context }) => context.inTx((db) => suppressionsOf(db, input.address ?? null))),
  add: suppressions.add.handler(({ input: { address, note }, context }) =>
    context.inTx(async (db) => {
      await suppressAddress(db, address, note)
      return suppressionsOf(db, address)
    }),
  ),
  release: suppressions.release.handler(({ input: { address, note, askedByPerson }, context }) =>
    context.inTx(async (db) => {
      if (!(await releaseAddress(db, { address, note, asked: askedByPerson })))
        throw problem('UNPROCESSABLE_CONTENT', fault('address', 'address_not_suppressed', 'This address gets mail already.'))
      return suppressionsOf(db, address)
    }),
  ),
})
