import { Textarea } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Transfer } from '@guildhall/contract/features/membership'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useMembershipsChanged } from '../membership-api.ts'

/** The member and both chapters are told the reason. */
export function TransferRejectDialog({ rejected, onClose }: { rejected: Transfer | null; onClose: () => void }) {
  const { transfers } = useApi().data.membership
  const changed = useMembershipsChanged()
  const who = rejected?.person.displayName ?? ''
  return (
    <FormDialog<{ reason: string }, void>
      opened={rejected !== null}
      onClose={onClose}
      title={t`Reject the transfer of ${who}`}
      rules={{ reason: (reason) => (reason.trim() === '' ? t`Enter a reason.` : null) }}
      version={rejected?.version}
      values={{ reason: '' }}
      submitLabel={<Trans>Reject transfer</Trans>}
      onSubmit={async ({ reason }, sent) => {
        if (!rejected) return
        await transfers.reject.call({ transferId: rejected.id, reason }, sent)
        await changed()
        toast.success(t`Transfer rejected`)
      }}
    >
      {(form) => (
        <Textarea
          label={t`Reason`}
          description={t`Shown to the member and to officers of both chapters.`}
          maxLength={500}
          autosize
          minRows={2}
          data-autofocus
          {...form.getInputProps('reason')}
        />
      )}
    </FormDialog>
  )
}
