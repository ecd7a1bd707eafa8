import { Checkbox, Select, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useApi } from '../../platform/api/api.tsx'
import { ApiProblem } from '../../platform/api/problem.ts'
import { PersonPicker } from '../../platform/records/record-pickers.tsx'
import { useHoldsEverywhere } from '../../platform/session/session.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../ui/form/record-form.tsx'
import { useGroupsChanged } from './groups-api.ts'
import type { Group, GroupMember } from './groups-api.ts'
import { chosen, roleOptions } from './groups-words.tsx'

type Props = { group: Group; edited: GroupMember | 'new' | null; onClose: () => void }

export function MemberDialog({ group, edited, onClose }: Props) {
  const { members } = useApi().data.groups
  const changed = useGroupsChanged()
  // Who does not see everybody's contact data can only invite most people.
  const adds = useHoldsEverywhere('people.contact')
  const member = edited === 'new' ? null : edited
  return (
    <FormDialog
      opened={edited !== null}
      onClose={onClose}
      title={member ? member.person.displayName : t`Add to ${group.name}`}
      values={{
        personId: member?.person.id ?? '',
        role: member?.role ?? 'member',
        title: member?.title ?? '',
        side: member?.side ?? '',
        startsOn: member?.startsOn ?? '',
        invite: !adds,
      }}
      rules={{ personId: (value) => (value ? null : t`Choose a person.`) }}
      version={member?.version}
      submitLabel={({ invite }) => (member ? <Trans>Save</Trans> : invite ? <Trans>Invite</Trans> : <Trans>Add member</Trans>)}
      onSubmit={async ({ personId, title, side, startsOn, invite, role }, sent) => {
        const facts = {
          role: chosen(roleOptions(), role) ?? 'member',
          title: title.trim(),
          side: side.trim(),
          startsOn: startsOn || null,
        }
        if (member) {
          await members.update.call({ groupId: group.id, memberId: member.id, ...facts }, sent)
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
      }}
    >
      {(form) => (
        <>
          {!member && <PersonPicker label={t`Person`} autoFocus {...form.getInputProps('personId')} />}
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
        </>
      )}
    </FormDialog>
  )
}
