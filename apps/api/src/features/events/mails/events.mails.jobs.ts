import * as z from 'zod'
import { issueLink } from '../../../platform/links/signed-links.ts'
import type { MailAttachment, MailContent } from '../../../platform/mail/mail-content.ts'
import type { MailTemplate, Writing } from '../../../platform/mail/templates.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { entryOf } from '../calendar/events.calendar.entries.rules.ts'
import { calendarFile } from '../calendar/events.calendar.rules.ts'
import { manageLinkFor } from '../guests/events.guests.queries.ts'
import { surveyClosesAt } from '../survey/events.survey.rules.ts'
import { findMessageNotice, findRegistrationNotice } from './events.mails.queries.ts'
import type { EventFacts, MessageNotice, RegistrationNotice } from './events.mails.queries.ts'
import { ticketAttachments } from './events.tickets.jobs.ts'

/** What there is to tell of one registration; app_private.news_of says when. */
const News = z.enum([
  'requested',
  'confirmed',
  'payment',
  'waiting',
  'offered',
  'offer_expired',
  'hold_expired',
  'rejected',
  'cancelled',
  'received',
  'handed_over',
])
type News = z.infer<typeof News>

/** In which statuses it is still true when the mail leaves. */
const trueIn: Readonly<Record<News, readonly RegistrationNotice['status'][]>> = {
  requested: ['pending_approval'],
  confirmed: ['confirmed', 'checked_in'],
  payment: ['pending_payment'],
  waiting: ['waitlisted'],
  offered: ['offered'],
  offer_expired: ['cancelled'],
  hold_expired: ['cancelled'],
  rejected: ['rejected'],
  cancelled: ['cancelled'],
  received: ['confirmed', 'checked_in'],
  handed_over: ['confirmed', 'checked_in', 'cancelled'],
}

type Told<Params> = Pick<Writing<Params>, 'i18n' | 'organisation' | 'database' | 'recipient' | 'config' | 'log'>

const when = (i18n: Texts, { startsAt, timezone }: EventFacts) => i18n.moment(startsAt, timezone)
const where = ({ venueName, venueAddress }: EventFacts) => [venueName, venueAddress].filter((part) => part !== '').join(', ')

/** When and where, a line each. The link is that of the event: who has no seat is not given it. */
function whenAndWhere(i18n: Texts, facts: EventFacts): string {
  const place = where(facts)
  return [
    i18n._('When: {moment}', { moment: when(i18n, facts) }),
    ...(place === '' ? [] : [i18n._('Where: {place}', { place })]),
    ...(facts.link === null ? [] : [i18n._('Link: {link}', { link: facts.link })]),
  ].join('\n')
}

const paidBackText = (i18n: Texts, { refund, currency }: RegistrationNotice): string[] =>
  refund > 0 ? [i18n._('{money} will be refunded to you.', { money: i18n.money(refund, currency) })] : []

/** Those who sign in find everything on the page of the event; everybody else gets a link to their registration with each mail. */
async function eventPage(
  { i18n, recipient, database, organisation }: Told<unknown>,
  { eventId, registrationId }: RegistrationNotice,
): Promise<Pick<MailContent, 'action'>> {
  if (recipient !== null) return { action: { label: i18n._('Open the event'), path: `/event/${eventId}` } }
  const path = await database.withoutActor((db) => manageLinkFor(db, organisation.id, registrationId))
  return path === undefined ? {} : { action: { label: i18n._('Manage registration'), path } }
}

/** The event for calendar programs, for whoever has a seat. */
const calendarOf = ({ config }: Told<unknown>, { calendar }: RegistrationNotice): MailAttachment[] =>
  calendar === null
    ? []
    : [{ name: 'event.ics', contentType: 'text/calendar', content: Buffer.from(calendarFile([entryOf(calendar, config.PUBLIC_URL)])) }]

/** What a seat comes with. */
async function seatOf(writing: Told<unknown>, notice: RegistrationNotice): Promise<Pick<MailContent, 'attachments' | 'after'>> {
  const tickets = await ticketAttachments(writing, notice.registrationId)
  return {
    ...(tickets.length > 0 && { after: [writing.i18n._('Your ticket is attached.')] }),
    attachments: [...tickets, ...calendarOf(writing, notice)],
  }
}

async function payAction({ i18n, database, organisation }: Told<unknown>, invoiceId: string, until: string) {
  const { path } = await database.withoutActor((db) =>
    issueLink(db, {
      ...{ purpose: 'pay', subject: { type: 'invoice', id: invoiceId }, uses: 'many', orgId: organisation.id },
      expiresAt: new Date(until),
    }),
  )
  return { action: { label: i18n._('Pay now'), path } }
}

