import { t } from '@lingui/core/macro'
import type { CapacityLine } from '@guildhall/contract/features/events'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import type { Tone } from '../../../ui/display/status-badge.tsx'
import { registrationWords } from '../events-words.tsx'
import type { Registration } from './manage-api.ts'

export const sourceWords = (): Record<Registration['source'], string> => ({
  self: t`Registered by themselves`,
  organiser: t`Added by an organiser`,
  public: t`Public page`,
  import: t`Import`,
})

export const causeWords = (): Record<CapacityLine['cause'], string> => ({
  registered: t`Registered`,
  approved: t`Approved`,
  rejected: t`Rejected`,
  paid: t`Paid`,
  paid_late: t`Paid after the hold ended`,
  confirmed: t`Confirmed before payment`,
  hold_expired: t`Not paid in time`,
  waiting: t`Joined the waiting list`,
  offered: t`Seat offered`,
  accepted: t`Offer accepted`,
  declined: t`Offer declined`,
  offer_expired: t`Offer expired`,
  withdrawn: t`Withdrawn`,
  cancelled: t`Cancelled`,
  event_cancelled: t`Event cancelled`,
  payment_reversed: t`Payment reversed`,
  transferred: t`Transferred`,
  checked_in: t`Checked in`,
  check_in_undone: t`Check-in undone`,
})

const tones: Record<Registration['status'], Tone> = {
  pending_approval: 'warning',
  pending_payment: 'warning',
  confirmed: 'good',
  waitlisted: 'neutral',
  offered: 'info',
  cancelled: 'bad',
  rejected: 'bad',
  checked_in: 'accent',
}

/** A confirmed seat that stayed empty is said once the event is over. */
export function RegistrationState({ registration: { status, event } }: { registration: Pick<Registration, 'status' | 'event'> }) {
  if (status === 'confirmed' && new Date(event.endsAt) <= new Date()) return <StatusBadge tone="warning">{t`No-show`}</StatusBadge>
  return <StatusBadge tone={tones[status]}>{registrationWords()[status]}</StatusBadge>
}

export const invoiceWords = (state: string): string => {
  const words: Partial<Record<string, string>> = {
    draft: t`Draft`,
    issued: t`Not paid`,
    partly_paid: t`Partly paid`,
    paid: t`Paid`,
    void: t`Void`,
  }
  return words[state] ?? state
}

export const answerText = ({ value }: Registration['answers'][number]): string =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'boolean' ? (value ? t`Yes` : t`No`) : value
