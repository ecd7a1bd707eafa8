import { t } from '@lingui/core/macro'
import type { EventInvitationState } from '@guildhall/contract/features/events.invitations'
import type { Tone } from '../../../ui/display/status-badge.tsx'

export const invitationWords = (): Record<EventInvitationState, { label: string; tone: Tone }> => ({
  waiting: { label: t`Being sent`, tone: 'info' },
  sent: { label: t`No answer yet`, tone: 'neutral' },
  accepted: { label: t`Accepted`, tone: 'good' },
  declined: { label: t`Declined`, tone: 'neutral' },
  bounced: { label: t`Bounced`, tone: 'bad' },
  not_sent: { label: t`Not sent: unsubscribed`, tone: 'warning' },
  invited: { label: t`Invited without a mail`, tone: 'neutral' },
})
