import { NativeSelect, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Invoice } from '@guildhall/contract/features/finance'
import { PaymentMethod } from '@guildhall/contract/features/payments'
import type { Payment, PaymentDifference } from '@guildhall/contract/features/payments'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { PersonPicker } from '../../platform/records/record-pickers.tsx'
import { useMe, useToday } from '../../platform/session/session.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { AmountField } from '../../ui/form/amount-field.tsx'
import { Optional } from '../../ui/form/record-form.tsx'
import { InvoiceChoice } from './invoice-choice.tsx'
import { useMoneyMoved, useOpenInvoices } from './payments-api.ts'
import { methodWords } from './payments-words.tsx'
import classes from './payments.module.css'

type Values = {
  personId: string
  invoiceId: string
  method: string
  receivedOn: string
  amount: number | null | undefined
  reference: string
  note: string
}
type Known = Pick<Invoice, 'id' | 'number' | 'balance' | 'person' | 'chapter'>
type Props = {
  opened: boolean
  onClose: () => void
  /** What it pays; without one, the payer is chosen first. */
  invoice?: Known
  /** A payment that only the provider knows. */
  difference?: PaymentDifference
  onRecorded?: (payment: Payment) => void
}

const methods = PaymentMethod.exclude(['card']).options

/** Money that came by bank, in cash or as a cheque: all that is open, or a part of it. */
export function RecordPaymentDialog({ opened, onClose, invoice, difference, onRecorded }: Props) {
  const { payments, finance } = useApi().data
  const { data: me } = useMe()
  const today = useToday()
  const moved = useMoneyMoved()
  const currency = invoice?.balance.currency ?? difference?.currency ?? me?.organisation.currency ?? 'EUR'
  const payer = invoice?.person?.displayName ?? invoice?.chapter?.name ?? t`Someone`
  return (
    <FormDialog<Values, Payment>
      opened={opened}
      onClose={onClose}
      {...(onRecorded && { onDone: onRecorded })}
      title={t`Record payment`}
      draft={`payment-${invoice?.id ?? difference?.id ?? 'new'}`}
      values={{
        ...{
          personId: '',
          invoiceId: '',
          method: difference ? 'other' : 'bank_transfer',
          receivedOn: difference?.foundAt.slice(0, 10) ?? today,
        },
        ...{ amount: invoice?.balance.amount ?? difference?.theirs ?? null, reference: difference?.providerRef ?? '', note: '' },
      }}
      rules={{
        personId: (id) => (invoice || id ? null : t`Choose who paid.`),
        amount: (amount) => (amount === null || amount === undefined || amount < 1 ? t`Enter an amount.` : null),
        receivedOn: (day) => (day === '' ? t`Enter the day the money was received.` : null),
      }}
      fieldOf={(path) => (path.startsWith('money') ? 'amount' : path.startsWith('allocations') ? 'invoiceId' : path)}
      submitLabel={<Trans>Record payment</Trans>}
      onSubmit={async ({ personId, invoiceId, method, receivedOn, amount, reference, note }) => {
        const paid = amount ?? 0
        const target =
          invoice ?? (invoiceId ? { id: invoiceId, balance: (await finance.invoices.get.call({ invoiceId })).balance } : undefined)
        const pays = target ? Math.min(paid, target.balance.amount) : 0
        const recorded = await payments.record.call({
          ...{ method: methods.find((one) => one === method) ?? 'other', money: { amount: paid, currency }, receivedOn },
          ...{ reference: reference.trim(), note: note.trim() },
          ...(!invoice && { personId }),
          ...(difference && { differenceId: difference.id }),
          ...(target && pays > 0 && { allocations: [{ invoiceId: target.id, amount: pays }] }),
        })
        await moved()
        toast.success(t`Payment recorded`)
        return recorded
      }}
    >
      {(form) => (
        <>
          {invoice ? (
            <p className={classes['dim']}>
              <Trans>
                Invoice {invoice.number ?? ''}, billed to {payer}
              </Trans>
            </p>
          ) : (
            <>
              <PersonPicker label={t`Paid by`} autoFocus {...form.getInputProps('personId')} />
              <OpenInvoices
                personId={form.values.personId}
                currency={currency}
                value={form.values.invoiceId}
                error={form.errors['invoiceId']}
                onChange={(id, balance) =>
                  form.setValues({ invoiceId: id, ...(balance !== undefined && !difference && { amount: balance }) })
                }
              />
            </>
          )}
          <AmountField
            label={t`Amount`}
            currency={currency}
            value={form.values.amount}
            onChange={(amount) => form.setFieldValue('amount', amount)}
            error={form.errors['amount']}
          />
          {invoice && <Remainder open={invoice.balance.amount} paid={form.values.amount ?? 0} currency={currency} />}
          <NativeSelect
            label={t`Method`}
            data={methods.map((value) => ({ value, label: methodWords()[value] }))}
            {...form.getInputProps('method')}
          />
          <TextInput type="date" label={t`Received on`} max={today} {...form.getInputProps('receivedOn')} />
          <TextInput
            label={<Optional>{t`Reference`}</Optional>}
            description={t`As on the bank statement or the cheque`}
            maxLength={140}
            {...form.getInputProps('reference')}
          />
          <TextInput label={<Optional>{t`Note`}</Optional>} maxLength={500} {...form.getInputProps('note')} />
        </>
      )}
    </FormDialog>
  )
}

/** What a part payment leaves open, or what is paid too much. */
function Remainder({ open, paid, currency }: { open: number; paid: number; currency: string }) {
  const money = useMoney()
  if (paid < 1) return null
  return (
    <p className={classes['dim']} aria-live="polite">
      {paid === open && t`Pays the invoice in full.`}
      {paid < open && t`Part payment: ${money(open - paid, currency)} stays open.`}
      {paid > open &&
        t`${money(paid - open, currency)} more than the balance: the rest stays unallocated, to be refunded or to pay another invoice.`}
    </p>
  )
}

type OpenProps = {
  personId: string
  currency: string
  value: string
  error: unknown
  onChange: (invoiceId: string, balance: number | undefined) => void
}

function OpenInvoices({ personId, currency, value, error, onChange }: OpenProps) {
  const invoices = useOpenInvoices(personId || null)
  const open = (invoices.data ?? []).filter(({ balance }) => balance.currency === currency)
  if (personId === '') return null
  return (
    <InvoiceChoice
      invoices={open}
      value={open.some(({ id }) => id === value) ? value : ''}
      none={t`None: allocate it later`}
      error={typeof error === 'string' ? error : undefined}
      onChange={(id) => onChange(id, open.find((invoice) => invoice.id === id)?.balance.amount)}
    />
  )
}
