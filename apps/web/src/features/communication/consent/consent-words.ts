import type { ConsentSource, ConsentState, MailRefusal, SuppressionReason } from '@guildhall/contract/features/communication.topics'
import { t } from '@lingui/core/macro'
import type { Tone } from '../../../ui/display/status-badge.tsx'

export const stateWords = (): Record<ConsentState, { label: string; tone: Tone }> => ({
  subscribed: { label: t`Subscribed`, tone: 'good' },
  unsubscribed: { label: t`Not subscribed`, tone: 'neutral' },
  pending: { label: t`Awaiting confirmation`, tone: 'warning' },
})

export const sourceWords = (): Record<ConsentSource, string> => ({
  profile: t`in the profile`,
  link: t`by the link of a mail`,
  officer: t`recorded by an officer`,
  import: t`by an import`,
  public: t`on a public page`,
  connection: t`in a connected system`,
})

/** Why mail does not reach somebody, as one sentence. */
export const refusalWords = (): Record<MailRefusal, string> => ({
  no_address: t`There is no e-mail address.`,
  do_not_contact: t`The person has asked not to be contacted.`,
  suspended: t`The account is suspended.`,
  deceased: t`The person is deceased.`,
  erased: t`The person was erased.`,
  archived: t`The person is archived.`,
  merged: t`The record was merged into another one.`,
  unsubscribed: t`The person unsubscribed from this topic.`,
  not_subscribed: t`The person is not subscribed to this topic.`,
  pending: t`The person has not confirmed the subscription yet.`,
  opted_out: t`The person only wants essential mail.`,
  paused: t`The person has paused their mail.`,
  hard_bounce: t`Mail to this address came back: it does not exist.`,
  complaint: t`The person marked a mail as spam.`,
  manual: t`The address was suppressed by hand.`,
})

export const reasonWords = (): Record<SuppressionReason, string> => ({
  unsubscribed: t`Unsubscribed from all`,
  manual: t`Suppressed by hand`,
  hard_bounce: t`Bounced`,
  complaint: t`Complaint`,
})
