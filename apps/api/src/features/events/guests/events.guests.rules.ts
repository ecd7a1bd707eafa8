import type { Answer, EventQuestion, NewRegistration } from '@guildhall/contract/features/events'
import { NewRegistration as NewRegistrationShape } from '@guildhall/contract/features/events'
import { EmailAddress } from '@guildhall/contract/shapes'
import { hiddenIn } from '@guildhall/contract/text-rules'
import * as z from 'zod'
import type { FieldRefusal } from '../../../platform/procedures/problem.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import type { AnswersOf, GuestRefusal, ManagedRegistration, PublicEvent, PublicEventFacts } from './events.guests.queries.ts'
import { faultOfAnswers } from '../events.registrations.rules.ts'

/** When an event is, by the clocks of its place. */
export function whenOf(
  i18n: Texts,
  { startsAt, endsAt, timezone, oneDay }: Pick<PublicEventFacts, 'startsAt' | 'endsAt' | 'timezone' | 'oneDay'>,
) {
  const written = (instant: string, parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(i18n.locale, { ...parts, timeZone: timezone }).format(new Date(instant))
  const start = written(startsAt, { dateStyle: 'full', timeStyle: 'short' })
  const end = written(endsAt, oneDay ? { timeStyle: 'short' } : { dateStyle: 'full', timeStyle: 'short' })
  return i18n._('{start} to {end} ({zone})', { start, end, zone: timezone })
}

export const placeOf = ({ venueName, venueAddress }: Pick<PublicEventFacts, 'venueName' | 'venueAddress'>): string =>
  [venueName, ...venueAddress.split('\n')]
    .map((part) => part.trim())
    .filter(Boolean)
    .join(', ')

/** How a registration stands, in a sentence. */
export function guestStatusText(i18n: Texts, registration: ManagedRegistration): string {
  const { status, eventStatus, position, title, offerUntil, holdUntil, timezone, refund, total, currency } = registration
  const until = (instant: string | null) =>
    instant === null
      ? ''
      : new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'long', timeStyle: 'short', timeZone: timezone }).format(new Date(instant))
  const refunded = refund > 0 ? [i18n._('{money} will be refunded to you.', { money: i18n.money(refund, currency) })] : []
  if (eventStatus === 'cancelled') return [i18n._('{event} is cancelled.', { event: title }), ...refunded].join(' ')
  switch (status) {
    case 'confirmed':
      return i18n._('Your place at {event} is confirmed.', { event: title })
    case 'checked_in':
      return i18n._('You are checked in at {event}.', { event: title })
    case 'pending_approval':
      return i18n._('Your registration for {event} is pending approval.', { event: title })
    case 'pending_payment':
      return i18n._('Your place at {event} is held until {until}. Pay {money} by then to confirm it.', {
        ...{ event: title, until: until(holdUntil), money: i18n.money(total, currency) },
      })
    case 'waitlisted':
      return i18n._('{event} is full. You are number {position} on the waiting list.', { event: title, position: position ?? 1 })
    case 'offered':
      return i18n._('A place at {event} is yours if you accept it by {until}.', { event: title, until: until(offerUntil) })
    case 'cancelled':
      return [i18n._('Your registration for {event} is cancelled.', { event: title }), ...refunded].join(' ')
    case 'rejected':
      return i18n._('Your registration for {event} was rejected.', { event: title })
  }
}

export function refusalText(i18n: Texts, refused: GuestRefusal, left: number): string {
  switch (refused) {
    case 'registration_not_open':
      return i18n._('Registration has not opened yet.')
    case 'registration_closed':
      return i18n._('Registration has closed.')
    case 'registration_guests':
      return i18n._('You have named too many guests. Remove some.')
    case 'ticket_needed':
      return i18n._('Choose a ticket.')
    case 'registration_needs_account':
      return i18n._('This ticket has a price. Sign in to buy it.')
    case 'ticket_not_on_sale':
      return i18n._('This ticket is not on sale now. Choose another.')
    case 'ticket_per_order':
      return i18n._('This ticket is not sold in that number. Name more or fewer guests.')
    case 'promo_code_invalid':
      return i18n._('This code is not valid for this ticket. Check it, or register without a code.')
    case 'promo_code_used_up':
      return i18n._('This code has been used up. Register without a code.')
    case 'event_seats_left':
      return i18n._('{left, plural, one {Only # place is left} other {Only # places are left}}. Name fewer guests.', { left })
    case 'event_full':
      return i18n._('This event is full.')
    case 'event_guests_wait':
      return i18n._('This event is full. You can join the waiting list without guests.')
  }
}

// The form ------------------------------------------------------------------------------------------------------------------------------

/** Guests that the form without scripts has room for. */
export const guestsAsked = ({ guestsPerPerson }: Pick<PublicEvent, 'guestsPerPerson'>) => Math.min(guestsPerPerson, 5)
/** A guest is named by a number while registering, and by the id of the registration from then on. */
export const answerField = (questionId: string, guest?: number | string) =>
  `${guest === undefined ? '' : `guest${guest}-`}answer-${questionId}`

export type AskedQuestion = Omit<EventQuestion, 'ofGuests'>
export function answersOf(form: URLSearchParams, questions: readonly AskedQuestion[], guest?: number | string): Answer[] {
  return questions.flatMap(({ id, kind }): Answer[] => {
    const sent = form.getAll(answerField(id, guest)).map((value) => value.replaceAll('\r\n', '\n').trim())
    if (kind === 'flag') return [{ questionId: id, value: sent.includes('yes') }]
    if (kind === 'choices') return [{ questionId: id, value: sent }]
    return sent[0] ? [{ questionId: id, value: sent[0] }] : []
  })
}

