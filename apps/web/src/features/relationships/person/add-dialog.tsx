import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Relationship, RelationshipType } from '@guildhall/contract/features/relationships'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { PersonPicker } from '../../../platform/records/record-pickers.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useRelationshipsChanged } from '../relationships-api.ts'
import classes from './person.module.css'
import { approvalText, isMutual, pairText } from './relationship-words.ts'

type Named = { id: string; displayName: string }
type Values = { typeId: string; side: 'from' | 'to'; otherId: string | null; startsOn: string; note: string }
type Props = {
  opened: boolean
  person: Named
  types: readonly RelationshipType[]
  /** Of somebody who records no relationships of others: the other of the two is themselves, or anybody on their own page. */
  own: Named | undefined
  onClose: () => void
}

/** Records a relationship of somebody, or proposes one of one's own. */
export function AddRelationshipDialog({ opened, person, types, own, onClose }: Props) {
  const { create } = useApi().data.relationships
  const changed = useRelationshipsChanged()
  const name = person.displayName
  // On the page of somebody else, a member proposes one between the two.
  const fixed = own && own.id !== person.id ? own : undefined
  return (
    <FormDialog<Values, Relationship>
      opened={opened}
      onClose={onClose}
      title={t`New relationship of ${name}`}
      rules={{
        otherId: (other) => (!other ? t`Choose a person.` : other === person.id ? t`Choose two different people.` : null),
      }}
      values={{ typeId: types[0]?.id ?? '', side: 'from', otherId: fixed?.id ?? null, startsOn: '', note: '' }}
      fieldOf={(path) => (path === 'fromPersonId' || path === 'toPersonId' ? 'otherId' : path)}
      submitLabel={own ? <Trans>Propose relationship</Trans> : <Trans>Add relationship</Trans>}
      onSubmit={async ({ typeId, side, otherId, startsOn, note }) => {
        const other = otherId ?? ''
        const made = await create.call({
          typeId,
          ...(side === 'from' ? { fromPersonId: person.id, toPersonId: other } : { fromPersonId: other, toPersonId: person.id }),
          startsOn: startsOn === '' ? null : startsOn,
          note,
        })
        await changed()
        toast.success(made.state === 'active' ? t`${pairText(made)}: added` : t`${pairText(made)}: proposed`)
        return made
      }}
    >
      {(form) => {
        const type = types.find(({ id }) => id === form.values.typeId)
        const label = type && (form.values.side === 'from' ? type.inverseLabel : type.forwardLabel)
        return (
          <div className={classes['fields']}>
            <NativeSelect
              label={t`Type`}
              data-autofocus
              data={types.map(({ id, name: called }) => ({ value: id, label: called }))}
              {...form.getInputProps('typeId')}
            />
            {type && !isMutual(type) && (
              <NativeSelect
                label={t`${name} is the`}
                data={[
                  { value: 'from', label: type.forwardLabel },
                  { value: 'to', label: type.inverseLabel },
                ]}
                {...form.getInputProps('side')}
              />
            )}
            {fixed ? (
              <p className={classes['note']}>{t`${label ?? ''}: ${fixed.displayName} (you)`}</p>
            ) : (
              <PersonPicker label={label ?? t`Person`} {...form.getInputProps('otherId')} />
            )}
            <TextInput
              type="date"
              label={t`Since`}
              description={t`Leave empty if the day is not known.`}
              {...form.getInputProps('startsOn')}
            />
            <Textarea label={t`Note`} maxLength={500} autosize minRows={2} {...form.getInputProps('note')} />
            {own && type && <p className={classes['dim']}>{approvalText(type.approval, fixed ? name : '')}</p>}
          </div>
        )
      }}
    </FormDialog>
  )
}
