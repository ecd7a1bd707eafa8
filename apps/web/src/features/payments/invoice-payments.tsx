import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { InvoiceDetail } from '@guildhall/contract/features/finance'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useCan, useMe } from '../../platform/session/session.ts'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { PayDialog } from './pay-dialog.tsx'
import { PaymentRow } from './payment-row.tsx'
import { usePayments } from './payments-api.ts'
import classes from './payments.module.css'
import { RecordPaymentDialog } from './record-payment-dialog.tsx'

/** Payments of one invoice, attempts included, and the ways to pay or to record what came. */
export function InvoicePayments({ invoice }: { invoice: InvoiceDetail }) {
  const payments = usePayments({ invoiceId: invoice.id })
  const { data: me } = useMe()
  const records = useCan('finance.manage')
  const [open, setOpen] = useState<'pay' | 'record' | null>(null)
  const isOpen = (invoice.state === 'issued' || invoice.state === 'partly_paid') && invoice.balance.amount > 0
  const pays = isOpen && (invoice.chapter !== null || (me?.person?.id !== undefined && me.person.id === invoice.person?.id))
  return (
    <div className={classes['stack']}>
      {isOpen && (pays || records) && (
        <div className={classes['tools']}>
          {pays && (
            <Button size="compact-md" onClick={() => setOpen('pay')}>
              <Trans>Pay</Trans>
            </Button>
          )}
          {records && (
            <Button size="compact-md" variant="default" onClick={() => setOpen('record')}>
              <Trans>Record payment</Trans>
            </Button>
          )}
        </div>
      )}
      {payments.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={2} />
        </Loading>
      )}
      {payments.isError && (
        <ProblemState problem={payments.error} title={t`The payments could not be loaded`} retry={() => void payments.refetch()} />
      )}
      {payments.data?.items.length === 0 && <p className={classes['dim']}>{t`No payments yet.`}</p>}
      {payments.data && payments.data.items.length > 0 && (
        <ul className={classes['rows']}>
          {payments.data.items.map((payment) => (
            <PaymentRow key={payment.id} payment={payment} />
          ))}
        </ul>
      )}
      <ShowMore query={payments} />
      <PayDialog invoice={open === 'pay' ? invoice : null} onClose={() => setOpen(null)} />
      <RecordPaymentDialog opened={open === 'record'} invoice={invoice} onClose={() => setOpen(null)} />
    </div>
  )
}
