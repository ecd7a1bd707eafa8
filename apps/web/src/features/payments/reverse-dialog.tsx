import { Textarea } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Payment } from '@guildhall/contract/features/payments'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { useMoneyMoved } from './payments-api.ts'
import classes from './payments.module.css'

type Props = {
  opened: boolean
  payment: Payment
  onClose: () => void
  /** Where it was not invoices that were paid. */
  title?: string
  about?: string
  done?: string
}

/** For what was recorded by mistake, and never came. */
export function ReverseDialog({ opened, payment, onClose, title, about, done }: Props) {
  const { payments } = useApi().data
  const moved = useMoneyMoved()
  const { list } = useFormats()
  const numbers = list(payment.allocations.filter(({ amount }) => amount > 0).map(({ number }) => number ?? ''))
  return (
    <FormDialog<{ reason: string }, Payment>
      opened={opened}
      onClose={onClose}
      title={title ?? t`Reverse payment`}
      version={payment.version}
      values={{ reason: '' }}
      rules={{ reason: (reason) => (reason.trim() === '' ? t`Enter a reason.` : null) }}
      submitLabel={title ?? <Trans>Reverse payment</Trans>}
      onSubmit={async ({ reason }, sent) => {
        const reversed = await payments.reverse.call({ paymentId: payment.id, reason: reason.trim() }, sent)
        await moved()
        toast.success(done ?? t`Payment reversed`)
        return reversed
      }}
    >
      {(form) => (
        <>
          <p className={classes['dim']}>
            {about ??
              t`For payments recorded by mistake. The payment stays on record but pays nothing. If money was received and is returned, refund it instead.`}
          </p>
          {numbers && <p>{t`Reopens invoices: ${numbers}`}</p>}
          <Textarea label={t`Reason`} maxLength={500} autosize minRows={2} data-autofocus {...form.getInputProps('reason')} />
        </>
      )}
    </FormDialog>
  )
}
