import { emailPattern } from '@guildhall/contract/email-pattern'
import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { ComboboxPicker } from '../../ui/form/combobox-picker.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import type { Option } from '../../ui/filter/filter.ts'
import { Optional, RecordForm } from '../../ui/form/record-form.tsx'
import { usePersonSearch } from '../people/people-public.tsx'
import { useAccountsChanged } from './account-api.ts'

export const InviteDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title={t`Invite somebody`}>
    {opened && <InviteForm onClose={onClose} />}
  </Dialog>
)

function InviteForm({ onClose }: { onClose: () => void }) {
  const { invite } = useApi().data.account.accounts
  const changed = useAccountsChanged()
  const searchPeople = usePersonSearch()
  const [person, setPerson] = useState<Option | null>(null)
  const form = useForm({
    initialValues: { email: '', name: '' },
    validateInputOnBlur: true,
    validate: { email: (value) => (emailPattern.test(value.trim()) ? null : t`Enter an address like name@example.org.`) },
  })
  return (
    <RecordForm
      form={form}
      draft="invite"
      submitLabel={<Trans>Invite</Trans>}
      onCancel={onClose}
      onSubmit={async ({ email, name }) => {
        await invite.call({ email: email.trim(), ...(name.trim() && { name: name.trim() }), ...(person && { personId: person.value }) })
        await changed()
        toast.success(t`${email.trim()} is invited`)
        onClose()
      }}
    >
      <TextInput
        label={t`E-mail`}
        type="email"
        autoFocus
        data-autofocus
        description={t`The first person to sign in with this verified address gets the account`}
        {...form.getInputProps('email')}
      />
      <TextInput label={<Optional>{t`Name`}</Optional>} maxLength={150} {...form.getInputProps('name')} />
      <ComboboxPicker label={<Optional>{t`Is this person`}</Optional>} value={person} onChange={setPerson} search={searchPeople} />
    </RecordForm>
  )
}
