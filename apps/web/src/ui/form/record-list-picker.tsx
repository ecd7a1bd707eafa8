import { Combobox, Pill, PillsInput, useCombobox } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Options } from './combobox-picker.tsx'
import classes from './combobox-picker.module.css'
import type { FilterField, Option } from '../filter/filter.ts'
import { useOptionNames } from '../filter/use-option-names.ts'
import { useOptionSearch } from '../filter/use-option-search.ts'

export type RecordListPickerProps = {
  label: string
  value: string[]
  onChange: (ids: string[]) => void
  search: (query: string, signal: AbortSignal) => Promise<Option[]>
  names?: FilterField['names'] | undefined
  /** The options stand below the field and cover nothing, as in a popover with more to do below them. */
  inline?: boolean
}

/** Several records, found by typing. */
export function RecordListPicker({ label, value, onChange, search, names, inline = false }: RecordListPickerProps) {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const [fields] = useState<FilterField[]>(() => [{ id: 'picked', label, kind: 'record', ...(names && { names }) }])
  const nameOf = useOptionNames(fields, [{ field: 'picked', op: 'in', value }])
  const combobox = useCombobox({ ...(inline && { opened: true }), onDropdownClose: () => combobox.resetSelectedOption() })
  const { options, state } = useOptionSearch(search, query, combobox.dropdownOpened)
  const list = <Options options={options} state={state} chosen={value} maxHeight={inline ? 176 : undefined} />
  return (
    <Combobox
      store={combobox}
      withinPortal={false}
      onOptionSubmit={(id) => {
        const option = options.find((known) => known.value === id)
        if (option) setChosen((before) => ({ ...before, [option.value]: option.label }))
        onChange(value.includes(id) ? value.filter((known) => known !== id) : [...value, id])
        setQuery('')
      }}
    >
      <Combobox.DropdownTarget>
        <PillsInput onClick={() => combobox.openDropdown()}>
          <Pill.Group>
            {value.map((id) => {
              const name = chosen[id] ?? nameOf('picked', id)
              return (
                <Pill
                  key={id}
                  withRemoveButton
                  onRemove={() => onChange(value.filter((known) => known !== id))}
                  removeButtonProps={{ 'aria-label': t`Remove ${name}` }}
                >
                  {name}
                </Pill>
              )
            })}
            <Combobox.EventsTarget withExpandedAttribute>
              <PillsInput.Field
                aria-label={label}
                placeholder={t`Type to search`}
                value={query}
                onClick={() => combobox.openDropdown()}
                onBlur={() => combobox.closeDropdown()}
                onChange={(event) => {
                  setQuery(event.currentTarget.value)
                  combobox.openDropdown()
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Backspace' && query === '' && value.length > 0) onChange(value.slice(0, -1))
                }}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      {inline ? <div className={classes['inline']}>{list}</div> : <Combobox.Dropdown>{list}</Combobox.Dropdown>}
    </Combobox>
  )
}