/** What is registered under a name is mailed to an address that nobody has confirmed yet: names carry no links there. */
const looksLikeLink = /:\/\/|www\.|[/@]|\.(?:com|net|org|info|biz|io|co|app|dev|xyz|top|site|online|shop|link|click|me|ru|cn)\b/i

export const addressText = (i18n: Texts) => i18n._('Enter an e-mail address such as name@example.org.')
export const readAddress = (typed: string | null) => EmailAddress.safeParse(typed ?? '').data

/** What is wrong with a name; nothing where it is a name. */
export function nameFault(i18n: Texts, name: string): string | undefined {
  if (name === '') return i18n._('Enter your name.')
  // Whoever pasted it does not see them: a mark that turns the order round, say.
  const character = hiddenIn(name, true)
  if (character !== null)
    return i18n._('The name contains the invisible character {character}. Type the name instead of pasting it.', { character })
  if (Array.from(name).length > 200) return i18n._('The name is too long. Enter at most 200 characters.')
  return undefined
}

type Read = { wanted: NewRegistration; wrong?: undefined } | { wrong: string }
/** What the form asks for, or the first thing that is wrong with it. */
export function readGuestForm(i18n: Texts, event: PublicEvent, form: URLSearchParams): Read {
  const value = (name: string) => (form.get(name) ?? '').trim()
  const ofGuests = event.questions.filter((question) => question.ofGuests)
  const guests = Array.from({ length: guestsAsked(event) }, (_, nth) => nth + 1)
    .filter((nth) => value(`guest${nth}`) !== '')
    .map((nth) => ({ name: value(`guest${nth}`), answers: answersOf(form, ofGuests, nth) }))
  const wrongName = [value('name'), ...guests.map(({ name }) => name)]
    .map((name) => nameFault(i18n, name))
    .find((fault) => fault !== undefined)
  if (wrongName !== undefined) return { wrong: wrongName }
  if ([value('name'), ...guests.map(({ name }) => name)].some((name) => looksLikeLink.test(name)))
    return { wrong: i18n._('Enter a name without a link or an address.') }
  if (value('consent') !== 'yes') return { wrong: i18n._('Agree to the use of your details to register.') }
  const read = NewRegistrationShape.safeParse({
    ...{ name: value('name'), email: value('email'), guests, answers: answersOf(form, event.questions) },
    ...(value('ticket') && { ticketTypeId: value('ticket') }),
    ...(value('code') && { promoCode: value('code') }),
  })
  if (!read.success) {
    const field = read.error.issues[0]?.path[0]
    if (field === 'email') return { wrong: addressText(i18n) }
    if (field === 'promoCode') return { wrong: refusalText(i18n, 'promo_code_invalid', 0) }
    if (field === 'ticketTypeId') return { wrong: i18n._('Choose a ticket.') }
    return { wrong: i18n._('Check what you have entered.') }
  }
  const wrong =
    faultOfAnswers(event.questions, read.data.answers, 'answers') ??
    read.data.guests.map((guest) => faultOfAnswers(ofGuests, guest.answers, 'guests')).find((fault) => fault !== undefined)
  return wrong ? { wrong: wrongAnswerText(i18n, event.questions, wrong) } : { wanted: read.data }
}

function wrongAnswerText(i18n: Texts, questions: readonly EventQuestion[], wrong: FieldRefusal): string {
  const open = questions.find(({ text }) => wrong.params?.['question'] === text)
  return open ? i18n._('Answer “{question}”.', { question: open.text }) : i18n._('Choose one of the options.')
}

type Party = Pick<ManagedRegistration, 'registrationId' | 'questions' | 'answers' | 'guests'>
/** Everybody of a party who is asked something. */
export const askedOf = ({ registrationId, questions, answers, guests }: Party) =>
  [
    { id: registrationId, name: undefined, guest: undefined, questions, answers },
    ...guests.map(({ id, name, answers: said }) => ({
      ...{ id, name, guest: id, answers: said },
      questions: questions.filter(({ ofGuests }) => ofGuests),
    })),
  ].filter((one) => one.questions.length > 0)

/** The answers that were given, as the form holds them. */
export function formOfAnswers(party: Party): URLSearchParams {
  const form = new URLSearchParams()
  for (const { guest, answers } of askedOf(party))
    for (const { questionId, value } of answers)
      for (const one of Array.isArray(value) ? value : [value === true ? 'yes' : value])
        if (one !== false) form.append(answerField(questionId, guest), one)
  return form
}

type ReadAnswers = { said: AnswersOf[]; wrong?: undefined } | { wrong: string }
/** What the form changes answers to, or the first that is wrong. Answers to questions that are not asked any more stay. */
export function readAnswersForm(i18n: Texts, party: Party, form: URLSearchParams): ReadAnswers {
  const isAsked = ({ questionId }: Answer) => party.questions.some(({ id }) => id === questionId)
  const said = askedOf(party).map(({ id, guest, questions, answers }) => ({
    ...{ id, questions, former: answers.filter((answer) => !isAsked(answer)) },
    answers: answersOf(form, questions, guest),
  }))
  const read = z.array(NewRegistrationShape.shape.answers).safeParse(said.map(({ answers }) => answers))
  if (!read.success) return { wrong: i18n._('Check what you have entered.') }
  const wrong = said.map(({ questions, answers }) => faultOfAnswers(questions, answers, 'answers')).find((fault) => fault !== undefined)
  if (wrong) return { wrong: wrongAnswerText(i18n, party.questions, wrong) }
  return { said: said.map(({ id, former, answers }) => ({ id, answers: [...former, ...answers] })) }
}
