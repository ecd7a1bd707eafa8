import { emailPattern } from '@guildhall/contract/email-pattern'
import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useApi } from '../../platform/api/api.tsx'
import { PersonPicker } from '../../platform/records/record-pickers.tsx'
import { noRecord } from '../../platform/records/record-sources.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../ui/form/record-form.tsx'
import { useAccountsChanged } from './account-api.ts'

export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { invite } = useApi().data.account.accounts
  const changed = useAccountsChanged()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`Invite somebody`}
      draft="invite"
      values={{ email: '', name: '', personId: noRecord }}
      rules={{ email: (value) => (emailPattern.test(value.trim()) ? null : t`Enter an address like name@example.org.`) }}
      submitLabel={<Trans>Invite</Trans>}
      onSubmit={async ({ email, name, personId }) => {
        await invite.call({ email: email.trim(), ...(name.trim() && { name: name.trim() }), ...(personId && { personId }) })
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
            description={t`The first person to sign in with this verified address gets the account`}
            {...form.getInputProps('email')}
          />
          <TextInput label={<Optional>{t`Name`}</Optional>} maxLength={150} {...form.getInputProps('name')} />
          <PersonPicker label={<Optional>{t`Is this person`}</Optional>} {...form.getInputProps('personId')} />
        </>
      )}
    </FormDialog>
  )
}
