import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import type { FieldChange } from '@guildhall/contract/features/fields'
import { PersonPicker } from '../../platform/records/record-pickers.tsx'
import { Optional } from '../../ui/form/record-form.tsx'
import { yesNoWords } from './field-words.ts'
import type { Field, FieldValue } from './fields-api.ts'
import classes from './fields.module.css'

type Given = FieldChange[string]
type Props = { field: Field; value: Given | undefined; onChange: (value: Given) => void; known?: FieldValue | undefined }

/** A field of any form, whatever its type. */
export function FieldInput({ field, value, onChange, known }: Props) {
  const label = field.required ? field.label : <Optional>{field.label}</Optional>
  const common = { label, description: field.help || undefined }
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const typed = (type: string, inputMode?: 'decimal') => (
    <TextInput
      {...common}
      type={type}
      autoComplete="off"
      value={text}
      {...(inputMode && { inputMode })}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  )
  switch (field.type) {
    case 'text':
      return typed('text')
    case 'number':
      return typed('text', 'decimal')
    case 'date':
      return typed('date')
    case 'url':
      return typed('url')
    case 'flag':
      return (
        <NativeSelect
          {...common}
          data={[{ value: '', label: '–' }, ...Object.entries(yesNoWords()).map(([code, word]) => ({ value: code, label: word }))]}
          value={typeof value === 'boolean' ? String(value) : ''}
          onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value === 'true')}
        />
      )
    case 'choice':
      return (
        <NativeSelect
          {...common}
          data={[{ value: '', label: '–' }, ...offered(field, value).map((choice) => ({ value: choice.id, label: choice.label }))]}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
        />
      )
    case 'choices':
      return (
        <Checkbox.Group {...common} value={Array.isArray(value) ? value : []} onChange={(ids) => onChange(ids)}>
          <div className={classes['choices']}>
            {offered(field, value).map((choice) => (
              <Checkbox key={choice.id} value={choice.id} label={choice.label} />
            ))}
            {field.choices.length === 0 && <span>{t`No choices yet.`}</span>}
          </div>
        </Checkbox.Group>
      )
    case 'person': {
      const person = typeof known === 'object' && 'displayName' in known ? known : undefined
      return (
        <PersonPicker
          label={label}
          value={text || null}
          onChange={(id) => onChange(id)}
          {...(person && { known: { value: person.id, label: person.displayName } })}
        />
      )
    }
  }
}

/** What can be chosen: what is in use, and what was chosen before it was retired. */
const offered = ({ choices }: Field, value: Given | undefined) =>
  choices.filter(({ id, retired }) => !retired || (Array.isArray(value) ? value.includes(id) : value === id))
