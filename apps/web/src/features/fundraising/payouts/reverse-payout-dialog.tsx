import { Textarea } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Payout } from '@guildhall/contract/features/fundraising.donors'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useFundraisingChanged } from '../fundraising-api.ts'
import classes from '../giving.module.css'

/** For a payout that was recorded by mistake. */
export function ReversePayoutDialog({ payout, onClose }: { payout: Payout | null; onClose: () => void }) {
  const { reversePayout } = useApi().data.fundraising.donors
  const changed = useFundraisingChanged()
  return (
    <FormDialog<{ reason: string }, void>
      opened={payout !== null}
      onClose={onClose}
      title={t`Reverse payout`}
      version={payout?.version}
      values={{ reason: '' }}
      rules={{ reason: (reason) => (reason.trim() === '' ? t`Enter a reason.` : null) }}
      submitLabel={<Trans>Reverse payout</Trans>}
      onSubmit={async ({ reason }, sent) => {
        await reversePayout.call({ payoutId: payout?.id ?? '', reason: reason.trim() }, sent)
        await changed()
        toast.success(t`Payout reversed`)
      }}
    >
      {(form) => (
        <>
          <p
            className={classes['dim']}
          >{t`For payouts recorded by mistake. It stays on record and counts nothing; the chapter’s balance goes up again.`}</p>
          <Textarea label={t`Reason`} maxLength={500} autosize minRows={2} data-autofocus {...form.getInputProps('reason')} />
        </>
      )}
    </FormDialog>
  )
}
