import type { EventMailKind, EventMessage, MessageAudience, MessageState } from '@guildhall/contract/features/events'
import { plural, t } from '@lingui/core/macro'
import type { Tone } from '../../../ui/display/status-badge.tsx'

export const audienceWords = (): Record<MessageAudience, string> => ({
  all: t`Everybody who registered`,
  confirmed: t`Confirmed`,
  waiting: t`Waiting list`,
  checked_in: t`Checked in`,
  not_checked_in: t`Not checked in`,
})

export const stateWords = (): Record<MessageState, { label: string; tone: Tone }> => ({
  waiting: { label: t`Scheduled`, tone: 'info' },
  sending: { label: t`Being sent`, tone: 'info' },
  sent: { label: t`Sent`, tone: 'good' },
  withdrawn: { label: t`Withdrawn`, tone: 'neutral' },
})

export const kindWords = (): Record<EventMailKind, string> => ({
  invitation: t`Invitation`,
  requested: t`Registration awaiting approval`,
  confirmed: t`Registration confirmed`,
  payment: t`Payment needed`,
  waiting: t`Joined the waiting list`,
  offered: t`Place offered`,
  offer_expired: t`Offer expired`,
  hold_expired: t`Place released`,
  rejected: t`Registration declined`,
  cancelled: t`Registration cancelled`,
  received: t`Ticket received`,
  handed_over: t`Ticket transferred`,
  changed: t`Time, place or link changed`,
  event_cancelled: t`Event cancelled`,
  reminder: t`Reminder`,
  survey: t`Survey`,
})

/** What became of the mails of a message, without what is none. */
export function outcomeTexts({ waiting, sent, failed, suppressed, unknown }: EventMessage['outcomes']): string[] {
  return [
    waiting > 0 && plural(waiting, { one: '# waiting', other: '# waiting' }),
    sent > 0 && plural(sent, { one: '# sent', other: '# sent' }),
    failed > 0 && plural(failed, { one: '# failed', other: '# failed' }),
    suppressed > 0 && plural(suppressed, { one: '# not sent', other: '# not sent' }),
    unknown > 0 && plural(unknown, { one: '# unknown', other: '# unknown' }),
  ].filter((text) => text !== false)
}
