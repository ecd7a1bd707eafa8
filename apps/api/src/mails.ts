import { accessRequestMail, invitationMail } from './features/account/account.jobs.ts'
import { digestMail, notificationMail, termEndingMail } from './features/notifications/notifications.jobs.ts'
import { chargeFailedMail } from './features/payments/payments.mails.jobs.ts'
import { contactMail } from './features/site/site.jobs.ts'
import { registered } from './platform/mail/templates.ts'
import type { AnyTemplate } from './platform/mail/templates.ts'

/** Every mail that a feature writes; the outbox finds them by their key. */
export const mailTemplates: readonly AnyTemplate[] = [
  registered(contactMail),
  registered(invitationMail),
  registered(accessRequestMail),
  registered(notificationMail),
  registered(digestMail),
  registered(termEndingMail),
  registered(chargeFailedMail),
]
