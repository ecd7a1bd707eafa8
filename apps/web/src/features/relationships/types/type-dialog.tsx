import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/NumberInput.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { RelationshipApproval, RelationshipGrant, RelationshipType } from '@guildhall/contract/features/relationships'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import classes from '../person/person.module.css'
import { useRelationshipsChanged } from '../relationships-api.ts'
import { approvalWords, grantWords } from './type-words.ts'

type Values = {
  key: string
  name: string
  forwardLabel: string
  inverseLabel: string
  acyclic: boolean
  maxParents: number | string
  grants: RelationshipGrant
  approval: RelationshipApproval
  isMinorsOnly: boolean
}

const valuesOf = (type: RelationshipType | null): Values => ({
  key: type?.key ?? '',
  name: type?.name ?? '',
  forwardLabel: type?.forwardLabel ?? '',
  inverseLabel: type?.inverseLabel ?? '',
  acyclic: type?.acyclic ?? true,
  maxParents: type?.maxParents ?? '',
  grants: type?.grants ?? 'none',
  approval: type?.approval ?? 'other',
  isMinorsOnly: type?.isMinorsOnly ?? false,
})

const needed = (text: string) => (text.trim() === '' ? t`Enter a name.` : null)

export type TypeDialogProps = { edited: RelationshipType | 'new' | null; onClose: () => void }

/** Creates or changes a type; a rule that relationships of it would break is refused by the server. */
export function TypeDialog({ edited, onClose }: TypeDialogProps) {
  const { createType, updateType } = useApi().data.relationships
  const changed = useRelationshipsChanged()
  const type = edited === 'new' ? null : edited
  const options = <Key extends string>(words: Record<Key, string>) =>
    Object.entries<string>(words).map(([value, label]) => ({ value, label }))
  return (
    <FormDialog<Values, RelationshipType>
      opened={edited !== null}
      onClose={onClose}
      size="lg"
      title={type ? t`Change relationship type` : t`New relationship type`}
      version={type?.version}
      rules={{
        name: needed,
        forwardLabel: needed,
        inverseLabel: needed,
        key: (key) =>
          type || /^[a-z][a-z0-9-]{1,39}$/.test(key) ? null : t`Use small letters, digits and hyphens, beginning with a letter.`,
        approval: (approval, { grants }) =>
          grants !== 'none' && approval === 'none'
            ? t`A relationship that opens a record to somebody else needs approval. Choose who approves it.`
            : null,
      }}
      values={valuesOf(type)}
      submitLabel={type ? <Trans>Save relationship type</Trans> : <Trans>Create relationship type</Trans>}
      onSubmit={async ({ key, maxParents, ...values }, sent) => {
        const rules = { ...values, maxParents: maxParents === '' ? null : Number(maxParents) }
        const saved = type
          ? await updateType.call({ relationshipTypeId: type.id, ...rules }, sent)
          : await createType.call({ key, ...rules })
        await changed()
        toast.success(type ? t`“${saved.name}” changed` : t`“${saved.name}” created`)
        return saved
      }}
    >
      {(form) => (
        <div className={classes['fields']}>
          <TextInput
            label={t`Name`}
            placeholder={t`Godparent and godchild`}
            data-autofocus
            maxLength={60}
            {...form.getInputProps('name')}
          />
          {!type && (
            <TextInput
              label={t`Key`}
              description={t`Used in imports and addresses. It can’t be changed later.`}
              maxLength={40}
              {...form.getInputProps('key')}
            />
          )}
          <TextInput
            label={t`First person is called`}
            description={t`Who stands above: guardian, big, mentor`}
            maxLength={40}
            {...form.getInputProps('forwardLabel')}
          />
          <TextInput
            label={t`Second person is called`}
            description={t`Who stands below. Use the same word where there is no difference.`}
            maxLength={40}
            {...form.getInputProps('inverseLabel')}
          />
          <Checkbox label={t`No circles: nobody can come below themselves`} {...form.getInputProps('acyclic', { type: 'checkbox' })} />
          <NumberInput
            label={t`First persons at a time, at most`}
            description={t`Leave empty for any number.`}
            min={1}
            max={20}
            allowDecimal={false}
            {...form.getInputProps('maxParents')}
          />
          <NativeSelect label={t`The first person may`} data={options(grantWords())} {...form.getInputProps('grants')} />
          <NativeSelect label={t`Who agrees to a proposal`} data={options(approvalWords())} {...form.getInputProps('approval')} />
          <Checkbox
            label={t`For minors only`}
            description={t`Ends when the second person comes of age; everybody is told 60 days before. Only those who see minors see these relationships.`}
            {...form.getInputProps('isMinorsOnly', { type: 'checkbox' })}
          />
        </div>
      )}
    </FormDialog>
  )
}
