import { CloseButton, Combobox, InputBase, Loader, useCombobox } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import classes from './combobox-picker.module.css'
import type { Option } from '../filter/filter.ts'
import { useOptionSearch } from '../filter/use-option-search.ts'

const none: readonly string[] = []

export type ComboboxPickerProps = {
  label: ReactNode
  value: Option | null
  onChange: (option: Option | null) => void
  /** Asked as one types, also with an empty text when it opens. Keep the reference stable. */
  search: (query: string, signal: AbortSignal) => Promise<Option[]>
  description?: ReactNode
  error?: ReactNode
  placeholder?: string
  clearable?: boolean
  autoFocus?: boolean
  disabled?: boolean
}

/** One record, found by typing. */
export function ComboboxPicker({
  label,
  value,
  onChange,
  search,
  description,
  error,
  placeholder,
  clearable = true,
  autoFocus,
  disabled,
}: ComboboxPickerProps) {
  const [typed, setTyped] = useState<string | undefined>()
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setTyped(undefined)
    },
  })
  const { options, state } = useOptionSearch(search, typed ?? '', combobox.dropdownOpened)
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        const option = options.find((known) => known.value === id)
        if (option) onChange(option)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target withExpandedAttribute>
        <InputBase
          label={label}
          description={description}
          error={error}
          placeholder={placeholder ?? t`Type to search`}
          disabled={disabled ?? false}
          data-autofocus={autoFocus || undefined}
          autoFocus={autoFocus}
          autoComplete="off"
          value={typed ?? value?.label ?? ''}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            combobox.openDropdown()
            combobox.updateSelectedOptionIndex()
          }}
          // A dialog that merely puts the focus here must not have its other fields covered.
          onFocus={() => autoFocus && combobox.openDropdown()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          rightSectionPointerEvents="all"
          rightSection={
            state === 'loading' ? (
              <Loader size={16} aria-hidden />
            ) : value && clearable && !disabled ? (
              <CloseButton size="sm" aria-label={t`Clear`} onMouseDown={(event) => event.preventDefault()} onClick={() => onChange(null)} />
            ) : (
              <Combobox.Chevron />
            )
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Options options={options} state={state} chosen={value ? [value.value] : none} />
      </Combobox.Dropdown>
    </Combobox>
  )
}

type OptionsProps = {
  options: readonly Option[]
  state: 'idle' | 'loading' | 'failed'
  /** These have a mark. */
  chosen?: readonly string[]
  maxHeight?: number | undefined
}

/** The list of both pickers. */
export const Options = ({ options, state, chosen, maxHeight = 280 }: OptionsProps) => (
  <Combobox.Options mah={maxHeight} className={classes['options'] ?? ''}>
    {options.map(({ value, label, hint }) => (
      <Combobox.Option key={value} value={value} active={chosen?.includes(value) ?? false} className={classes['option'] ?? ''}>
        <span className={classes['name']}>
          {label} {chosen?.includes(value) && <IconCheck size={16} aria-label={t`Chosen`} role="img" />}
        </span>
        {hint && <span className={classes['hint']}>{hint}</span>}
      </Combobox.Option>
    ))}
    {options.length === 0 && (
      // A list of options may hold nothing else, so what it says stands as one that cannot be chosen.
      <Combobox.Empty role="option" aria-disabled aria-selected={false}>
        {state === 'loading' ? (
          <Trans>Searching</Trans>
        ) : state === 'failed' ? (
          <Trans>The search failed. Type again to retry.</Trans>
        ) : (
          <Trans>Nothing found</Trans>
        )}
      </Combobox.Empty>
    )}
  </Combobox.Options>
)
