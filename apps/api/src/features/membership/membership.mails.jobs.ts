import * as z from 'zod'
import { issueLink } from '../../platform/links/signed-links.ts'
import type { MailAttachment, MailContent } from '../../platform/mail/mail-content.ts'
import type { MailTemplate, Writing } from '../../platform/mail/templates.ts'
import { findNotice, renewalStageOf } from './membership.queries.ts'
import type { Notice } from './membership.queries.ts'

type About = Pick<Writing<{ membership: string }>, 'i18n' | 'organisation' | 'database' | 'params'>

const linkDays = 180
const myPage = '/profile?section=membership'

const noticeOf = ({ database, organisation, params }: About): Promise<Notice | null> =>
  database.withoutActor((db) => findNotice(db, organisation.id, params.membership))

/** A link to pay where something is owed, else the reader's own page. */
async function wayOn({ i18n, database, organisation }: About, { invoice }: Notice): Promise<NonNullable<MailContent['action']>> {
  if (!invoice) return { label: i18n._('Your membership'), path: myPage }
  const { path } = await database.withoutActor((db) =>
    issueLink(db, {
      ...{ purpose: 'pay', subject: { type: 'invoice', id: invoice.id }, uses: 'many', orgId: organisation.id },
      expiresAt: new Date(Date.now() + linkDays * 86_400_000),
    }),
  )
  return { label: i18n._('Pay now'), path }
}

const Stage = z.enum(['received', 'approved', 'declined', 'welcome'])

type Told = { membership: string; stage: z.infer<typeof Stage> }
/** The reader's member card as a document; nothing where they have none, or where it could not be made. */
type CardMaker = (writing: Writing<Told>) => Promise<readonly MailAttachment[]>

/** How an application stands. What has changed again before the mail leaves is not told. Cards are made by the feature that keeps people. */
export const membershipMail = (cardOf: CardMaker): MailTemplate<Told> => ({
  key: 'membership',
  essential: true,
  params: z.object({ membership: z.uuid(), stage: Stage }),
  async write(writing) {
    const { i18n, params, organisation } = writing
    const notice = await noticeOf(writing)
    if (!notice) return null
    const { status, type, reason, invoice } = notice
    const facts = { type, reason, organisation: organisation.name, chapter: notice.chapter ?? organisation.name }
    switch (params.stage) {
      case 'received':
        if (status !== 'awaiting_approval') return null
        return {
          subject: i18n._('Your application to {organisation}', facts),
          paragraphs: [
            i18n._('We received your application for the membership “{type}” in {chapter}. You will get a mail once it is decided.', facts),
          ],
          action: { label: i18n._('Your membership'), path: myPage },
        }
      case 'approved': {
        if (status !== 'awaiting_payment') return null
        const paragraphs = [i18n._('Your application for the membership “{type}” in {chapter} was approved.', facts)]
        if (invoice)
          paragraphs.push(
            i18n._('Your membership begins when {money} is paid. The invoice comes in a mail of its own.', {
              money: i18n.money(invoice.balance, invoice.currency),
            }),
          )
        return {
          subject: i18n._('Your application to {organisation} was approved', facts),
          paragraphs,
          action: await wayOn(writing, notice),
        }
      }
      case 'declined':
        if (status !== 'declined') return null
        return {
          subject: i18n._('Your application to {organisation} was declined', facts),
          paragraphs: [i18n._('Your application for the membership “{type}” in {chapter} was declined.', facts)],
          ...(reason !== '' && { quote: reason }),
        }
      case 'welcome': {
        if (status !== 'active' && status !== 'grace') return null
        const attachments = await cardOf(writing)
        return {
          subject: i18n._('Welcome to {organisation}', facts),
          paragraphs: [
            notice.endsOn === null
              ? i18n._('Your membership “{type}” is active.', facts)
              : i18n._('Your membership “{type}” is active until {day}.', { type, day: i18n.date(notice.endsOn) }),
            attachments.length > 0
              ? i18n._('Your member card is attached, and on your profile.')
              : i18n._('Your member card is on your profile.'),
          ],
          action: { label: i18n._('Your membership'), path: myPage },
          attachments,
        }
      }
    }
  },
})

const Reminder = z.enum(['opens', 'ends', 'grace', 'lapsed'])

/** That a membership can be renewed, ends, is over or has lapsed. Renewed or further on before the mail leaves, there is nothing to tell. */
export const renewalReminderMail: MailTemplate<{ membership: string; stage: z.infer<typeof Reminder> }> = {
  key: 'renewal-reminder',
  essential: true,
  params: z.object({ membership: z.uuid(), stage: Reminder }),
  async write(writing) {
    const { i18n, params, organisation, database } = writing
    const stage = await database.withoutActor((db) => renewalStageOf(db, organisation.id, params.membership))
    const notice = await noticeOf(writing)
    if (!notice?.endsOn || stage !== params.stage) return null
    const facts = {
      ...{ type: notice.type, organisation: organisation.name, day: i18n.date(notice.endsOn) },
      until: i18n.date(notice.graceUntil ?? notice.endsOn),
    }
    const said = {
      opens: [
        i18n._('You can renew your membership now', facts),
        i18n._('Your membership “{type}” ends on {day}. You can renew it now.', facts),
      ],
      ends: [
        i18n._('Your membership ends on {day}', facts),
        i18n._('Your membership “{type}” ends on {day}. Renew it to stay a member.', facts),
      ],
      grace: [
        i18n._('Your membership has ended', facts),
        i18n._('Your membership “{type}” ended on {day}. If you renew it by {until}, it goes on without a gap.', facts),
      ],
      lapsed: [i18n._('Your membership has lapsed', facts), i18n._('Your membership “{type}” has lapsed. You can still renew it.', facts)],
    }[params.stage]
    return { subject: said[0] ?? '', paragraphs: said.slice(1), action: await wayOn(writing, notice) }
  },
}
