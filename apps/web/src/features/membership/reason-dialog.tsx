import { Textarea } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { HeldMembershipDetail } from '@guildhall/contract/features/membership'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useMembershipsChanged } from './membership-api.ts'
import { usePrice } from './membership-words.tsx'

/** Pausing, with the reason that is kept and what it leaves as it is. */
export function ReasonDialog({ paused, onClose }: { paused: HeldMembershipDetail | null; onClose: () => void }) {
  const { membership } = useApi().data
  const changed = useMembershipsChanged()
  const price = usePrice()
  const owed = paused?.owed ? price(paused.owed) : ''
  return (
    <FormDialog<{ reason: string }, void>
      opened={paused !== null}
      onClose={onClose}
      title={t`Pause membership`}
      rules={{}}
      version={paused?.version}
      values={{ reason: '' }}
      submitLabel={<Trans>Pause membership</Trans>}
      onSubmit={async ({ reason }, sent) => {
        if (!paused) return
        await membership.suspend.call({ membershipId: paused.id, reason }, sent)
        await changed()
        toast.success(t`Membership paused`)
      }}
    >
      {(form) => (
        <>
          <p>
            <Trans>The membership does not count until an officer resumes it. Its term keeps running.</Trans>
          </p>
          {paused?.owed && (
            <p>
              <Trans>The open invoice of {owed} stays due.</Trans>
            </p>
          )}
          <Textarea label={t`Reason`} maxLength={500} autosize minRows={2} data-autofocus {...form.getInputProps('reason')} />
        </>
      )}
    </FormDialog>
  )
}
