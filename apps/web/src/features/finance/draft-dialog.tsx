import { ActionIcon, Button, NumberInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import type { InvoiceDetail } from '@guildhall/contract/features/finance'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { AmountField } from '../../ui/form/amount-field.tsx'
import { useBooksChanged } from './finance-api.ts'
import { taxOf } from './finance-words.tsx'
import classes from './finance.module.css'

type Line = {
  key: string
  lineId: string | undefined
  text: string
  amount: number | null | undefined
  tax: number | string
  taxNote: string
}
type Values = { reason: string; dueOn: string; lines: Line[] }
type Props = { invoice: InvoiceDetail; opened: boolean; onClose: () => void }

const isWhole = ({ text, amount }: Line) => text.trim() !== '' && amount !== null && amount !== undefined
const bpsOf = ({ tax }: Line) => Math.round(Number(tax) * 100)

/** Lines and due date of a draft. */
export function DraftDialog({ invoice, opened, onClose }: Props) {
  const { invoices } = useApi().data.finance
  const changed = useBooksChanged()
  const money = useMoney()
  const { currency } = invoice.total
  return (
    <FormDialog<Values, InvoiceDetail>
      opened={opened}
      onClose={onClose}
      size="lg"
      title={t`Edit draft`}
      version={invoice.version}
      values={{
        reason: invoice.reason,
        dueOn: invoice.dueOn ?? '',
        lines: invoice.lines.map((line) => ({
          key: line.id,
          lineId: line.id,
          text: line.text,
          amount: line.net,
          tax: line.taxBps / 100,
          taxNote: line.taxNote,
        })),
      }}
      rules={{
        reason: (reason) => (reason.trim() === '' ? t`Enter what the invoice is for.` : null),
        lines: (lines) => (lines.every(isWhole) ? null : t`Enter a description and an amount in each line.`),
      }}
      fieldOf={(path) => (path.startsWith('lines') ? 'lines' : path)}
      submitLabel={<Trans>Save draft</Trans>}
      onSubmit={async ({ reason, dueOn, lines }, sent) => {
        const saved = await invoices.update.call(
          {
            invoiceId: invoice.id,
            reason: reason.trim(),
            dueOn: dueOn || null,
            lines: lines.map((line) => ({
              ...(line.lineId && { lineId: line.lineId }),
              text: line.text.trim(),
              amount: line.amount ?? 0,
              taxBps: bpsOf(line),
              taxNote: line.taxNote,
            })),
          },
          sent,
        )
        await changed()
        toast.success(t`Draft saved`)
        return saved
      }}
    >
      {(form) => {
        const { lines } = form.values
        const set = (next: Line[]) => form.setFieldValue('lines', next)
        const change = (key: string, part: Partial<Line>) => set(lines.map((line) => (line.key === key ? { ...line, ...part } : line)))
        const swap = (from: number, to: number) =>
          set(lines.map((line, place) => (place === from ? (lines[to] ?? line) : place === to ? (lines[from] ?? line) : line)))
        const net = lines.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
        const tax = lines.reduce((sum, line) => sum + taxOf(line.amount ?? 0, bpsOf(line)), 0)
        return (
          <>
            <div className={classes['pair']}>
              <TextInput label={t`For`} maxLength={200} {...form.getInputProps('reason')} />
              <TextInput
                type="date"
                label={t`Due`}
                description={t`Empty: the usual days after issuing`}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                {...form.getInputProps('dueOn')}
              />
            </div>
            <ol className={classes['lines']} aria-label={t`Lines`}>
              {lines.map((line, place) => (
                <li key={line.key} className={classes['line']}>
                  <TextInput
                    label={t`Description`}
                    maxLength={300}
                    value={line.text}
                    onChange={(event) => change(line.key, { text: event.currentTarget.value })}
                  />
                  <AmountField
                    label={t`Net`}
                    currency={currency}
                    mayBeNegative
                    value={line.amount}
                    onChange={(amount) => change(line.key, { amount })}
                  />
                  <NumberInput
                    label={t`Tax (%)`}
                    min={0}
                    max={100}
                    decimalScale={2}
                    hideControls
                    value={line.tax}
                    onChange={(rate) => change(line.key, { tax: rate })}
                  />
                  <div className={classes['lineActs']}>
                    <ActionIcon
                      variant="transparent"
                      aria-label={t`Move line up`}
                      disabled={place === 0}
                      onClick={() => swap(place, place - 1)}
                    >
                      <IconArrowUp size={16} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      variant="transparent"
                      aria-label={t`Move line down`}
                      disabled={place === lines.length - 1}
                      onClick={() => swap(place, place + 1)}
                    >
                      <IconArrowDown size={16} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      variant="transparent"
                      color="red"
                      aria-label={t`Remove line`}
                      disabled={lines.length === 1}
                      onClick={() => set(lines.filter(({ key }) => key !== line.key))}
                    >
                      <IconTrash size={16} aria-hidden />
                    </ActionIcon>
                  </div>
                </li>
              ))}
            </ol>
            {form.errors['lines'] && <p role="alert">{form.errors['lines']}</p>}
            <div className={classes['head']}>
              <Button
                variant="default"
                size="compact-md"
                leftSection={<IconPlus size={16} aria-hidden />}
                disabled={lines.length >= 100}
                onClick={() =>
                  set([...lines, { key: crypto.randomUUID(), lineId: undefined, text: '', amount: null, tax: 0, taxNote: '' }])
                }
              >
                <Trans>Add line</Trans>
              </Button>
              <span className={classes['tabular']} role="status">
                {tax === 0 ? (
                  <Trans>Total {money(net, currency)}</Trans>
                ) : (
                  <Trans>
                    {money(net, currency)} + {money(tax, currency)} tax = {money(net + tax, currency)}
                  </Trans>
                )}
              </span>
            </div>
          </>
        )
      }}
    </FormDialog>
  )
}
