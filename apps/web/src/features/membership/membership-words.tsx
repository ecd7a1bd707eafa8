import { t } from '@lingui/core/macro'
import type { MembershipOpenTo, MembershipPeriod, MembershipStatus, MembershipType } from '@guildhall/contract/features/membership'
import { useMoney } from '../../ui/display/money.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import type { Tone } from '../../ui/display/status-badge.tsx'

export const statusWords = (): Record<MembershipStatus, string> => ({
  applied: t`Applied`,
  awaiting_approval: t`Awaiting approval`,
  awaiting_payment: t`Awaiting payment`,
  active: t`Active`,
  grace: t`In grace period`,
  lapsed: t`Lapsed`,
  cancelled: t`Cancelled`,
  suspended: t`Paused`,
  declined: t`Declined`,
  withdrawn: t`Withdrawn`,
})

const tones: Record<MembershipStatus, Tone> = {
  applied: 'info',
  awaiting_approval: 'info',
  awaiting_payment: 'warning',
  active: 'good',
  grace: 'warning',
  lapsed: 'bad',
  cancelled: 'neutral',
  suspended: 'neutral',
  declined: 'neutral',
  withdrawn: 'neutral',
}

export const MembershipBadge = ({ status }: { status: MembershipStatus }) => (
  <StatusBadge tone={tones[status]}>{statusWords()[status]}</StatusBadge>
)

export const periodWords = (): Record<MembershipPeriod, string> => ({
  rolling: t`Rolling, from the first day`,
  fixed: t`Fixed year`,
  lifetime: t`Lifetime`,
})

export const openToWords = (): Record<MembershipOpenTo, string> => ({
  everyone: t`Everyone signed in`,
  members: t`Current and former members`,
  officers: t`Officers only`,
})

/** "€60.00", or that nothing is to be paid. */
export function usePrice() {
  const money = useMoney()
  return ({ amount, currency }: MembershipType['price']) => (amount === 0 ? t`Free` : money(amount, currency))
}
