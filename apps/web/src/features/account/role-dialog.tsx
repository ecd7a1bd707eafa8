import { Checkbox, Stack, TextInput, Textarea } from '@mantine/core'
import { NewRole } from '@guildhall/contract/features/account'
import { permissions } from '@guildhall/contract/permissions'
import type { Permission } from '@guildhall/contract/permissions'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { formRules } from '../../platform/api/form-rules.ts'
import { useApi } from '../../platform/api/api.tsx'
import { useMe } from '../../platform/session/session.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../ui/form/record-form.tsx'
import { useAccountsChanged } from './account-api.ts'
import type { Role } from './account-api.ts'

const isPermission = (name: string): name is Permission => Object.hasOwn(permissions, name)
const names = Object.keys(permissions).filter(isPermission)

/** A role of the organisation's own, new or as it is. */
export function RoleDialog({ edited, onClose }: { edited: Role | 'new' | null; onClose: () => void }) {
  const { roles } = useApi().data.account
  const changed = useAccountsChanged()
  const { data: me } = useMe()
  const held = new Set(me?.permissions.filter(({ everywhere }) => everywhere).map(({ permission }) => permission))
  const role = edited === 'new' ? null : edited
  return (
    <FormDialog
      opened={edited !== null}
      onClose={onClose}
      title={role ? t`Change role` : t`New role`}
      rules={formRules(NewRole)}
      values={{
        name: role?.name ?? '',
        description: role?.description ?? '',
        permissions: role?.permissions.map(({ name }) => name) ?? [],
      }}
      submitLabel={role ? <Trans>Save role</Trans> : <Trans>Create role</Trans>}
      onSubmit={async (values) => {
        const saved = role ? await roles.update.call({ roleId: role.id, ...values }) : await roles.create.call(values)
        await changed()
        toast.success(role ? t`${saved.name} changed` : t`${saved.name} created`)
      }}
    >
      {(form) => (
        <>
          <TextInput label={t`Name`} autoFocus data-autofocus maxLength={100} {...form.getInputProps('name')} />
          <Textarea label={<Optional>{t`Purpose`}</Optional>} autosize maxLength={300} {...form.getInputProps('description')} />
          <Checkbox.Group
            label={t`Allows`}
            description={t`At most what you may do in the whole organisation`}
            {...form.getInputProps('permissions')}
          >
            <Stack gap={8} mt={8}>
              {names.map((name) => (
                <Checkbox key={name} value={name} label={permissions[name]} disabled={!held.has(name)} />
              ))}
            </Stack>
          </Checkbox.Group>
        </>
      )}
    </FormDialog>
  )
}
