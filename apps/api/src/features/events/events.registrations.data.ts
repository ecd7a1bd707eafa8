import type { Answer, Event, NewRegistration, Registration } from '@guildhall/contract/features/events'
import type { ActorDb } from '@guildhall/db'
import { readFilter } from '../../platform/lists/filters.ts'
import { listPage } from '../../platform/lists/list-page.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { readOne } from '../../platform/records/statement.ts'
import { eventQuery, findEvent } from './events.queries.ts'
import { invoicesChanged } from '../payments/payments.settling.public.ts'
import {
  acceptOffer,
  answerRegistration,
  cancelRegistration,
  decideRegistration,
  differencesQuery,
  findRegistration,
  ledgerList,
  offerRegistration,
  personThere,
  priceQuery,
  refundsList,
  register,
  registrationQuery,
  registrationsOfPerson,
  standingQuery,
  nameOfPerson,
  transferRegistration,
} from './events.registrations.queries.ts'
import { registrationsList } from './attendees/events.attendees.queries.ts'
import type { Coded } from './events.registrations.queries.ts'
import { refundRegistration } from './refunds/events.refunds.queries.ts'
import { faultOfAnswers } from './events.registrations.rules.ts'
import { ticketCode } from './events.tickets.rules.ts'

const { events } = data

export type Issuing = { actor: { orgId: string }; services: { config: { ACTOR_KEY: string } } }

/** The code stands on tickets of people who have a seat, and for nobody else who sees the registration. */
export function coded({ actor, services }: Issuing, { ticketVersion, ...item }: Coded<Registration>): Registration {
  const issuer = { secret: services.config.ACTOR_KEY, orgId: actor.orgId }
  const isSeated = item.status === 'confirmed' || item.status === 'checked_in'
  return {
    ...item,
    ticketCode: isSeated && ticketVersion !== null ? ticketCode(issuer, { registrationId: item.id, version: ticketVersion }) : null,
  }
}

type Acting = Issuing & { inTx<T>(run: (db: ActorDb) => Promise<T>): Promise<T> }
/** Does something with a registration that the caller sees, and answers it as it is then. */
const change = (context: Acting, registrationId: string, act: (db: ActorDb, before: Coded<Registration>) => Promise<unknown>) =>
  context.inTx(async (db) => {
    await act(db, mustFind(await findRegistration(db, registrationId)))
    return coded(context, mustFind(await findRegistration(db, registrationId)))
  })

const givenAway = {
  ticketVersion: null,
  may: { cancel: false, transfer: false, answerOffer: false, decide: false, offer: false, checkIn: false, answer: false },
}

