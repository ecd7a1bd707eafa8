import { publicEventPath } from '@guildhall/contract/public-paths'
import * as z from 'zod'
import type { MailTemplate } from '../../../platform/mail/templates.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { entryOf } from '../calendar/events.calendar.entries.rules.ts'
import { calendarFile } from '../calendar/events.calendar.rules.ts'
import { manageLinkFor, registrationToManage } from './events.guests.queries.ts'
import type { ManagedRegistration } from './events.guests.queries.ts'
import { guestStatusText, placeOf, whenOf } from './events.guests.rules.ts'
import { ticketAttachments } from '../mails/events.tickets.jobs.ts'

/** To the address that somebody registered with, and to nobody else: what became of it, and the link to manage it. */
export const eventGuestMail: MailTemplate<{ registration: string }> = {
  key: 'event-guest',
  essential: true,
  params: z.object({ registration: z.uuid() }),
  async write(writing) {
    const { i18n, params, organisation, database, config } = writing
    const found = await database.withoutActor(async (db) => {
      const registration = await registrationToManage(db, organisation.id, params.registration)
      const path = registration && (await manageLinkFor(db, organisation.id, params.registration))
      return registration && path !== undefined ? { registration, path } : undefined
    })
    if (!found) return null
    const { registration, path } = found
    const tickets = await ticketAttachments(writing, params.registration)
    const calendar = registration.status === 'confirmed' ? [calendarOf(registration, config.PUBLIC_URL)] : []
    return {
      subject: i18n._('Your registration for {event}', { event: registration.title }),
      // Nobody has confirmed this address yet, so nothing stands here that whoever registered has typed.
      greeting: i18n._('Hello,'),
      paragraphs: [
        guestStatusText(i18n, registration),
        [whenOf(i18n, registration), placeOf(registration)].filter(Boolean).join('\n'),
        ...(tickets.length > 0 ? [i18n._('Your ticket is attached.')] : []),
      ],
      action: { label: actionText(i18n, registration), path },
      after: [
        i18n._(
          'This link is for you alone: with it you see your ticket, change your answers or cancel. If you did not register, open it and cancel.',
        ),
      ],
      attachments: [...tickets, ...calendar],
    }
  },
}

const actionText = (i18n: Texts, { mayPay, mayAccept }: ManagedRegistration) =>
  mayPay ? i18n._('Pay now') : mayAccept ? i18n._('Accept the place') : i18n._('Manage registration')

const calendarOf = (registration: ManagedRegistration, publicUrl: string) => ({
  name: 'event.ics',
  contentType: 'text/calendar' as const,
  content: Buffer.from(
    calendarFile([entryOf({ ...registration, status: registration.eventStatus }, publicUrl, publicEventPath(registration.id))]),
  ),
})
