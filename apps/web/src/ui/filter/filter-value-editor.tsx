import { Checkbox, SegmentedControl, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import classes from './filter-chips.module.css'
import { takesList, takesNothing } from './filter.ts'
import type { FilterCondition, FilterField, FilterValue } from './filter.ts'
import { RecordListPicker } from '../form/record-list-picker.tsx'

type Props = { field: FilterField; condition: FilterCondition; onChange: (value: FilterValue) => void }

export function FilterValueEditor({ field, condition: { op, value }, onChange }: Props) {
  if (takesNothing(op)) return null
  const list = Array.isArray(value) ? value.map(String) : []
  if (field.kind === 'choice' && takesList(op)) {
    return (
      <div className={classes['options']} role="group" aria-label={field.label}>
        {field.options?.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            checked={list.includes(option.value)}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...list, option.value] : list.filter((known) => known !== option.value))
            }
          />
        ))}
      </div>
    )
  }
  if (field.kind === 'record' && field.search)
    return <RecordListPicker label={field.label} value={list} onChange={onChange} search={field.search} names={field.names} inline />
  if (field.kind === 'yesNo') {
    return (
      <SegmentedControl
        aria-label={field.label}
        value={value === false ? 'no' : 'yes'}
        data={[
          { value: 'yes', label: t`Yes` },
          { value: 'no', label: t`No` },
        ]}
        onChange={(chosen) => onChange(chosen === 'yes')}
      />
    )
  }
  const type = field.kind === 'date' || field.kind === 'number' ? field.kind : 'text'
  if (op === 'between') {
    const [from = '', to = ''] = list
    return (
      <div className={classes['pair']}>
        <TextInput
          type={type}
          label={t`From`}
          value={from}
          onChange={(event) => onChange([read(event.currentTarget.value, type), read(to, type)])}
        />
        <TextInput
          type={type}
          label={t`To`}
          value={to}
          onChange={(event) => onChange([read(from, type), read(event.currentTarget.value, type)])}
        />
      </div>
    )
  }
  return (
    <TextInput
      type={type}
      aria-label={field.label}
      data-autofocus
      value={typeof value === 'boolean' || value === undefined || Array.isArray(value) ? '' : value}
      onChange={(event) => onChange(read(event.currentTarget.value, type))}
    />
  )
}

const read = (text: string, type: string): string | number =>
  type === 'number' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
