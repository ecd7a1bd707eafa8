import { t } from '@lingui/core/macro'
import type { Answer, NewRegistration } from '@guildhall/contract/features/events'
import { EmailAddress } from '@guildhall/contract/shapes'
import { ApiProblem } from '../../../platform/api/problem.ts'
import type { Event } from '../events-api.ts'

export type Answers = Record<string, Answer['value']>
export type Guest = { name: string; email: string; answers: Answers }
export type RegisterValues = {
  who: 'me' | 'person' | 'other'
  personId: string | null
  name: string
  email: string
  ticketTypeId: string
  answers: Answers
  guests: Guest[]
  promoCode: string
}
type Question = Omit<Event['questions'][number], 'ofGuests'>
type Ticket = Event['ticketTypes'][number]

export const noAnswer = ({ kind }: Question): Answer['value'] => (kind === 'flag' ? false : kind === 'choices' ? [] : '')
export const isAnswered = (value: Answer['value'] | undefined) =>
  typeof value === 'boolean' ? value : typeof value === 'string' ? value.trim() !== '' : (value?.length ?? 0) > 0
export const newGuest = (): Guest => ({ name: '', email: '', answers: {} })

export const soldOut = ({ quota, taken }: Ticket) => quota !== null && taken >= quota
/** Those that the reader may take: staff tickets are given out by those who run the event. */
export const ticketsFor = (event: Event) => event.ticketTypes.filter(({ audience }) => audience !== 'staff' || event.may.edit)
const canTake = (event: Event, ticket: Ticket) => (ticket.onSale || event.may.edit) && (!soldOut(ticket) || event.waitingList)

export function firstValues(event: Event): RegisterValues {
  const tickets = ticketsFor(event).filter((ticket) => canTake(event, ticket))
  const [first] = tickets.filter((ticket) => !soldOut(ticket))
  return {
    ...{ who: 'me', personId: null, name: '', email: '', answers: {}, guests: [], promoCode: '' },
    ticketTypeId: tickets.length === 1 || event.ticketTypes.length === 1 ? (first?.id ?? tickets[0]?.id ?? '') : '',
  }
}

/** Registering would only wait for a seat. */
export const waits = (event: Event, ticketTypeId: string) =>
  event.registration === 'full' || event.ticketTypes.some((ticket) => ticket.id === ticketTypeId && soldOut(ticket))

export const answersOf = (questions: readonly Question[], answers: Answers): Answer[] =>
  questions.flatMap((question) => {
    const value = answers[question.id] ?? noAnswer(question)
    return isAnswered(value) ? [{ questionId: question.id, value }] : []
  })

export const requestOf = (event: Event, values: RegisterValues): NewRegistration & { eventId: string } => ({
  eventId: event.id,
  ...(values.ticketTypeId && { ticketTypeId: values.ticketTypeId }),
  ...(values.who === 'person' && values.personId && { personId: values.personId }),
  ...(values.who === 'other' && { name: values.name.trim(), ...(values.email.trim() && { email: values.email.trim() }) }),
  answers: answersOf(event.questions, values.answers),
  guests: values.guests.map(({ name, email, answers }) => ({
    name: name.trim(),
    email: email.trim(),
    answers: answersOf(
      event.questions.filter(({ ofGuests }) => ofGuests),
      answers,
    ),
  })),
  ...(values.promoCode.trim() && { promoCode: values.promoCode.trim() }),
})

export const isAddress = (text: string) => EmailAddress.safeParse(text).success
type Fault = [path: string, words: string]
const missing = (questions: readonly Question[], answers: Answers, path: string): Fault[] =>
  questions
    .filter((question) => question.required && !isAnswered(answers[question.id]))
    .map((question) => [`${path}.${question.id}`, question.kind === 'flag' ? t`Tick this to register.` : t`Answer this question.`])

export const answerFaults = (questions: readonly Question[], answers: Answers): Record<string, string> =>
  Object.fromEntries(missing(questions, answers, 'answers'))

/** Everything is said before it is sent. Those who run the event register others without knowing all answers. */
export const registerRules =
  (event: Event) =>
  (values: RegisterValues): Record<string, string> => {
    const questions = event.may.edit && values.who !== 'me' ? [] : event.questions
    const ofGuests = questions.filter((question) => question.ofGuests)
    const faults: Fault[] = [
      ...(ticketsFor(event).length > 0 && values.ticketTypeId === '' ? [['ticketTypeId', t`Choose a ticket.`] satisfies Fault] : []),
      ...(values.who === 'person' && !values.personId ? [['personId', t`Choose a person.`] satisfies Fault] : []),
      ...(values.who === 'other' && values.name.trim() === '' ? [['name', t`Enter a name.`] satisfies Fault] : []),
      ...(values.who === 'other' && values.email.trim() !== '' && !isAddress(values.email.trim())
        ? [['email', t`Enter an e-mail address such as kim@example.org.`] satisfies Fault]
        : []),
      ...missing(questions, values.answers, 'answers'),
      ...values.guests.flatMap((guest, nth) => [
        ...(guest.name.trim() === '' ? [[`guests.${nth}.name`, t`Enter the name of the guest.`] satisfies Fault] : []),
        ...(guest.email.trim() !== '' && !isAddress(guest.email.trim())
          ? [[`guests.${nth}.email`, t`Enter an e-mail address such as kim@example.org.`] satisfies Fault]
          : []),
        ...missing(ofGuests, guest.answers, `guests.${nth}.answers`),
      ]),
    ]
    return Object.fromEntries(faults)
  }

/** Which field a refusal is about that names none. */
const fields: Readonly<Record<string, keyof RegisterValues>> = {
  promo_code_invalid: 'promoCode',
  promo_code_used_up: 'promoCode',
  ticket_unknown: 'ticketTypeId',
  ticket_needed: 'ticketTypeId',
  ticket_audience: 'ticketTypeId',
  ticket_not_on_sale: 'ticketTypeId',
  ticket_sold_out: 'ticketTypeId',
  ticket_per_order: 'guests',
  registration_guests: 'guests',
  event_seats_left: 'guests',
  event_guests_wait: 'guests',
  person_not_found: 'personId',
}

/** The refusal with the field it is about, for the form to show there. */
export function atField(problem: unknown): unknown {
  if (!(problem instanceof ApiProblem) || problem.reason === undefined) return problem
  const path = fields[problem.reason]
  if (path === undefined) return problem
  const { status, reason, message, body, requestId } = problem
  return new ApiProblem(status, { reason, message, body, requestId, errors: [{ path, code: reason, message }] }, { cause: problem })
}
