import { Textarea } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { HeldMembershipDetail } from '@guildhall/contract/features/membership'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useMembershipsChanged } from './membership-api.ts'

export type ReasonFor = 'suspend' | 'cancel'

/** Pausing and cancelling, with the reason that is kept. */
export function ReasonDialog({ asked, onClose }: { asked: { held: HeldMembershipDetail; what: ReasonFor } | null; onClose: () => void }) {
  const { membership } = useApi().data
  const changed = useMembershipsChanged()
  const pauses = asked?.what === 'suspend'
  return (
    <FormDialog<{ reason: string }, void>
      opened={asked !== null}
      onClose={onClose}
      title={pauses ? t`Pause membership` : t`Cancel membership`}
      rules={{}}
      version={asked?.held.version}
      values={{ reason: '' }}
      submitLabel={pauses ? <Trans>Pause membership</Trans> : <Trans>Cancel membership</Trans>}
      onSubmit={async ({ reason }, sent) => {
        if (!asked) return
        await membership[asked.what].call({ membershipId: asked.held.id, reason }, sent)
        await changed()
        toast.success(pauses ? t`Membership paused` : t`Membership cancelled`)
      }}
    >
      {(form) => (
        <>
          <p>
            {pauses ? (
              <Trans>The membership does not count until it is resumed. Its term keeps running.</Trans>
            ) : (
              <Trans>The membership ends today. To let it run to the end of its term, turn auto-renewal off instead.</Trans>
            )}
          </p>
          <Textarea label={t`Reason`} maxLength={500} autosize minRows={2} data-autofocus {...form.getInputProps('reason')} />
        </>
      )}
    </FormDialog>
  )
}
