import { t } from '@lingui/core/macro'
import { GiftInterval, GiftSource, GiftStatus } from '@guildhall/contract/features/fundraising.gifts'
import type { GiftRow, ThankedHow, TributeKind } from '@guildhall/contract/features/fundraising.gifts'
import { PlanStatus } from '@guildhall/contract/features/fundraising.plans'
import type { Plan } from '@guildhall/contract/features/fundraising.plans'
import { PledgeStatus } from '@guildhall/contract/features/fundraising.pledges'
import type { InstalmentState } from '@guildhall/contract/features/fundraising.pledges'
import { PaymentMethod } from '@guildhall/contract/features/payments'
import { PersonLink } from '../../platform/records/record-links.tsx'
import { Label, StatusBadge } from '../../ui/display/status-badge.tsx'
import type { Tone } from '../../ui/display/status-badge.tsx'
import { methodWords, stateTones, stateWords } from '../payments/payments-public.tsx'

const optionsOf = <Value extends string>(values: readonly Value[], words: Record<Value, string>) =>
  values.map((value) => ({ value, label: words[value] }))

// Gifts -----------------------------------------------------------------------------------------------------------------------------

/** A gift is what its payment is; only that it was not owed to anybody. */
export const giftStatusWords = (): Record<GiftStatus, string> => ({ ...stateWords(), settled: t`Received` })
export const giftStatusOptions = () => optionsOf(GiftStatus.options, giftStatusWords())

export const GiftBadges = ({ gift: { status, isTest } }: { gift: Pick<GiftRow, 'status' | 'isTest'> }) => (
  <>
    <StatusBadge tone={stateTones[status]}>{giftStatusWords()[status]}</StatusBadge> {isTest && <Label color="amber">{t`Test`}</Label>}
  </>
)

const sourceWords = (): Record<GiftSource, string> => ({
  page: t`Giving page`,
  own: t`Signed in`,
  office: t`Recorded`,
  import: t`Import`,
  plan: t`Recurring gift`,
})
export const sourceName = (source: GiftSource) => sourceWords()[source]
export const sourceOptions = () => optionsOf(GiftSource.options, sourceWords())

export const methodOptions = () => optionsOf(PaymentMethod.options, methodWords())
/** How money comes that is recorded by hand. */
export const offlineMethods = PaymentMethod.exclude(['card']).options
export const offlineMethodOptions = () => optionsOf(offlineMethods, methodWords())

export const tributeWords = (): Record<TributeKind, string> => ({ honour: t`In honour of`, memory: t`In memory of` })

export const thankedWords = (): Record<ThankedHow, string> => ({
  mail: t`By e-mail`,
  letter: t`By letter`,
  call: t`By telephone`,
  other: t`Another way`,
})

/** Money that came and still counts: it can be refunded, thanked for and stated. */
export const isReceived = ({ status }: Pick<GiftRow, 'status'>) => status === 'settled' || status === 'partly_refunded'

/** The day a gift stands under: received, settled or begun. */
export const giftDay = ({ receivedOn, settledAt, createdAt }: Pick<GiftRow, 'receivedOn' | 'settledAt' | 'createdAt'>) =>
  receivedOn ?? (settledAt ?? createdAt).slice(0, 10)

type Donated = { donor: { id: string; displayName: string } | null; donorName: string }
export const donorName = ({ donor, donorName: typed }: Donated) => donor?.displayName ?? (typed || t`Unknown donor`)
/** Who gave: a person of the directory leads to their page. */
export const Donor = ({ of }: { of: Donated }) => (of.donor ? <PersonLink person={of.donor} /> : donorName(of))

// Recurring gifts -------------------------------------------------------------------------------------------------------------------

export const intervalWords = (): Record<GiftInterval, string> => ({ month: t`Monthly`, quarter: t`Quarterly`, year: t`Yearly` })
export const intervalOptions = () => optionsOf(GiftInterval.options, intervalWords())

/** "€20.00 a month" */
export function perInterval(amount: string, interval: GiftInterval): string {
  switch (interval) {
    case 'month':
      return t`${amount} a month`
    case 'quarter':
      return t`${amount} a quarter`
    case 'year':
      return t`${amount} a year`
  }
}

const planStatusWords = (): Record<PlanStatus, string> => ({
  pending: t`Not started`,
  active: t`Active`,
  past_due: t`Payment failed`,
  paused: t`Paused`,
  cancelled: t`Stopped`,
  completed: t`Completed`,
})
const planTones: Record<PlanStatus, Tone> = {
  pending: 'info',
  active: 'good',
  past_due: 'bad',
  paused: 'warning',
  cancelled: 'neutral',
  completed: 'neutral',
}
export const planStatusOptions = () => optionsOf(PlanStatus.options, planStatusWords())
export const PlanBadge = ({ status }: { status: PlanStatus }) => (
  <StatusBadge tone={planTones[status]}>{planStatusWords()[status]}</StatusBadge>
)
/** It can still bring gifts. */
export const isRunning = ({ status }: Pick<Plan, 'status'>) => status === 'active' || status === 'past_due' || status === 'paused'

// Pledges ---------------------------------------------------------------------------------------------------------------------------

const pledgeStatusWords = (): Record<PledgeStatus, string> => ({
  open: t`Open`,
  fulfilled: t`Fulfilled`,
  cancelled: t`Cancelled`,
})
const pledgeTones: Record<PledgeStatus, Tone> = { open: 'info', fulfilled: 'good', cancelled: 'neutral' }
export const pledgeStatusOptions = () => optionsOf(PledgeStatus.options, pledgeStatusWords())
export function PledgeBadge({ status, overdue }: { status: PledgeStatus; overdue: number }) {
  if (status === 'open' && overdue > 0) return <StatusBadge tone="bad">{t`Overdue`}</StatusBadge>
  return <StatusBadge tone={pledgeTones[status]}>{pledgeStatusWords()[status]}</StatusBadge>
}

const instalmentTones: Record<InstalmentState, Tone> = { due: 'info', overdue: 'bad', paid: 'good', waived: 'neutral' }
const instalmentWords = (): Record<InstalmentState, string> => ({
  due: t`Due`,
  overdue: t`Overdue`,
  paid: t`Paid`,
  waived: t`Waived`,
})
export const InstalmentBadge = ({ state }: { state: InstalmentState }) => (
  <StatusBadge tone={instalmentTones[state]}>{instalmentWords()[state]}</StatusBadge>
)
