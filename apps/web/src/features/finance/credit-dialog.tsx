import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { InvoiceDetail, InvoiceLine } from '@guildhall/contract/features/finance'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { AmountField } from '../../ui/form/amount-field.tsx'
import { useBooksChanged } from './finance-api.ts'
import { taxOf } from './finance-words.tsx'
import classes from './finance.module.css'

type Values = { reason: string; amounts: Record<string, number | null | undefined> }
type Props = { invoice: InvoiceDetail; opened: boolean; onClose: () => void }

const leftOf = ({ net, credited }: InvoiceLine) => Math.abs(net - credited.net)

/** All of an invoice or a part of its lines; what was paid beyond it stands to the good of who paid. */
export function CreditDialog({ invoice, opened, onClose }: Props) {
  const { invoices } = useApi().data.finance
  const changed = useBooksChanged()
  const money = useMoney()
  const { currency } = invoice.total
  const creditable = invoice.lines.filter((line) => leftOf(line) > 0)
  return (
    <FormDialog<Values, InvoiceDetail>
      opened={opened}
      onClose={onClose}
      title={t`Issue credit note`}
      version={invoice.version}
      values={{ reason: '', amounts: Object.fromEntries(creditable.map((line) => [line.id, leftOf(line)])) }}
      rules={{
        reason: (reason) => (reason.trim() === '' ? t`Enter a reason.` : null),
        amounts: (amounts) => {
          const wrong = creditable.find((line) => amounts[line.id] === undefined || (amounts[line.id] ?? 0) > leftOf(line))
          if (wrong) return t`“${wrong.text}” has ${money(leftOf(wrong), currency)} left to credit.`
          return Object.values(amounts).some((amount) => (amount ?? 0) > 0) ? null : t`Enter an amount for at least one line.`
        },
      }}
      fieldOf={(path) => (path.startsWith('lines') ? 'amounts' : path)}
      submitLabel={<Trans>Issue credit note</Trans>}
      onSubmit={async ({ reason, amounts }, sent) => {
        const lines = creditable.flatMap(({ id }) => {
          const amount = amounts[id] ?? 0
          return amount > 0 ? [{ lineId: id, amount }] : []
        })
        const isAll = creditable.every((line) => amounts[line.id] === leftOf(line))
        const saved = await invoices.credit.call({ invoiceId: invoice.id, reason: reason.trim(), ...(!isAll && { lines }) }, sent)
        await changed()
        toast.success(t`Credit note issued`)
        return saved
      }}
    >
      {(form) => {
        const credited = creditable.map((line) => {
          const net = Math.sign(line.net) * (form.values.amounts[line.id] ?? 0)
          return net + taxOf(net, line.taxBps)
        })
        const sum = credited.reduce((total, amount) => total + amount, 0)
        const over = sum - invoice.balance.amount
        return (
          <>
            <TextInput label={t`Reason`} maxLength={200} data-autofocus {...form.getInputProps('reason')} />
            {creditable.map((line) => (
              <AmountField
                key={line.id}
                label={line.text}
                description={
                  line.taxBps > 0
                    ? t`Net; ${money(leftOf(line), currency)} left to credit, ${line.taxBps / 100}% tax on top`
                    : t`${money(leftOf(line), currency)} left to credit`
                }
                currency={currency}
                value={form.values.amounts[line.id]}
                onChange={(amount) => form.setFieldValue('amounts', { ...form.values.amounts, [line.id]: amount })}
              />
            ))}
            {form.errors['amounts'] && <p role="alert">{form.errors['amounts']}</p>}
            <p role="status" className={classes['tabular']}>
              <Trans>Credit note over {money(sum, currency)}</Trans>
              {over > 0 && invoice.paid.amount > 0 && (
                <span className={classes['dim']}>
                  {' '}
                  <Trans>{money(over, currency)} was paid already and can be refunded or used for another invoice.</Trans>
                </span>
              )}
            </p>
          </>
        )
      }}
    </FormDialog>
  )
}
