import * as z from 'zod'
import { issueLink } from '../../../platform/links/signed-links.ts'
import type { MailTemplate } from '../../../platform/mail/templates.ts'
import { consentToConfirm } from './communication.consents.queries.ts'

/** Asks whether somebody wants mails about a topic, unless they answered meanwhile. */
export const topicConfirmMail: MailTemplate<{ consent: string }> = {
  key: 'topic-confirm',
  essential: true,
  params: z.object({ consent: z.uuid() }),
  async write({ i18n, params, organisation, database }) {
    const asked = await consentToConfirm(database, organisation.id, params.consent)
    if (!asked) return null
    const { path } = await database.withoutActor((db) =>
      issueLink(db, {
        purpose: 'topic-confirm',
        subject: { type: 'consent', id: params.consent },
        expiresAt: new Date(Date.now() + 14 * 86_400_000),
        uses: 'many',
        orgId: organisation.id,
      }),
    )
    const values = { topic: asked.topic, organisation: organisation.name }
    return {
      subject: i18n._('Please confirm: mails about {topic}', values),
      paragraphs: [
        asked.asked_by_officer
          ? i18n._('{organisation} was told that you would like mails about {topic}. Confirm it, and you will get them.', values)
          : i18n._('You asked {organisation} for mails about {topic}. Confirm it, and you will get them.', values),
      ],
      action: { label: i18n._('Confirm subscription'), path },
      after: [i18n._('If you do not want these mails, do nothing: you will not get any.')],
    }
  },
}
