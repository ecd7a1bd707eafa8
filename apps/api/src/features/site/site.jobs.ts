import { emailPattern } from '@guildhall/contract/email-pattern'
import * as z from 'zod'
import type { MailTemplate } from '../../platform/mail/templates.ts'
import { contactNotice } from './site.queries.ts'

/** Tells an administrator of a message of the contact page. */
export const contactMail: MailTemplate<{ message: string }> = {
  key: 'contact',
  essential: true,
  params: z.object({ message: z.uuid() }),
  async write({ i18n, params, organisation, database }) {
    const notice = await database.withoutActor((db) => contactNotice(db, organisation.id, params.message))
    if (!notice) return null
    const { name, email, topic, reference, message } = notice
    return {
      subject: `${topic} (${reference})`,
      paragraphs: [i18n._('{name} <{email}> wrote through the contact page:', { name, email })],
      quote: message,
      action: { label: i18n._('Open contact messages'), path: '/account-management/requests' },
      after: [i18n._('Reference {reference}', { reference })],
      // Messages from before addresses were looked at this closely are still sent, with what is safe of them.
      ...(emailPattern.test(email) ? { replyTo: email } : {}),
    }
  },
}
