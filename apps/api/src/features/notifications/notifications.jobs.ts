import * as z from 'zod'
import type { MailTemplate } from '../../platform/mail/templates.ts'
import type { Schedule } from '../../platform/schedules/schedules.ts'
import { endingTerm, findNotifications, queueDigests, tellEndingTerms } from './notifications.queries.ts'
import { noticeOf } from './notifications.texts.rules.ts'

/** One notification at once, with the names that its reader may see by then. */
export const notificationMail: MailTemplate<{ notification: string }> = {
  key: 'notification',
  essential: false,
  params: z.object({ notification: z.uuid() }),
  async write({ i18n, params, recipient, database }) {
    if (!recipient) return null
    const [found] = await database.asActor(recipient, (db) => findNotifications(db, [params.notification]))
    if (!found) return null
    const { text, path } = noticeOf(i18n, found)
    return {
      subject: text.replace(/[.。]$/, ''),
      paragraphs: [text],
      action: { label: i18n._('Open'), path },
      after: [i18n._('Change what you are told about in your profile, under Notifications.')],
    }
  },
}

/** What somebody was told of since the last one. */
export const digestMail: MailTemplate<{ ids: string[]; count: number }> = {
  key: 'digest',
  essential: false,
  params: z.object({ ids: z.array(z.uuid()), count: z.int() }),
  async write({ i18n, params, organisation, recipient, database }) {
    if (!recipient) return null
    const found = await database.asActor(recipient, (db) => findNotifications(db, params.ids))
    if (found.length === 0) return null
    return {
      subject: i18n._('{count, plural, one {# notification from {organisation}} other {# notifications from {organisation}}}', {
        count: params.count,
        organisation: organisation.name,
      }),
      paragraphs: [],
      items: found.map((one) => noticeOf(i18n, one)),
      action: { label: i18n._('Open notifications'), path: '/' },
      after: [i18n._('Change what you are told about in your profile, under Notifications.')],
    }
  },
}

/** The end of a term, to its holder who has no account. */
export const termEndingMail: MailTemplate<{ holder: string; on: string }> = {
  key: 'term-ending',
  essential: true,
  params: z.object({ holder: z.uuid(), on: z.iso.date() }),
  async write({ i18n, params, organisation, database }) {
    const term = await database.withoutActor((db) => endingTerm(db, organisation.id, params.holder))
    if (term?.endsOn !== params.on) return null
    const { title, chapter, endsOn } = term
    const text = i18n._('Your term as {title} in {chapter} ends on {date}.', { title, chapter, date: i18n.date(endsOn) })
    return { subject: text.replace(/[.。]$/, ''), paragraphs: [text] }
  },
}

/** Digests in the morning of the organisation, and what is told by the calendar. */
export const notificationSchedules = (): Schedule[] => [
  {
    name: 'notifications-terms',
    rule: { every: 'day', at: '06:00' },
    missed: 'once',
    run: async (db, { org, dueOn }) => {
      await tellEndingTerms(db, org, dueOn)
    },
  },
  {
    name: 'notifications-daily',
    rule: { every: 'day', at: '07:00' },
    missed: 'once',
    run: async (db, { org, dueOn }) => {
      await queueDigests(db, org, 'daily', dueOn)
    },
  },
  {
    name: 'notifications-weekly',
    rule: { every: 'week', on: 1, at: '07:00' },
    missed: 'once',
    run: async (db, { org, dueOn }) => {
      await queueDigests(db, org, 'weekly', dueOn)
    },
  },
]
