import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { HeldMembershipDetail } from '@guildhall/contract/features/membership'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useMembershipsChanged } from './membership-api.ts'

type Status = NonNullable<HeldMembershipDetail['override']>['status']
type Values = { status: Status | ''; until: string; reason: string }

/** Another status until a day, for a reason; "no override" ends it. */
export function OverrideDialog({ held, onClose }: { held: HeldMembershipDetail | null; onClose: () => void }) {
  const { membership } = useApi().data
  const changed = useMembershipsChanged()
  const now = held?.override
  return (
    <FormDialog<Values, void>
      opened={held !== null}
      onClose={onClose}
      title={t`Override status`}
      rules={{
        until: (until, { status }) => (status !== '' && until === '' ? t`Enter the last day of the override.` : null),
        reason: (reason, { status }) => (status !== '' && reason.trim() === '' ? t`Enter a reason.` : null),
      }}
      version={held?.version}
      values={{ status: now?.status ?? 'active', until: now?.until ?? '', reason: now?.reason ?? '' }}
      fieldOf={(path) => path.replace('override.', '')}
      submitLabel={<Trans>Save override</Trans>}
      onSubmit={async ({ status, until, reason }, sent) => {
        if (!held) return
        await membership.override.call({ membershipId: held.id, override: status === '' ? null : { status, until, reason } }, sent)
        await changed()
        toast.success(status === '' ? t`Override ended` : t`Override saved`)
      }}
    >
      {(form) => (
        <>
          <NativeSelect
            label={t`Status`}
            data-autofocus
            data={[
              { value: 'active', label: t`Active` },
              { value: 'grace', label: t`In grace period` },
              { value: 'lapsed', label: t`Lapsed` },
              { value: 'suspended', label: t`Paused` },
              { value: '', label: t`No override` },
            ]}
            {...form.getInputProps('status')}
          />
          {form.values.status !== '' && (
            <>
              <TextInput type="date" label={t`Until`} {...form.getInputProps('until')} />
              <Textarea label={t`Reason`} maxLength={500} autosize minRows={2} {...form.getInputProps('reason')} />
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}