/** How one registration stands: each step is told once, and only while it is still so. */
export const eventRegistrationMail: MailTemplate<{ registration: string; news: News }> = {
  key: 'event-registration',
  essential: true,
  params: z.object({ registration: z.uuid(), news: News }),
  async write(writing) {
    const { params, organisation, database } = writing
    const notice = await database.withoutActor((db) => findRegistrationNotice(db, organisation.id, params.registration))
    if (!notice || !trueIn[params.news].includes(notice.status)) return null
    const content = await written(writing, params.news, notice)
    const extra = notice.extra[params.news]
    return extra === undefined ? content : { ...content, after: [extra, ...(content.after ?? [])] }
  },
}

async function written(writing: Told<unknown>, news: News, notice: RegistrationNotice): Promise<MailContent> {
  const { i18n, organisation } = writing
  const { title, reason, guests } = notice
  const facts = { title, name: notice.name, host: notice.host ?? '', organisation: organisation.name, ticket: notice.ticket ?? '' }
  const about = whenAndWhere(i18n, notice)
  const quoted = reason === '' ? {} : { quote: reason }
  switch (news) {
    case 'requested':
      return {
        subject: i18n._('We received your registration: {title}', facts),
        paragraphs: [i18n._('Registrations for “{title}” need approval. You will get a mail once yours is decided.', facts), about],
        ...(await eventPage(writing, notice)),
      }
    case 'confirmed':
      return {
        subject: i18n._('Registration confirmed: {title}', facts),
        paragraphs: [
          notice.isGuest
            ? i18n._('{host} registered you for “{title}”.', facts)
            : notice.ticket === null
              ? i18n._('You are registered for “{title}”.', facts)
              : i18n._('You are registered for “{title}” with the ticket “{ticket}”.', facts),
          about,
          ...(guests.length > 0 ? [i18n._('Your guests: {names}', { names: guests.join(', ') })] : []),
        ],
        ...(await eventPage(writing, notice)),
        ...(await seatOf(writing, notice)),
      }
    case 'payment': {
      const until = notice.holdUntil ?? notice.startsAt
      const { invoice } = notice
      return {
        subject: i18n._('Payment needed: {title}', facts),
        paragraphs: [
          i18n._('A place at “{title}” is held for you until {moment}. Pay {money} by then to confirm your registration.', {
            ...facts,
            moment: i18n.moment(until, notice.timezone),
            money: i18n.money(invoice?.balance ?? notice.price, invoice?.currency ?? notice.currency),
          }),
          about,
        ],
        ...(invoice ? await payAction(writing, invoice.id, until) : await eventPage(writing, notice)),
      }
    }
    case 'waiting':
      return {
        subject: i18n._('You are on the waiting list: {title}', facts),
        paragraphs: [i18n._('“{title}” is full. You will get a mail if a place becomes free for you.', facts), about],
        ...(await eventPage(writing, notice)),
      }
    case 'offered':
      return {
        subject: i18n._('A place is free for you: {title}', facts),
        paragraphs: [
          i18n._('A place at “{title}” became free. It is yours if you accept it by {moment}; after that it goes to the next person.', {
            ...facts,
            moment: i18n.moment(notice.offerUntil ?? notice.startsAt, notice.timezone),
          }),
          about,
        ],
        ...(await eventPage(writing, notice)),
      }
    case 'offer_expired':
      return {
        subject: i18n._('Your offer has expired: {title}', facts),
        paragraphs: [i18n._('You did not accept the place at “{title}” in time, so it was offered to the next person.', facts)],
        ...(await eventPage(writing, notice)),
      }
    case 'hold_expired':
      return {
        subject: i18n._('Your place was released: {title}', facts),
        paragraphs: [
          i18n._('We did not receive your payment for “{title}” in time. You can register again while there are places.', facts),
        ],
        ...(await eventPage(writing, notice)),
      }
    case 'rejected':
      return {
        subject: i18n._('Your registration was declined: {title}', facts),
        paragraphs: [i18n._('Your registration for “{title}” was declined.', facts)],
        ...quoted,
      }
    case 'cancelled':
      return {
        subject: i18n._('Registration cancelled: {title}', facts),
        paragraphs: [
          notice.cause === 'payment_reversed'
            ? i18n._('Your registration for “{title}” was cancelled because its payment was reversed.', facts)
            : i18n._('Your registration for “{title}” was cancelled.', facts),
          ...paidBackText(i18n, notice),
        ],
        ...quoted,
        ...(await eventPage(writing, notice)),
      }
    case 'received':
      return {
        subject: i18n._('You have a ticket: {title}', facts),
        paragraphs: [i18n._('A ticket for “{title}” was transferred to you.', facts), about],
        ...(await eventPage(writing, notice)),
        ...(await seatOf(writing, notice)),
      }
    case 'handed_over':
      return {
        subject: i18n._('Your ticket was transferred: {title}', facts),
        paragraphs: [i18n._('Your ticket for “{title}” now belongs to {name}. Your own code is no longer valid.', facts)],
      }
  }
}

