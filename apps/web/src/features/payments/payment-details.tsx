import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Payment } from '@guildhall/contract/features/payments'
import { ChapterLink, PersonLink } from '../../platform/records/record-links.tsx'
import { PlainDate, useFormats } from '../../ui/display/dates.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { AllocateDialog } from './allocate-dialog.tsx'
import { failureText, methodWords, refundableOf, refundFailureText } from './payments-words.tsx'
import classes from './payments.module.css'
import { RefundDialog } from './refund-dialog.tsx'
import { ReverseDialog } from './reverse-dialog.tsx'

type Asked = 'refund' | 'reverse' | 'allocate' | null

/** The facts of a payment, and what can be done about it. */
export function PaymentDetails({ payment }: { payment: Payment }) {
  const money = useMoney()
  const { moment } = useFormats()
  const [asked, setAsked] = useState<Asked>(null)
  const { may, disputeState, failure, unallocated } = payment
  const inCurrency = (amount: number) => money(amount, payment.money.currency)
  const pays = payment.allocations.filter(({ amount }) => amount > 0)
  const left = refundableOf(payment)
  const facts: { label: string; value: ReactNode }[] = [
    { label: t`Amount`, value: inCurrency(payment.money.amount) },
    ...(payment.refunded.amount > 0 ? [{ label: t`Refunded`, value: inCurrency(payment.refunded.amount) }] : []),
    {
      label: t`Paid by`,
      value: payment.person ? (
        <PersonLink person={payment.person} />
      ) : payment.chapter ? (
        <ChapterLink chapter={payment.chapter} />
      ) : (
        t`Someone`
      ),
    },
    { label: t`Method`, value: payment.kind === 'charge' ? t`Saved card` : methodWords()[payment.method] },
    ...(payment.receivedOn ? [{ label: t`Received on`, value: <PlainDate date={payment.receivedOn} /> }] : []),
    ...(payment.settledAt && !payment.receivedOn ? [{ label: t`Settled`, value: moment(payment.settledAt) }] : []),
    ...(payment.settledAt ? [] : [{ label: t`Started`, value: moment(payment.createdAt) }]),
    ...(payment.reference ? [{ label: t`Reference`, value: payment.reference }] : []),
    ...(payment.note ? [{ label: t`Note`, value: payment.note }] : []),
    ...(pays.length === 0 && payment.invoice ? [{ label: t`For`, value: t`Invoice ${payment.invoice.number ?? ''}` }] : []),
    ...pays.map(({ number, amount }) => ({ label: t`Invoice ${number ?? ''}`, value: inCurrency(amount) })),
    ...(unallocated.amount > 0 ? [{ label: t`Not allocated`, value: inCurrency(unallocated.amount) }] : []),
  ]
  return (
    <div className={classes['stack']}>
      {payment.isTest && !payment.counts && (
        <p className={classes['warning']}>{t`A test payment: no money moved, and it pays no invoice.`}</p>
      )}
      {failure && payment.state !== 'settled' && <p className={classes['warning']}>{failureText(failure)}</p>}
      {disputeState && <Dispute state={disputeState} amount={inCurrency(payment.money.amount)} />}
      {payment.reversal && (
        <p className={classes['warning']}>
          <Trans>Reversed: {payment.reversal.reason}</Trans>
        </p>
      )}
      <dl className={classes['facts']}>
        {facts.map(({ label, value }) => (
          <div key={label} className={classes['fact']}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {payment.refunds.length > 0 && (
        <ul className={classes['rows']} aria-label={t`Refunds`}>
          {payment.refunds.map((refund) => (
            <li key={refund.id} className={classes['row']}>
              <div className={classes['what']}>
                <span className={classes['name']}>
                  <Trans>Refund</Trans>
                </span>
                <span className={classes['dim']}>
                  {moment(refund.createdAt)}
                  {refund.reason && <> · {refund.reason}</>}
                </span>
                {refund.state === 'failed' && <span className={classes['dim']}>{refundFailureText(refund.failure)}</span>}
              </div>
              <RefundBadge state={refund.state} />
              <span className={classes['sum']}>{inCurrency(refund.money.amount)}</span>
            </li>
          ))}
        </ul>
      )}
      {(may.refund || may.reverse || may.allocate) && (
        <div className={classes['tools']}>
          {may.allocate && unallocated.amount > 0 && (
            <Button size="compact-md" onClick={() => setAsked('allocate')}>
              <Trans>Allocate {inCurrency(unallocated.amount)}</Trans>
            </Button>
          )}
          {may.refund && left > 0 && (
            <Button size="compact-md" variant="default" onClick={() => setAsked('refund')}>
              <Trans>Refund</Trans>
            </Button>
          )}
          {may.reverse && (
            <Button size="compact-md" variant="default" color="red" onClick={() => setAsked('reverse')}>
              <Trans>Reverse</Trans>
            </Button>
          )}
        </div>
      )}
      <RefundDialog opened={asked === 'refund'} payment={payment} onClose={() => setAsked(null)} />
      <ReverseDialog opened={asked === 'reverse'} payment={payment} onClose={() => setAsked(null)} />
      <AllocateDialog opened={asked === 'allocate'} payment={payment} onClose={() => setAsked(null)} />
    </div>
  )
}

function RefundBadge({ state }: { state: Payment['refunds'][number]['state'] }) {
  if (state === 'failed') return <StatusBadge tone="bad">{t`Failed`}</StatusBadge>
  return state === 'pending' ? <StatusBadge tone="info">{t`On its way`}</StatusBadge> : <StatusBadge tone="good">{t`Refunded`}</StatusBadge>
}

const Dispute = ({ state, amount }: { state: NonNullable<Payment['disputeState']>; amount: string }) => (
  <p className={state === 'won' ? classes['dim'] : classes['alarm']}>
    {state === 'open' &&
      t`The payer’s bank has withdrawn ${amount}. Answer the dispute at the payment provider; until it is won, this pays no invoice.`}
    {state === 'lost' && t`The dispute was lost: ${amount} went back to the payer, and this pays no invoice.`}
    {state === 'won' && t`A dispute of this payment was won.`}
  </p>
)
