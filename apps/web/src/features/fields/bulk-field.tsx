import { NativeSelect } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { useDebouncedCallback } from '@mantine/hooks'
import type { FieldBulkChange, FieldChange, RecordType } from '@guildhall/contract/features/fields'
import { useState } from 'react'
import { FieldInput } from './field-input.tsx'
import { useListFields } from './fields-api.ts'
import type { Field } from './fields-api.ts'
import classes from './fields.module.css'

type Given = FieldChange[string]
type How = 'set' | 'add' | 'remove' | 'clear'
type Props = { recordType: RecordType; onChange: (change: FieldBulkChange | undefined, label?: string) => void }

/** The field that many records are to have another value of, and the value. */
export function BulkField({ recordType, onChange }: Props) {
  const fields = useListFields(recordType)
  const [field, setField] = useState<Field>()
  const [how, setHow] = useState<How>('set')
  const [value, setValue] = useState<Given>(null)
  // Not a count for every key that is pressed.
  const tellLater = useDebouncedCallback(onChange, 300)
  const tell = (of: Field | undefined, next: How, given: Given) => {
    setField(of)
    setHow(next)
    setValue(given)
    onChange(undefined)
    tellLater(of && changeOf(of, next, given), of?.label)
  }
  return (
    <div className={classes['stack']}>
      <NativeSelect
        data-autofocus
        label={t`Field`}
        data={[{ value: '', label: t`Choose` }, ...fields.map(({ id, label }) => ({ value: id, label }))]}
        value={field?.id ?? ''}
        onChange={({ currentTarget }) => {
          const picked = fields.find(({ id }) => id === currentTarget.value)
          tell(picked, picked?.type === 'choices' ? 'add' : 'set', null)
        }}
      />
      {field && (
        <NativeSelect
          label={t`Change`}
          data={waysOf(field)}
          value={how}
          onChange={({ currentTarget }) => {
            const way = waysOf(field).find((one) => one.value === currentTarget.value)
            if (way) tell(field, way.value, value)
          }}
        />
      )}
      {field && how !== 'clear' && (
        <FieldInput
          key={field.id}
          // Clearing is a way of its own: here a value is entered.
          field={{
            ...field,
            required: true,
            choices: how === 'remove' ? field.choices.map((one) => ({ ...one, retired: false })) : field.choices,
          }}
          value={value ?? undefined}
          onChange={(given) => tell(field, how, given)}
        />
      )}
    </div>
  )
}

const waysOf = ({ type, required }: Field): { value: How; label: string }[] => [
  ...(type === 'choices'
    ? [
        { value: 'add' as const, label: t`Add choices` },
        { value: 'remove' as const, label: t`Remove choices` },
      ]
    : []),
  { value: 'set', label: type === 'choices' ? t`Replace all choices` : t`Set a value` },
  ...(required ? [] : [{ value: 'clear' as const, label: t`Clear the value` }]),
]

function changeOf({ id: fieldId }: Field, how: How, value: Given): FieldBulkChange | undefined {
  if (how === 'clear') return { do: 'setField', fieldId, value: null }
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return undefined
  if (how === 'set') return { do: 'setField', fieldId, value }
  if (!Array.isArray(value)) return undefined
  return { do: how === 'add' ? 'addChoices' : 'removeChoices', fieldId, choiceIds: value }
}
