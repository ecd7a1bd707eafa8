import { emailPattern } from '@guildhall/contract/email-pattern'
import { MultiSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useApi } from '../../platform/api/api.tsx'
import { PersonPicker } from '../../platform/records/record-pickers.tsx'
import { noRecord } from '../../platform/records/record-sources.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../ui/form/record-form.tsx'
import { useAccountsChanged, useRoles } from './account-api.ts'

const noRoles: string[] = []

export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { invite } = useApi().data.account.accounts
  const changed = useAccountsChanged()
  const roles = useRoles()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`Invite somebody`}
      draft="invite"
      values={{ email: '', name: '', personId: noRecord, roleIds: noRoles }}
      rules={{ email: (value) => (emailPattern.test(value.trim()) ? null : t`Enter an address like name@example.org.`) }}
      submitLabel={<Trans>Invite</Trans>}
      onSubmit={async ({ email, name, personId, roleIds }) => {
        await invite.call({
          email: email.trim(),
          ...(name.trim() && { name: name.trim() }),
          ...(personId && { personId }),
          ...(roleIds.length > 0 && { roleIds }),
        })
        await changed()
        toast.success(t`${email.trim()} is invited`)
      }}
    >
      {(form) => (
        <>
          <TextInput
            label={t`E-mail`}
            type="email"
            autoFocus
            data-autofocus
            description={t`The invitation is mailed here and can be accepted for 14 days`}
            {...form.getInputProps('email')}
          />
          <TextInput label={<Optional>{t`Name`}</Optional>} maxLength={150} {...form.getInputProps('name')} />
          <PersonPicker label={<Optional>{t`Person`}</Optional>} {...form.getInputProps('personId')} />
          <MultiSelect
            label={<Optional>{t`Roles`}</Optional>}
            description={t`For the whole organisation. Roles that allow more than yours are not offered.`}
            data={(roles.data?.items ?? []).filter(({ mayGrant }) => mayGrant).map(({ id, name }) => ({ value: id, label: name }))}
            maxValues={10}
            {...form.getInputProps('roleIds')}
          />
        </>
      )}
    </FormDialog>
  )
}
