import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { LineRecord } from '@guildhall/contract/features/relationships.lines'
import type { Relationship, RelationshipType } from '@guildhall/contract/features/relationships'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { PersonPicker } from '../../../platform/records/record-pickers.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useRelationshipsChanged } from '../relationships-api.ts'

type Values = { fromPersonId: string | null; startsOn: string }
type Props = { opened: boolean; child: LineRecord | undefined; type: RelationshipType; onClose: () => void }

/** Records who looks after a child that has nobody. */
export function AddGuardianDialog({ opened, child, type, onClose }: Props) {
  const { create } = useApi().data.relationships
  const changed = useRelationshipsChanged()
  const today = useToday()
  const name = child?.name ?? ''
  return (
    <FormDialog<Values, Relationship>
      opened={opened}
      onClose={onClose}
      title={t`${type.forwardLabel} of ${name}`}
      rules={{ fromPersonId: (person) => (!person || person === child?.id ? t`Choose another person.` : null) }}
      values={{ fromPersonId: null, startsOn: today }}
      submitLabel={<Trans>Add</Trans>}
      onSubmit={async ({ fromPersonId, startsOn }) => {
        const made = await create.call({
          typeId: type.id,
          fromPersonId: fromPersonId ?? '',
          toPersonId: child?.id ?? '',
          startsOn: startsOn === '' ? null : startsOn,
        })
        await changed()
        toast.success(
          made.state === 'active'
            ? t`${made.from.displayName} added as ${type.forwardLabel}`
            : t`${made.from.displayName} proposed as ${type.forwardLabel}`,
        )
        return made
      }}
    >
      {(form) => (
        <>
          <PersonPicker label={type.forwardLabel} data-autofocus {...form.getInputProps('fromPersonId')} />
          <TextInput type="date" label={t`Since`} {...form.getInputProps('startsOn')} />
        </>
      )}
    </FormDialog>
  )
}
