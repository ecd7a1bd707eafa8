import { Checkbox, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { ApiProblem } from '../../platform/api/problem.ts'
import { useMe } from '../../platform/session/session.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { ComboboxPicker } from '../../ui/form/combobox-picker.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import type { Option } from '../../ui/filter/filter.ts'
import { Optional, RecordForm } from '../../ui/form/record-form.tsx'
import { usePersonSearch } from '../people/people-public.tsx'
import { useGroupsChanged } from './groups-api.ts'
import type { Group, GroupMember } from './groups-api.ts'
import { chosen, roleOptions } from './groups-words.tsx'

type Props = { group: Group; member: GroupMember | 'new' | null; onClose: () => void }

export const MemberDialog = ({ group, member, onClose }: Props) => (
  <Dialog
    opened={member !== null}
    onClose={onClose}
    title={member === 'new' || !member ? t`Add to ${group.name}` : member.person.displayName}
  >
    {member && <MemberForm group={group} member={member === 'new' ? undefined : member} onClose={onClose} />}
  </Dialog>
)

function MemberForm({ group, member, onClose }: { group: Group; member: GroupMember | undefined; onClose: () => void }) {
  const { members } = useApi().data.groups
  const changed = useGroupsChanged()
  const searchPeople = usePersonSearch()
  const [person, setPerson] = useState<Option | null>(null)
  const { data: me } = useMe()
  // Who does not see everybody's contact data can only invite most people.
  const adds = me?.permissions.find(({ permission }) => permission === 'people.contact')?.everywhere ?? false
  const form = useForm({
    initialValues: {
      personId: member?.person.id ?? '',
      role: member?.role ?? 'member',
      title: member?.title ?? '',
      side: member?.side ?? '',
      startsOn: member?.startsOn ?? '',
      invite: !adds,
    },
    validate: { personId: (value) => (value ? null : t`Choose a person.`) },
  })
  return (
    <RecordForm
      form={form}
      submitLabel={member ? <Trans>Save</Trans> : form.values.invite ? <Trans>Invite</Trans> : <Trans>Add member</Trans>}
      onCancel={onClose}
      onSubmit={async ({ personId, title, side, startsOn, invite, ...values }) => {
        const facts = {
          role: chosen(roleOptions(), values.role) ?? 'member',
          title: title.trim(),
          side: side.trim(),
          startsOn: startsOn || null,
        }
        if (member) {
          await members.update.call({ groupId: group.id, memberId: member.id, ...facts }, { context: { ifMatch: member.version } })
          toast.success(t`${member.person.displayName} saved`)
        } else {
          const added = await members.add
            .call({ groupId: group.id, personId, ...facts, ...(invite && { status: 'invited' as const }) })
            .catch((problem: unknown) => {
              if (invite || !(problem instanceof ApiProblem) || problem.status !== 403) throw problem
              throw new Error(t`You do not see this person’s contact data, so that you can only invite them.`, { cause: problem })
            })
          toast.success(
            invite ? t`${added.person.displayName} is invited to ${group.name}` : t`${added.person.displayName} is now in ${group.name}`,
          )
        }
        await changed()
        onClose()
      }}
    >
      {!member && (
        <ComboboxPicker
          label={t`Person`}
          autoFocus
          value={person}
          search={searchPeople}
          error={form.errors['personId']}
          onChange={(option) => {
            setPerson(option)
            form.setFieldValue('personId', option?.value ?? '')
          }}
        />
      )}
      {!member && (
        <Checkbox
          label={t`Invite and let the person decide`}
          description={adds ? undefined : t`Needed for people whose contact data you do not see yet`}
          {...form.getInputProps('invite', { type: 'checkbox' })}
        />
      )}
      <Select
        label={t`Role`}
        description={t`Leaders look after the group and its members`}
        data={roleOptions()}
        allowDeselect={false}
        {...form.getInputProps('role')}
      />
      <TextInput
        label={<Optional>{t`Title`}</Optional>}
        placeholder={t`Chair, secretary …`}
        maxLength={150}
        {...form.getInputProps('title')}
      />
      <TextInput label={<Optional>{t`Side`}</Optional>} maxLength={60} {...form.getInputProps('side')} />
      <TextInput type="date" label={<Optional>{t`Since`}</Optional>} {...form.getInputProps('startsOn')} />
    </RecordForm>
  )
}