export const registrations = events.registrations.router({
  // Seats are held while this transaction lasts, and everybody else who wants one waits: it does nothing but register.
  create: events.registrations.create.handler(async ({ input: { eventId, ...wanted }, context }) => {
    checkAnswers((await readOne(context, eventQuery(eventId))).event, wanted)
    const done = await context.inTx(async (db) => {
      await checkPerson(db, wanted.personId)
      return register(db, eventId, wanted)
    })
    const { item } = await readOne(context, registrationQuery(done.existing ?? done.ids[0] ?? ''))
    if (done.existing === undefined) return coded(context, item)
    throw problem('CONFLICT', {
      reason: 'registration_exists',
      detail: 'This person is already registered for this event.',
      current: coded(context, item),
    })
  }),
  price: events.registrations.price.handler(async ({ input: { eventId, ...wanted }, context }) => {
    await readOne(context, standingQuery(eventId))
    await context.inTx((db) => checkPerson(db, wanted.personId))
    return (await readOne(context, priceQuery(eventId, wanted))).price
  }),
  list: events.registrations.list.handler(async ({ input, context }) => {
    await readOne(context, standingQuery(input.eventId))
    const { items, ...page } = await listPage(context, registrationsList({ ...input, filter: readFilter(input.filter) }), input)
    return { ...page, items: items.map((item) => coded(context, item)) }
  }),
  mine: events.registrations.mine.handler(async ({ input, context }) => {
    const { items, ...page } = await listPage(context, registrationsOfPerson(input), input)
    return { ...page, items: items.map((item) => coded(context, item)) }
  }),
  get: events.registrations.get.handler(async ({ input, context }) =>
    coded(context, (await readOne(context, registrationQuery(input.registrationId))).item),
  ),

  cancel: events.registrations.cancel.handler(({ input, context }) =>
    change(context, input.registrationId, (db) => cancelRegistration(db, input.registrationId, input.reason)),
  ),
  approve: events.registrations.approve.handler(({ input, context }) =>
    change(context, input.registrationId, (db) => decideRegistration(db, input.registrationId, true)),
  ),
  reject: events.registrations.reject.handler(({ input, context }) =>
    change(context, input.registrationId, (db) => decideRegistration(db, input.registrationId, false, input.reason)),
  ),
  offer: events.registrations.offer.handler(({ input, context }) =>
    change(context, input.registrationId, (db) => offerRegistration(db, input.registrationId)),
  ),
  accept: events.registrations.accept.handler(({ input, context }) =>
    change(context, input.registrationId, (db) => acceptOffer(db, input.registrationId)),
  ),
  answer: events.registrations.answer.handler(({ input: { registrationId, answers }, context }) =>
    change(context, registrationId, async (db, before) => {
      // Whoever gave the ticket away does not answer for its new holder.
      if (before.ticketVersion === null) throw problem('FORBIDDEN')
      const { questions, may } = mustFind(await findEvent(db, before.event.id))
      const asked = questions.filter(({ ofGuests }) => before.hostId === null || ofGuests)
      const wrong = faultOfAnswers(may.edit ? optional(asked) : asked, answers, 'answers')
      if (wrong) throw problem('UNPROCESSABLE_CONTENT', wrong)
      // Answers to questions that are not asked any more stay.
      const former = before.answers.filter(({ questionId }) => !questions.some(({ id }) => id === questionId))
      await answerRegistration(db, registrationId, [...former, ...answers])
    }),
  ),
  refunds: events.registrations.refunds.handler(async ({ input, context }) => {
    const { items, ...page } = await listPage(context, refundsList(input.state), input)
    return {
      ...page,
      items: items.map(({ refundTotal, refundFailure, changedAt, mayRefund, ...seat }) => ({
        ...coded(context, seat),
        ...{ refundTotal, refundFailure, changedAt, mayRefund },
      })),
    }
  }),
  refund: events.registrations.refund.handler(({ input, context }) =>
    change(context, input.registrationId, async (db) =>
      invoicesChanged(db, context.actor.orgId, await refundRegistration(db, input.registrationId), context.settlements),
    ),
  ),
  transfer: events.registrations.transfer.handler(({ input: { registrationId, ...to }, context }) => {
    if ((to.personId === undefined) === (to.name === undefined))
      throw problem('UNPROCESSABLE_CONTENT', fault('name', 'registration_to_whom', 'Choose a person, or enter a name.'))
    return context.inTx(async (db) => {
      const before = mustFind(await findRegistration(db, registrationId))
      await checkPerson(db, to.personId)
      const name = to.personId === undefined ? to.name : await nameOfPerson(db, to.personId)
      await transferRegistration(db, registrationId, to)
      // Somebody who was given the ticket, and gives it on, is neither its buyer nor its holder any more, and does not see it.
      return coded(context, (await findRegistration(db, registrationId)) ?? { ...before, name: name ?? before.name, ...givenAway })
    })
  }),
})

export const capacity = events.capacity.handler(async ({ input, context }) => {
  const { counts, capacity: seats, mayManage } = await readOne(context, standingQuery(input.eventId))
  if (!mayManage) throw problem('FORBIDDEN')
  const page = await listPage(context, ledgerList(input.eventId, input.registrationId), input)
  const { differences } = await readOne(context, differencesQuery(input.eventId))
  return { ...page, counts, capacity: seats, differences }
})

const optional = (questions: Event['questions']) => questions.map((question) => ({ ...question, required: false }))

/** The name and address of a person are copied to the registration, so only somebody who sees them may name them. */
async function checkPerson(db: ActorDb, personId: string | undefined): Promise<void> {
  if (personId !== undefined && !(await personThere(db, personId)))
    throw problem('UNPROCESSABLE_CONTENT', fault('personId', 'person_not_found', 'There is no such person.'))
}

type Asked = { answers: Answer[]; guests: { answers: Answer[] }[]; personId?: string | undefined; name?: string | undefined }
/** Those who run the event register people without knowing all answers. */
function checkAnswers({ questions, may }: Event, { answers, guests }: Pick<NewRegistration, 'answers' | 'guests'> & Asked): void {
  const asked = may.edit ? optional(questions) : questions
  const ofGuests = asked.filter((question) => question.ofGuests)
  const wrong =
    faultOfAnswers(asked, answers, 'answers') ??
    guests.map((guest, nth) => faultOfAnswers(ofGuests, guest.answers, `guests.${nth}.answers`)).find((found) => found !== undefined)
  if (wrong) throw problem('UNPROCESSABLE_CONTENT', wrong)
}
