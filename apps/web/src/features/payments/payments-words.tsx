import { t } from '@lingui/core/macro'
import type { Payment, PaymentMethod, PaymentState, RefundFailure } from '@guildhall/contract/features/payments'
import { Label, StatusBadge } from '../../ui/display/status-badge.tsx'
import type { Tone } from '../../ui/display/status-badge.tsx'

export const methodWords = (): Record<PaymentMethod, string> => ({
  card: t`Card`,
  bank_transfer: t`Bank transfer`,
  cash: t`Cash`,
  cheque: t`Cheque`,
  other: t`Other`,
})

export const stateWords = (): Record<PaymentState, string> => ({
  pending: t`Pending`,
  settled: t`Paid`,
  partly_refunded: t`Partly refunded`,
  refunded: t`Refunded`,
  disputed: t`Disputed`,
  failed: t`Failed`,
  cancelled: t`Not completed`,
  reversed: t`Reversed`,
})
export const stateTones: Record<PaymentState, Tone> = {
  pending: 'info',
  settled: 'good',
  partly_refunded: 'warning',
  refunded: 'neutral',
  disputed: 'bad',
  failed: 'bad',
  cancelled: 'neutral',
  reversed: 'neutral',
}

export function PaymentBadges({ payment: { state, failure, isTest, disputeState } }: { payment: Payment }) {
  const isDeclined = state === 'pending' && failure === 'declined'
  return (
    <>
      <StatusBadge tone={isDeclined ? 'bad' : stateTones[state]}>
        {isDeclined ? t`Card declined` : state === 'disputed' && disputeState === 'lost' ? t`Dispute lost` : stateWords()[state]}
      </StatusBadge>{' '}
      {isTest && <Label color="amber">{t`Test`}</Label>}
    </>
  )
}

export const failureText = (failure: NonNullable<Payment['failure']>): string =>
  ({
    declined: t`The card was declined. Nothing was charged.`,
    confirmation_needed: t`The payer’s bank asks for a confirmation. Nothing was charged.`,
    expired: t`The payment page expired before it was paid. Nothing was charged.`,
  })[failure]

/** Why a refund failed, and what to do. Null where it is not known, as of refunds before it was kept. */
export const refundFailureText = (failure: RefundFailure | null): string =>
  ({
    balance: t`There is too little money on your account at the payment provider. Add money there, then try again.`,
    card_closed: t`The card is lost, expired or closed. Give the money back another way, such as by bank transfer.`,
    declined: t`The payer’s bank declined it. Try again, or give the money back another way.`,
    disputed: t`The payer disputed the payment, so the bank has taken the money back already.`,
    refunded_before: t`The payment was already refunded at the payment provider.`,
    too_much: t`It is more than is left of the payment at the payment provider.`,
    cancelled: t`It was cancelled at the payment provider.`,
    unknown: t`The payment provider gave no reason.`,
  })[failure ?? 'unknown']

/** "Visa •••• 4242" */
export const cardName = ({ brand, last4 }: { brand: string; last4: string }) =>
  `${brand.charAt(0).toUpperCase()}${brand.slice(1)} •••• ${last4}`

/** The day a payment stands under: received, settled or begun. */
export const dayOf = ({ receivedOn, settledAt, createdAt }: Payment): string => receivedOn ?? (settledAt ?? createdAt).slice(0, 10)

/** What can still be given back: refunds that are on their way count as given. */
export const refundableOf = ({ money, refunds }: Payment): number =>
  money.amount - refunds.reduce((sum, { state, money: back }) => (state === 'failed' ? sum : sum + back.amount), 0)

/**
 * What invoices lose when so much of a payment is given back: what paid none goes first, then the last of them, as the database reckons it. Refunds that
 * are on their way count as given.
 */
export function reopened(payment: Pick<Payment, 'money' | 'refunds' | 'allocations' | 'counts'>, amount: number): Payment['allocations'] {
  if (!payment.counts) return []
  const given = payment.refunds.reduce((sum, { state, money }) => (state === 'failed' ? sum : sum + money.amount), 0)
  let left = Math.max(0, payment.money.amount - given - amount)
  return payment.allocations.flatMap((allocation) => {
    const stays = Math.min(allocation.amount, left)
    left -= stays
    return allocation.amount > stays ? [{ ...allocation, amount: allocation.amount - stays }] : []
  })
}
