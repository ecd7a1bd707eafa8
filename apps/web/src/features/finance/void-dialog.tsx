import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { InvoiceDetail } from '@guildhall/contract/features/finance'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useBooksChanged } from './finance-api.ts'

type Props = { invoice: InvoiceDetail; opened: boolean; onClose: () => void }

/** Why an invoice is voided; it stands in its history. */
export function VoidDialog({ invoice, opened, onClose }: Props) {
  const { invoices } = useApi().data.finance
  const changed = useBooksChanged()
  const isDraft = invoice.state === 'draft'
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={isDraft ? t`Discard draft` : t`Void invoice`}
      values={{ reason: '' }}
      rules={{ reason: (reason) => (reason.trim() === '' ? t`Enter a reason.` : null) }}
      version={invoice.version}
      submitLabel={isDraft ? <Trans>Discard draft</Trans> : <Trans>Void invoice</Trans>}
      onSubmit={async ({ reason }, sent) => {
        await invoices.void.call({ invoiceId: invoice.id, reason: reason.trim() }, sent)
        await changed()
        toast.success(isDraft ? t`Draft discarded` : t`Invoice voided`)
      }}
    >
      {(form) => <TextInput label={t`Reason`} maxLength={200} data-autofocus {...form.getInputProps('reason')} />}
    </FormDialog>
  )
}
