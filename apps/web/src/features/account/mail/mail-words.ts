import type { MailKind, MailState } from '@guildhall/contract/features/account'
import { mailKinds } from '@guildhall/contract/features/account'
import { t } from '@lingui/core/macro'
import type { Tone } from '../../../ui/display/status-badge.tsx'

export const stateWords = (): Record<MailState, { label: string; tone: Tone }> => ({
  queued: { label: t`Waiting`, tone: 'info' },
  sending: { label: t`Being sent`, tone: 'info' },
  sent: { label: t`Sent`, tone: 'good' },
  failed: { label: t`Failed`, tone: 'bad' },
  suppressed: { label: t`Not sent`, tone: 'neutral' },
  unknown: { label: t`Unknown`, tone: 'warning' },
})

const kindWords = (): Record<MailKind, string> => ({
  'access-request': t`Access request`,
  'charge-failed': t`Payment that failed`,
  invoice: t`Invoice`,
  'invoice-reminder': t`Overdue invoice`,
  membership: t`Application for membership`,
  'renewal-reminder': t`Renewal reminder`,
  report: t`Report`,
  receipt: t`Receipt`,
  statement: t`Statement`,
  contact: t`Contact page`,
  digest: t`Digest`,
  'event-guest': t`Registration without account`,
  'event-invitation': t`Invitation to an event`,
  'event-message': t`Message about an event`,
  'event-registration': t`Event registration`,
  'gift-receipt': t`Receipt for a gift`,
  'gift-thanks': t`Thanks for a gift`,
  'giving-statement': t`Statement of gifts`,
  invitation: t`Invitation`,
  message: t`Message`,
  'message-test': t`Test of a message`,
  notification: t`Notification`,
  'plan-charge-failed': t`Recurring gift that failed`,
  'plan-stopped': t`Recurring gift that ended`,
  'pledge-reminder': t`Pledge reminder`,
  'term-ending': t`End of a term`,
  'topic-confirm': t`Confirmation of a subscription`,
})
export const kindOptions = () => mailKinds.map((value) => ({ value, label: kindWords()[value] }))
/** A kind that is no longer there goes by its own name. */
export const kindText = (kind: string): string => kindOptions().find(({ value }) => value === kind)?.label ?? kind

/** Why a mail is as it is; what only a log can explain stays a code. */
export function outcomeText(outcome: string): string {
  const words: Record<string, string> = {
    refused: t`The mail server refused it.`,
    deferred: t`The mail server asked to try again later.`,
    unreachable: t`The mail server could not be reached.`,
    no_server: t`No mail server is configured.`,
    cut_off: t`The connection broke while it was being sent. It may have arrived.`,
    worker_died: t`Guildhall stopped while it was being sent. It may have arrived.`,
    given_up: t`Given up after two days.`,
    not_rendered: t`The mail could not be written.`,
    nothing_to_tell: t`There was nothing left to tell.`,
    held: t`Held back because this is a copy of another installation.`,
    cancelled: t`Cancelled.`,
    account_suspended: t`The account is suspended.`,
    person_deceased: t`The person is deceased.`,
    person_erased: t`The person was erased.`,
    person_merged: t`The record was merged into another one.`,
    person_archived: t`The person is archived.`,
    do_not_contact: t`The person has asked not to be contacted.`,
    no_administrator: t`The recipient is no administrator any more.`,
    no_address: t`There is no e-mail address.`,
    unsubscribed: t`The address has unsubscribed.`,
    not_subscribed: t`The person is not subscribed to the topic.`,
    pending: t`The person has not confirmed the subscription.`,
    opted_out: t`The person only gets essential mail.`,
    paused: t`The person has paused their mail.`,
    manual: t`The address is suppressed.`,
    hard_bounce: t`The address does not exist.`,
    complaint: t`The recipient reported mail as spam.`,
  }
  return words[outcome] ?? outcome
}
