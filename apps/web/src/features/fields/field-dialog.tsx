import { ActionIcon, Button, Checkbox, NativeSelect, Radio, TextInput } from '@mantine/core'
import '@mantine/core/styles/Radio.css'
import type { UseFormReturnType } from '@mantine/form'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { FieldAudience, FieldType } from '@guildhall/contract/features/fields'
import type { NewField } from '@guildhall/contract/features/fields'
import { useApi } from '../../platform/api/api.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../ui/form/record-form.tsx'
import { FieldInput } from './field-input.tsx'
import { audienceWord, typeWords } from './field-words.ts'
import { useFieldsChanged } from './fields-api.ts'
import type { Field, RecordType } from './fields-api.ts'
import classes from './fields.module.css'

type Choice = { id?: string; label: string; color: Field['choices'][number]['color']; retired: boolean }
type Values = Omit<NewField, 'recordType' | 'choices' | 'type' | 'audience'> & { type: string; audience: string; choices: Choice[] }

/** "T-shirt size" is tshirt_size. */
const keyOf = (label: string) =>
  label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[’'\p{M}-]/gu, '')
    .split(/[^a-z0-9]/)
    .filter(Boolean)
    .join('_')
    .replace(/^[0-9_]+/, '')
    .slice(0, 30)

const isSearchable = (recordType: RecordType, type: string) => recordType === 'people' && (type === 'text' || type === 'url')

/** A field, new or as it is, with how it will look. */
export function FieldDialog({
  edited,
  recordType,
  onClose,
}: {
  edited: Field | 'new' | null
  recordType: RecordType
  onClose: () => void
}) {
  const { fields } = useApi().data
  const changed = useFieldsChanged()
  const field = edited === 'new' ? null : edited
  const hasChoices = (type: string) => type === 'choice' || type === 'choices'
  return (
    <FormDialog<Values, void>
      opened={edited !== null}
      onClose={onClose}
      title={field ? t`Edit field` : t`New field`}
      size="lg"
      rules={{
        label: (value) => (value.trim() ? null : t`Enter a label.`),
        key: (value, { label }) =>
          /^[a-z][a-z0-9_]{0,29}$/.test(value || keyOf(label)) ? null : t`Use a to z, 0 to 9 and _, starting with a letter.`,
        choices: (choices, { type }) =>
          hasChoices(type) && choices.every(({ label }) => !label.trim()) ? t`Add at least one choice.` : null,
      }}
      values={{
        key: field?.key ?? '',
        label: field?.label ?? '',
        type: field?.type ?? 'text',
        help: field?.help ?? '',
        section: field?.section ?? '',
        pattern: field?.pattern ?? '',
        required: field?.required ?? false,
        audience: field?.audience ?? 'officers',
        ownEditable: field?.ownEditable ?? false,
        sensitive: field?.sensitive ?? false,
        searchable: field?.searchable ?? false,
        choices: field?.choices.map((choice) => ({ ...choice })) ?? [{ label: '', color: 'gray', retired: false }],
      }}
      version={field?.version}
      fieldOf={(path) => path.split('.')[0] ?? path}
      submitLabel={field ? <Trans>Save field</Trans> : <Trans>Create field</Trans>}
      onSubmit={async ({ key, type, audience, choices, ...values }, sent) => {
        const chosen = hasChoices(type) ? choices.filter(({ label }) => label.trim()) : []
        const common = {
          ...values,
          pattern: type === 'text' ? values.pattern : '',
          searchable: isSearchable(recordType, type) && values.searchable,
          audience: FieldAudience.catch('officers').parse(audience),
          choices: chosen.map(({ id, label, color, retired }) => ({ label, color, retired, ...(id && { id }) })),
        }
        const saved = field
          ? await fields.update.call({ fieldId: field.id, ...common }, sent)
          : await fields.create.call({ recordType, key: key || keyOf(values.label), type: FieldType.catch('text').parse(type), ...common })
        await changed()
        toast.success(field ? t`“${saved.label}” changed` : t`“${saved.label}” created`)
      }}
    >
      {(form) => <FieldForm form={form} field={field} recordType={recordType} />}
    </FormDialog>
  )
}

function FieldForm({ form, field, recordType }: { form: UseFormReturnType<Values>; field: Field | null; recordType: RecordType }) {
  const { label, key, type, help, audience, sensitive, choices, required } = form.getValues()
  const isChoice = type === 'choice' || type === 'choices'
  const people = recordType === 'people'
  const audiences = FieldAudience.options.filter((one) => (people || one !== 'self') && !(sensitive && one === 'everyone'))
  const shown: Field = {
    id: '', recordType, key: key || 'preview', label: label || t`Field`, help, type: FieldType.catch('text').parse(type), required, pattern: '', section: '',
    audience: 'officers', ownEditable: false, sensitive, searchable: false, reach: 'all', archivedAt: null, version: 1,
    choices: choices.filter((one) => one.label).map((one, at) => ({ id: one.id ?? String(at), label: one.label, color: one.color, retired: one.retired })),
  } // prettier-ignore
  return (
    <>
      <TextInput label={t`Label`} autoFocus data-autofocus maxLength={80} {...form.getInputProps('label')} />
      {field ? (
        <p className={classes['dim']}>
          <Trans>
            {typeWords()[field.type]}, key {field.key}. Type and key stay as they are.
          </Trans>
        </p>
      ) : (
        <>
          <NativeSelect
            label={t`Type`}
            data={FieldType.options.map((value) => ({ value, label: typeWords()[value] }))}
            {...form.getInputProps('type')}
          />
          <TextInput
            label={<Optional>{t`Key`}</Optional>}
            description={t`What imports and programs call it. It cannot be changed later.`}
            placeholder={keyOf(label)}
            maxLength={30}
            {...form.getInputProps('key')}
          />
        </>
      )}
      {isChoice && <Choices form={form} />}
      <TextInput label={<Optional>{t`Help text`}</Optional>} maxLength={300} {...form.getInputProps('help')} />
      <TextInput
        label={<Optional>{t`Heading`}</Optional>}
        description={t`Fields with the same heading stand together.`}
        maxLength={60}
        {...form.getInputProps('section')}
      />
      {type === 'text' && (
        <TextInput
          label={<Optional>{t`Pattern`}</Optional>}
          description={t`A regular expression that the whole text must match, such as [A-Z]{2}[0-9]{4}. Explain it in the help text.`}
          maxLength={200}
          {...form.getInputProps('pattern')}
        />
      )}
      {isSearchable(recordType, type) && (
        <Checkbox
          label={t`Search finds people by it`}
          description={t`Only for readers who may see the value.`}
          {...form.getInputProps('searchable', { type: 'checkbox' })}
        />
      )}
      <Checkbox label={t`Required in new records`} {...form.getInputProps('required', { type: 'checkbox' })} />
      <Radio.Group label={t`Visible to`} {...form.getInputProps('audience')}>
        <div className={classes['choices']}>
          {audiences.map((one) => (
            <Radio key={one} value={one} label={audienceWord({ audience: one, sensitive, recordType })} />
          ))}
        </div>
      </Radio.Group>
      {people && audience !== 'officers' && (
        <Checkbox label={t`People edit it on their own page`} {...form.getInputProps('ownEditable', { type: 'checkbox' })} />
      )}
      <Checkbox
        label={t`Sensitive`}
        description={t`Officers need the right to sensitive data to read, filter and export it.`}
        {...form.getInputProps('sensitive', { type: 'checkbox' })}
        onChange={({ currentTarget }) => {
          form.setFieldValue('sensitive', currentTarget.checked)
          if (currentTarget.checked && audience === 'everyone') form.setFieldValue('audience', 'officers')
        }}
      />
      <div className={classes['preview']} role="group" aria-label={t`Preview`}>
        <p className={classes['dim']}>{t`Preview`}</p>
        <FieldInput field={shown} value={undefined} onChange={() => undefined} />
      </div>
    </>
  )
}

/** Choices in their order; one that is in use is retired or replaced instead of deleted. */
function Choices({ form }: { form: UseFormReturnType<Values> }) {
  const { choices } = form.getValues()
  const set = (next: Choice[]) => form.setFieldValue('choices', next)
  const change = (at: number, part: Partial<Choice>) => set(choices.map((one, n) => (n === at ? { ...one, ...part } : one)))
  const move = (at: number, by: number) => set(choices.toSpliced(at, 1).toSpliced(at + by, 0, ...choices.slice(at, at + 1)))
  const colors: Record<Choice['color'], string> = {
    gray: t`Grey`,
    brand: t`Brand colour`,
    green: t`Green`,
    red: t`Red`,
    amber: t`Amber`,
    blue: t`Blue`,
  }
  const isColor = (value: string): value is Choice['color'] => value in colors
  return (
    <fieldset>
      <legend>{t`Choices`}</legend>
      <div className={classes['choices']}>
        {choices.map((choice, at) => {
          const nth = at + 1
          return (
            <div key={choice.id ?? `new-${String(at)}`} className={classes['line']}>
              <TextInput
                aria-label={t`Choice ${nth}`}
                maxLength={80}
                value={choice.label}
                onChange={({ currentTarget }) => change(at, { label: currentTarget.value })}
              />
              <NativeSelect
                aria-label={t`Colour of choice ${nth}`}
                data={Object.entries(colors).map(([value, label]) => ({ value, label }))}
                value={choice.color}
                onChange={({ currentTarget }) => isColor(currentTarget.value) && change(at, { color: currentTarget.value })}
              />
              {choice.id && (
                <Checkbox
                  label={t`Retired`}
                  checked={choice.retired}
                  onChange={({ currentTarget }) => change(at, { retired: currentTarget.checked })}
                />
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t`Move choice ${nth} up`}
                disabled={at === 0}
                onClick={() => move(at, -1)}
              >
                <IconArrowUp size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t`Move choice ${nth} down`}
                disabled={at === choices.length - 1}
                onClick={() => move(at, 1)}
              >
                <IconArrowDown size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon variant="subtle" color="gray" aria-label={t`Delete choice ${nth}`} onClick={() => set(choices.toSpliced(at, 1))}>
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </div>
          )
        })}
        {form.errors['choices'] && <p role="alert">{form.errors['choices']}</p>}
        <div>
          <Button
            variant="subtle"
            size="compact-md"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => set([...choices, { label: '', color: 'gray', retired: false }])}
          >
            <Trans>Add choice</Trans>
          </Button>
        </div>
      </div>
    </fieldset>
  )
}
