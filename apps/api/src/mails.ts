import { accessRequestMail, invitationMail } from './features/account/account.jobs.ts'
import { eventGuestMail } from './features/events/guests/events.guests.jobs.ts'
import { eventInvitationMail } from './features/events/invitations/events.invitations.jobs.ts'
import { eventMessageMail, eventRegistrationMail } from './features/events/mails/events.mails.jobs.ts'
import { membershipMail, renewalReminderMail } from './features/membership/membership.mails.jobs.ts'
import { invoiceMail, invoiceReminderMail, receiptMail, statementMail } from './features/finance/papers/finance.mails.jobs.ts'
import { giftThanksMail } from './features/fundraising/thanks/fundraising.thanks.jobs.ts'
import {
  giftReceiptMail,
  planChargeFailedMail,
  planStoppedMail,
  pledgeReminderMail,
} from './features/fundraising/mails/fundraising.mails.jobs.ts'
import { givingStatementMail } from './features/fundraising/mails/fundraising.statements.jobs.ts'
import { digestMail, notificationMail, termEndingMail } from './features/notifications/notifications.jobs.ts'
import { attachedCard } from './features/people/cards/people.cards.public.ts'
import { topicConfirmMail } from './features/communication/consent/communication.consents.jobs.ts'
import { messageMail, messageTestTemplate } from './features/communication/sending/communication.sending.jobs.ts'
import { chargeFailedMail } from './features/payments/payments.mails.jobs.ts'
import { reportMail } from './features/reports/sending/reports.mails.jobs.ts'
import { contactMail } from './features/site/site.jobs.ts'
import { registered } from './platform/mail/templates.ts'
import type { AnyTemplate } from './platform/mail/templates.ts'

/** Every mail that a feature writes; the outbox finds them by their key. */
export const mailTemplates: readonly AnyTemplate[] = [
  registered(contactMail),
  registered(eventGuestMail),
  registered(invitationMail),
  registered(accessRequestMail),
  registered(notificationMail),
  registered(digestMail),
  registered(termEndingMail),
  registered(topicConfirmMail),
  registered(chargeFailedMail),
  registered(invoiceMail),
  registered(invoiceReminderMail),
  registered(eventRegistrationMail),
  registered(eventMessageMail),
  registered(eventInvitationMail),
  registered(membershipMail(attachedCard)),
  registered(renewalReminderMail),
  registered(receiptMail),
  registered(statementMail),
  registered(giftReceiptMail),
  registered(planChargeFailedMail),
  registered(planStoppedMail),
  registered(pledgeReminderMail),
  registered(givingStatementMail),
  registered(giftThanksMail),
  registered(reportMail),
  messageMail,
  messageTestTemplate,
]