/** What goes to many of those who registered. */
export const eventMessageMail: MailTemplate<{ message: string; registration: string }> = {
  key: 'event-message',
  essential: false,
  params: z.object({ message: z.uuid(), registration: z.uuid() }),
  async write(writing) {
    const { i18n, params, organisation, database } = writing
    const [message, notice] = await database.withoutActor(async (db) => [
      await findMessageNotice(db, organisation.id, params.message),
      await findRegistrationNotice(db, organisation.id, params.registration),
    ])
    if (!message || !notice) return null
    const facts = { title: notice.title }
    const about = whenAndWhere(i18n, notice)
    const extra = notice.extra[message.kind]
    const after = extra === undefined ? {} : { after: [extra] }
    switch (message.kind) {
      case 'changed':
        return notice.eventStatus === 'published' && message.before && message.after
          ? {
              subject: i18n._('Changed: {title}', facts),
              paragraphs: [i18n._('“{title}” has changed.', facts), ...changes(i18n, message, notice)],
              ...after,
              ...(await eventPage(writing, notice)),
              attachments: calendarOf(writing, notice),
            }
          : null
      case 'event_cancelled':
        return {
          subject: i18n._('Cancelled: {title}', facts),
          paragraphs: [
            i18n._('“{title}” on {moment} was cancelled.', { ...facts, moment: when(i18n, notice) }),
            ...paidBackText(i18n, notice),
          ],
          ...(notice.cancelReason === '' ? {} : { quote: notice.cancelReason }),
          ...after,
          ...(await eventPage(writing, notice)),
          attachments: calendarOf(writing, notice),
        }
      case 'reminder':
        return notice.eventStatus === 'published' && notice.status === 'confirmed'
          ? {
              subject: i18n._('Reminder: {title}', facts),
              paragraphs: [i18n._('“{title}” takes place soon.', facts), about],
              ...after,
              ...(await eventPage(writing, notice)),
            }
          : null
      case 'survey':
        return notice.eventStatus === 'published' && surveyClosesAt(notice) > Date.now()
          ? {
              subject: i18n._('How was it? {title}', facts),
              paragraphs: [
                i18n._('Thank you for coming to “{title}”. Tell the organisers how it was: it takes a minute.', facts),
                i18n._('Organisers see answers without names, and only once at least three people have answered.'),
              ],
              ...after,
              ...(await surveyAction(writing, notice)),
            }
          : null
      case 'message':
        return { subject: message.subject, paragraphs: [], document: message.body, ...(await eventPage(writing, notice)) }
    }
  },
}

/** People with an account answer on the page of the event, everybody else by a link of their own. */
async function surveyAction(
  { i18n, recipient, database, organisation }: Told<unknown>,
  notice: RegistrationNotice,
): Promise<Pick<MailContent, 'action'>> {
  const label = i18n._('Answer the survey')
  if (recipient !== null) return { action: { label, path: `/event/${notice.eventId}?survey=1` } }
  const { path } = await database.withoutActor((db) =>
    issueLink(db, {
      ...{ purpose: 'surveys', subject: { type: 'registration', id: notice.registrationId }, uses: 'many', orgId: organisation.id },
      expiresAt: new Date(surveyClosesAt(notice)),
    }),
  )
  return { action: { label, path } }
}

/** What it was and what it is now, a paragraph for each. The link is for those who have a seat. */
function changes(i18n: Texts, { before, after }: MessageNotice, notice: RegistrationNotice): string[] {
  if (!before || !after) return []
  const none = i18n._('none')
  const span = (facts: EventFacts) =>
    i18n._('{start} to {end}', { start: i18n.moment(facts.startsAt, facts.timezone), end: i18n.moment(facts.endsAt, facts.timezone) })
  const rows = [
    {
      was: span(before),
      now: span(after),
      text: (values: { was: string; now: string }) => i18n._('Time\nBefore: {was}\nNow: {now}', values),
    },
    {
      was: where(before) || none,
      now: where(after) || none,
      text: (values: { was: string; now: string }) => i18n._('Place\nBefore: {was}\nNow: {now}', values),
    },
    ...(notice.link === null && after.link !== null
      ? []
      : [
          {
            was: before.link ?? none,
            now: after.link ?? none,
            text: (values: { was: string; now: string }) => i18n._('Link\nBefore: {was}\nNow: {now}', values),
          },
        ]),
  ]
  return rows.filter(({ was, now }) => was !== now).map(({ was, now, text }) => text({ was, now }))
}
