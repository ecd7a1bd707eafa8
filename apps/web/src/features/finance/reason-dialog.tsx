import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { InvoiceDetail } from '@guildhall/contract/features/finance'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useBooksChanged } from './finance-api.ts'

type Props = { invoice: InvoiceDetail; asked: 'void' | 'credit' | null; onClose: () => void }

/** Why an invoice is voided or credited; it stands in its history. */
export function ReasonDialog({ invoice, asked, onClose }: Props) {
  const { invoices } = useApi().data.finance
  const changed = useBooksChanged()
  const isDraft = invoice.state === 'draft'
  const title = asked === 'credit' ? t`Issue credit note` : isDraft ? t`Discard draft` : t`Void invoice`
  return (
    <FormDialog
      opened={asked !== null}
      onClose={onClose}
      title={title}
      values={{ reason: '' }}
      rules={{ reason: (reason) => (reason.trim() === '' ? t`Enter a reason.` : null) }}
      version={invoice.version}
      submitLabel={
        asked === 'credit' ? <Trans>Issue credit note</Trans> : isDraft ? <Trans>Discard draft</Trans> : <Trans>Void invoice</Trans>
      }
      onSubmit={async ({ reason }, sent) => {
        await invoices[asked ?? 'void'].call({ invoiceId: invoice.id, reason: reason.trim() }, sent)
        await changed()
        toast.success(asked === 'credit' ? t`Credit note issued` : isDraft ? t`Draft discarded` : t`Invoice voided`)
      }}
    >
      {(form) => <TextInput label={t`Reason`} maxLength={200} data-autofocus {...form.getInputProps('reason')} />}
    </FormDialog>
  )
}
