import { Textarea } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Payment } from '@guildhall/contract/features/payments'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { AmountField } from '../../ui/form/amount-field.tsx'
import { useMoneyMoved } from './payments-api.ts'
import { refundableOf, reopened } from './payments-words.tsx'
import classes from './payments.module.css'

type Values = { amount: number | null | undefined; reason: string }
type Props = {
  opened: boolean
  payment: Payment
  onClose: () => void
  title?: string
  /** What else follows, where it was not invoices that were paid. */
  follows?: readonly string[]
}

const providerAnswers = [2_000, 6_000]

/** Money given back: all of it unless less is entered, with what follows from it before it is sent. */
export function RefundDialog({ opened, payment, onClose, title, follows }: Props) {
  const { payments } = useApi().actions
  const moved = useMoneyMoved()
  const money = useMoney()
  const { currency } = payment.money
  const left = refundableOf(payment)
  const most = money(left, currency)
  const byCard = payment.kind !== 'manual'
  return (
    <FormDialog<Values, Payment>
      opened={opened}
      onClose={onClose}
      title={title ?? t`Refund payment`}
      version={payment.version}
      values={{ amount: left, reason: '' }}
      rules={{
        amount: (amount) =>
          amount === null || amount === undefined || amount < 1
            ? t`Enter an amount.`
            : amount > left
              ? t`Refund at most ${most}: that is what is left of the payment.`
              : null,
        reason: (reason) => (reason.trim() === '' ? t`Enter a reason.` : null),
      }}
      submitLabel={({ amount }) => (amount ? t`Refund ${money(amount, currency)}` : t`Refund`)}
      onSubmit={async ({ amount, reason }, sent) => {
        const refunded = await payments.refund.call({ paymentId: payment.id, amount: amount ?? 0, reason: reason.trim() }, sent)
        await moved()
        // The provider says a moment later that the money is on its way back.
        if (byCard) for (const wait of providerAnswers) setTimeout(() => void moved(), wait)
        toast.success(byCard ? t`Refund asked for at the payment provider` : t`Refund recorded`)
        return refunded
      }}
    >
      {(form) => (
        <>
          <AmountField
            label={t`Amount`}
            currency={currency}
            description={t`${most} can be refunded`}
            value={form.values.amount}
            onChange={(amount) => form.setFieldValue('amount', amount)}
            error={form.errors['amount']}
          />
          <Textarea label={t`Reason`} maxLength={500} autosize minRows={2} data-autofocus {...form.getInputProps('reason')} />
          <Preview payment={payment} amount={form.values.amount ?? 0} left={left} follows={follows} />
        </>
      )}
    </FormDialog>
  )
}

type PreviewProps = { payment: Payment; amount: number; left: number; follows: Props['follows'] }

function Preview({ payment, amount, left, follows }: PreviewProps) {
  const money = useMoney()
  if (amount < 1 || amount > left) return null
  const inCurrency = (sum: number) => money(sum, payment.money.currency)
  const sum = inCurrency(amount)
  const invoices = reopened(payment, amount)
  return (
    <div className={classes['preview']} aria-live="polite">
      <strong>
        <Trans>What happens</Trans>
      </strong>
      <ul>
        <li>
          {payment.kind !== 'manual'
            ? t`${sum} goes back to the card that was charged. It usually takes 5 to 10 days to arrive.`
            : t`This only records the refund: give ${sum} back yourself.`}
        </li>
        {invoices.map(({ invoiceId, number, amount: open }) => (
          <li
            key={invoiceId}
          >{t`${inCurrency(open)} of invoice ${number ?? ''} is open again. A membership that it pays for is no longer paid.`}</li>
        ))}
        {follows?.map((line) => (
          <li key={line}>{line}</li>
        ))}
        {invoices.length === 0 && !follows && <li>{t`No invoice changes: this money paid none.`}</li>}
        {payment.kind !== 'manual' && <li>{t`A refund can’t be undone.`}</li>}
      </ul>
    </div>
  )
}
