import { useState } from 'react'
import { ComboboxPicker } from './combobox-picker.tsx'
import type { ComboboxPickerProps } from './combobox-picker.tsx'
import type { FilterField, Option } from '../filter/filter.ts'
import { useOptionNames } from '../filter/use-option-names.ts'

export type RecordPickerProps = Omit<ComboboxPickerProps, 'value' | 'onChange'> & {
  /** The id of the chosen record. */
  value?: string | null
  onChange: (id: string | null) => void
  /** The record it begins with, where its name is at hand. */
  known?: Option | null
  /** What any other record is called that was not chosen here. */
  names?: FilterField['names'] | undefined
}

/** A ComboboxPicker that holds the record's id, so that it is a field of a form or of an address: `{...form.getInputProps('chapterId')}`. */
export function RecordPicker({ value, onChange, known = null, names, ...picker }: RecordPickerProps) {
  const [chosen, setChosen] = useState(known)
  const [fields] = useState<FilterField[]>(() => [{ id: 'picked', label: '', kind: 'record', ...(names && { names }) }])
  const wanted = value && value !== chosen?.value ? value : undefined
  const nameOf = useOptionNames(fields, [{ field: 'picked', op: 'in', value: wanted ? [wanted] : [] }])
  // Until the name is there the id is given back, which says nothing to a reader.
  const name = wanted && nameOf('picked', wanted)
  const asked = wanted ? { value: wanted, label: name === wanted ? '…' : (name ?? '') } : null
  return (
    <ComboboxPicker
      {...picker}
      value={value === chosen?.value ? chosen : asked}
      onChange={(option) => {
        setChosen(option)
        onChange(option?.value ?? null)
      }}
    />
  )
}
