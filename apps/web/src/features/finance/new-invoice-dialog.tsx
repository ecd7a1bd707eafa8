import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { InvoiceDetail } from '@guildhall/contract/features/finance'
import { useApi } from '../../platform/api/api.tsx'
import { PersonPicker } from '../../platform/records/record-pickers.tsx'
import { useMe } from '../../platform/session/session.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { AmountField } from '../../ui/form/amount-field.tsx'
import { useBooksChanged } from './finance-api.ts'

type Values = { personId: string; text: string; amount: number | null | undefined }
type Props = { opened: boolean; onClose: () => void; onDone: (invoice: InvoiceDetail) => void }

/** A draft with one line, for what no rate and no membership charges. */
export function NewInvoiceDialog({ opened, onClose, onDone }: Props) {
  const { invoices } = useApi().data.finance
  const { data: me } = useMe()
  const changed = useBooksChanged()
  const currency = me?.organisation.currency ?? 'EUR'
  return (
    <FormDialog<Values, InvoiceDetail>
      opened={opened}
      onClose={onClose}
      onDone={onDone}
      title={t`New invoice`}
      values={{ personId: '', text: '', amount: null }}
      rules={{
        personId: (value) => (value ? null : t`Choose a person.`),
        text: (text) => (text.trim() === '' ? t`Enter what is charged.` : null),
        amount: (amount) => (amount === undefined || amount === null || amount <= 0 ? t`Enter an amount.` : null),
      }}
      fieldOf={(path) => (path.startsWith('owedBy') ? 'personId' : path.endsWith('.amount') ? 'amount' : 'text')}
      submitLabel={<Trans>Create draft</Trans>}
      onSubmit={async ({ personId, text, amount }) => {
        const line = { text: text.trim(), amount: amount ?? 0 }
        const draft = await invoices.create.call({ owedBy: { personId }, reason: line.text.slice(0, 200), lines: [line] })
        await changed()
        return draft
      }}
    >
      {(form) => (
        <>
          <PersonPicker label={t`Billed to`} autoFocus {...form.getInputProps('personId')} />
          <TextInput label={t`Description`} maxLength={200} {...form.getInputProps('text')} />
          <AmountField
            label={t`Amount`}
            currency={currency}
            value={form.values.amount}
            onChange={(amount) => form.setFieldValue('amount', amount)}
            error={form.errors['amount']}
          />
        </>
      )}
    </FormDialog>
  )
}
