import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Payment } from '@guildhall/contract/features/payments'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { AmountField } from '../../ui/form/amount-field.tsx'
import { InvoiceChoice } from './invoice-choice.tsx'
import { useMoneyMoved, useOpenInvoices } from './payments-api.ts'

type Values = { invoiceId: string; amount: number | null | undefined }
type Props = { opened: boolean; payment: Payment; onClose: () => void }

/** Lets what is left of a payment pay another invoice of its payer. */
export function AllocateDialog({ opened, payment, onClose }: Props) {
  const { payments } = useApi().data
  const moved = useMoneyMoved()
  const money = useMoney()
  const { amount: left, currency } = payment.unallocated
  const invoices = useOpenInvoices(opened ? payment.person?.id : null)
  const most = money(left, currency)
  return (
    <FormDialog<Values, Payment>
      opened={opened}
      onClose={onClose}
      title={t`Allocate payment`}
      version={payment.version}
      values={{ invoiceId: '', amount: left }}
      rules={{
        invoiceId: (id) => (id === '' ? t`Choose an invoice.` : null),
        amount: (amount) =>
          amount === null || amount === undefined || amount < 1
            ? t`Enter an amount.`
            : amount > left
              ? t`Allocate at most ${most}: that is what is left of the payment.`
              : null,
      }}
      submitLabel={<Trans>Allocate</Trans>}
      onSubmit={async ({ invoiceId, amount }, sent) => {
        const allocated = await payments.allocate.call({ paymentId: payment.id, allocations: [{ invoiceId, amount: amount ?? 0 }] }, sent)
        await moved()
        toast.success(t`Payment allocated`)
        return allocated
      }}
    >
      {(form) => (
        <>
          <InvoiceChoice
            invoices={(invoices.data ?? []).filter(({ balance }) => balance.currency === currency)}
            value={form.values.invoiceId}
            error={form.errors['invoiceId']}
            onChange={(invoiceId) => {
              const balance = invoices.data?.find(({ id }) => id === invoiceId)?.balance.amount ?? left
              form.setValues({ invoiceId, amount: Math.min(balance, left) })
            }}
          />
          <AmountField
            label={t`Amount`}
            currency={currency}
            description={t`${most} is not allocated`}
            value={form.values.amount}
            onChange={(amount) => form.setFieldValue('amount', amount)}
            error={form.errors['amount']}
          />
        </>
      )}
    </FormDialog>
  )
}
