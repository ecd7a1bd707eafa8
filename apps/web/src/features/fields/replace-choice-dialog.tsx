import { NativeSelect } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useApi } from '../../platform/api/api.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useFieldsChanged } from './fields-api.ts'
import type { Field } from './fields-api.ts'

/** Deletes a choice that is in use: whoever has it gets another. */
export function ReplaceChoiceDialog({ field, onClose }: { field: Field | null; onClose: () => void }) {
  const api = useApi()
  const changed = useFieldsChanged()
  const options = field?.choices.map(({ id, label }) => ({ value: id, label })) ?? []
  const blank = { value: '', label: t`Choose` }
  return (
    <FormDialog<{ choiceId: string; replaceBy: string }, void>
      opened={field !== null}
      onClose={onClose}
      title={t`Replace a choice`}
      rules={{
        choiceId: (value) => (value ? null : t`Choose the choice to delete.`),
        replaceBy: (value, { choiceId }) => (value && value !== choiceId ? null : t`Choose another choice.`),
      }}
      values={{ choiceId: '', replaceBy: '' }}
      submitLabel={<Trans>Replace and delete</Trans>}
      onSubmit={async ({ choiceId, replaceBy }) => {
        if (!field) return
        await api.data.fields.replaceChoice.call({ fieldId: field.id, choiceId, replaceBy })
        await changed()
        toast.success(t`Choice replaced`)
      }}
    >
      {(form) => (
        <>
          <NativeSelect label={t`Delete`} data={[blank, ...options]} {...form.getInputProps('choiceId')} />
          <NativeSelect
            label={t`Replace by`}
            data={[blank, ...options.filter(({ value }) => value !== form.getValues().choiceId)]}
            {...form.getInputProps('replaceBy')}
          />
        </>
      )}
    </FormDialog>
  )
}
