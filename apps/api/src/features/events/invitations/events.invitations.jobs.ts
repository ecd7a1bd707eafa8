import * as z from 'zod'
import { issueLink } from '../../../platform/links/signed-links.ts'
import type { MailTemplate } from '../../../platform/mail/templates.ts'
import { placeOf, whenOf } from '../guests/events.guests.rules.ts'
import { findInvitationNotice } from './events.invitations.queries.ts'

/** An invitation while it is not answered: people with an account answer on the page of the event, everybody else by a link of their own. */
export const eventInvitationMail: MailTemplate<{ invitation: string }> = {
  key: 'event-invitation',
  essential: false,
  params: z.object({ invitation: z.uuid() }),
  async write({ i18n, params, organisation, database, recipient }) {
    const notice = await database.withoutActor((db) => findInvitationNotice(db, organisation.id, params.invitation))
    if (!notice || notice.answer !== null) return null
    const facts = { title: notice.title, organiser: notice.organiser.name, by: notice.by }
    const path =
      recipient === null
        ? (
            await database.withoutActor((db) =>
              issueLink(db, {
                ...{ purpose: 'event-invitations', subject: { type: 'event_invitation', id: params.invitation }, uses: 'many' },
                expiresAt: new Date(Math.min(Date.parse(notice.startsAt), Date.now() + 399 * 86_400_000)),
                orgId: organisation.id,
              }),
            )
          ).path
        : `/event/${notice.id}`
    return {
      subject: i18n._('Invitation: {title}', facts),
      paragraphs: [
        notice.by === ''
          ? i18n._('{organiser} invites you to “{title}”.', facts)
          : i18n._('{by} invites you to “{title}” of {organiser}.', facts),
        [whenOf(i18n, notice), notice.mode === 'online' ? i18n._('Online') : placeOf(notice)].filter(Boolean).join('\n'),
        ...(notice.summary === '' ? [] : [notice.summary]),
      ],
      action: { label: i18n._('Accept or decline'), path },
      ...(notice.extra && { after: [notice.extra] }),
    }
  },
}
