import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { SidePanel } from '../../ui/dialog/side-panel.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { PaymentDetails } from './payment-details.tsx'
import { PaymentBadges } from './payments-words.tsx'
import classes from './payments.module.css'

/** A payment beside its list. */
export function PaymentPanel({ paymentId, onClose }: { paymentId: string; onClose: () => void }) {
  const payment = useQuery(useApi().data.payments.get.queryOptions({ input: { paymentId } }))
  const money = useMoney()
  const amount = payment.data ? money(payment.data.money.amount, payment.data.money.currency) : ''
  return (
    <SidePanel title={amount ? t`Payment of ${amount}` : t`Payment`} onClose={onClose} recordKey={paymentId}>
      {payment.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {payment.isError && (
        <ProblemState problem={payment.error} title={t`The payment could not be loaded`} retry={() => void payment.refetch()} />
      )}
      {payment.data && (
        <div className={classes['stack']}>
          <div>
            <PaymentBadges payment={payment.data} />
          </div>
          <PaymentDetails payment={payment.data} />
        </div>
      )}
    </SidePanel>
  )
}
