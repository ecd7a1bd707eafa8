import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import type { ChangeEvent, KeyboardEvent, ReactNode, RefObject } from 'react'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import type { Option } from '../../../ui/filter/filter.ts'
import { useOptionSearch } from '../../../ui/filter/use-option-search.ts'
import classes from './donor-box.module.css'

/** Who gave: a person of the directory, or a name as it is typed. */
export type DonorValue = { personId: string | null; name: string }
export const noDonor: DonorValue = { personId: null, name: '' }

type Given = {
  value: DonorValue
  onChange: (value: DonorValue) => void
  /** Keys that the list of people leaves alone. */
  onKey?: (event: KeyboardEvent<HTMLInputElement>) => void
}

const most = 8

/**
 * A text field that offers people while one types. Nobody is taken unless chosen by arrow and Enter or by a click, so that the name of a donor who
 * is not in the directory stays as typed.
 */
export function useDonorBox({ value, onChange, onKey }: Given) {
  const { people } = useRecordSources()
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  const [opened, setOpened] = useState(false)
  const [at, setAt] = useState(-1)
  const asks = opened && value.name.trim() !== ''
  const { options, state } = useOptionSearch(people.search, value.name, asks)
  const shown = asks ? options.slice(0, most) : []
  const isOpen = asks && (shown.length > 0 || state !== 'idle')
  const active = shown[at]
  const close = () => {
    setOpened(false)
    setAt(-1)
  }
  const take = ({ value: personId, label }: Option) => {
    onChange({ personId, name: label })
    close()
  }
  const input = {
    ref: field,
    role: 'combobox',
    autoComplete: 'off',
    'aria-autocomplete': 'list' as const,
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? list : undefined,
    'aria-activedescendant': active ? `${list}${active.value}` : undefined,
    // Escape closes the list and not the dialog around it.
    'data-mantine-stop-propagation': isOpen || undefined,
    value: value.name,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      onChange({ personId: null, name: event.currentTarget.value })
      setOpened(true)
      setAt(-1)
    },
    onBlur: close,
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.nativeEvent.isComposing) return
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (isOpen && step !== 0 && shown.length > 0) setAt(Math.max(-1, Math.min(shown.length - 1, at + step)))
      else if (isOpen && event.key === 'Enter' && active && !event.ctrlKey && !event.metaKey) take(active)
      else if (isOpen && event.key === 'Escape') close()
      else return onKey?.(event)
      event.preventDefault()
      event.stopPropagation()
    },
  }
  const popup: ReactNode = isOpen && (
    <Offered
      id={list}
      field={field}
      options={shown}
      active={active?.value}
      searching={state === 'loading'}
      failed={state === 'failed'}
      onTake={take}
    />
  )
  return { input, popup }
}

type OfferedProps = {
  id: string
  field: RefObject<HTMLInputElement | null>
  options: readonly Option[]
  active: string | undefined
  searching: boolean
  failed: boolean
  onTake: (option: Option) => void
}

/** Below its field, wherever that scrolls to; fixed, so that no table cuts it off. */
function Offered({ id, field, options, active, searching, failed, onTake }: OfferedProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const place = () => {
      const at = field.current?.getBoundingClientRect()
      if (!at || !box.current) return
      const { style, offsetHeight } = box.current
      const below = window.innerHeight - at.bottom
      style.insetInlineStart = `${document.documentElement.dir === 'rtl' ? window.innerWidth - at.right : at.left}px`
      style.insetBlockStart = `${below < offsetHeight + 8 && at.top > below ? at.top - offsetHeight - 4 : at.bottom + 4}px`
      style.minInlineSize = `${at.width}px`
    }
    place()
    window.addEventListener('scroll', place, true)
    window.addEventListener('resize', place)
    return () => {
      window.removeEventListener('scroll', place, true)
      window.removeEventListener('resize', place)
    }
  })
  return (
    <div ref={box} className={classes['popup']}>
      <div id={id} role="listbox" aria-label={t`People`}>
        {options.map((option) => (
          <div
            key={option.value}
            id={`${id}${option.value}`}
            role="option"
            aria-selected={option.value === active}
            className={classes['option']}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(option)}
          >
            <span>{option.label}</span>
            {option.hint && <span className={classes['hint']}>{option.hint}</span>}
          </div>
        ))}
      </div>
      <p className={classes['foot']}>
        {searching && options.length === 0 ? (
          <Trans>Searching</Trans>
        ) : failed ? (
          <Trans>The search failed. The name can be kept as typed.</Trans>
        ) : options.length === 0 ? (
          <Trans>Nobody in the directory. The name is kept as typed.</Trans>
        ) : (
          <Trans>Press ↓ and Enter to choose a person, or go on with the name as typed.</Trans>
        )}
      </p>
    </div>
  )
}
