import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useApi } from '../../platform/api.tsx'
import { problemText } from '../../platform/problem-text.tsx'
import { ComboboxPicker } from '../../ui/combobox-picker.tsx'
import type { Option } from '../../ui/filter.ts'
import { fold, usePeopleOptions } from './people-options.ts'

type Props = {
  label?: string
  value: Option | null
  onChange: (tag: Option | null) => void
  autoFocus?: boolean
  except?: readonly string[]
}

const newPrefix = 'new:'
const none: readonly string[] = []

/** A tag by its name; a name that no tag has yet is offered as a new one and made when chosen. */
export function TagPicker({ label, value, onChange, autoFocus = false, except = none }: Props) {
  const api = useApi()
  const cache = useQueryClient()
  const { tags } = usePeopleOptions()
  const [error, setError] = useState<string>()
  const left = except.join(' ')
  const search = useCallback(
    async (query: string) => {
      const found = (await tags(query)).filter((tag) => !left.includes(tag.value))
      const isNew = query.length > 0 && !found.some((tag) => fold(tag.label) === fold(query))
      return isNew ? [...found, { value: newPrefix + query, label: t`Make the tag “${query}”` }] : found
    },
    [tags, left],
  )
  const choose = async (option: Option | null) => {
    setError(undefined)
    if (!option?.value.startsWith(newPrefix)) return onChange(option)
    try {
      const made = await api.data.people.tags.create.call({ name: option.value.slice(newPrefix.length) })
      await cache.invalidateQueries({ queryKey: api.data.people.tags.key() })
      onChange({ value: made.id, label: made.name })
    } catch (problem) {
      setError(problemText(problem))
    }
  }
  return (
    <ComboboxPicker
      autoFocus={autoFocus}
      label={label ?? t`Tag`}
      value={value}
      error={error}
      search={search}
      onChange={(option) => void choose(option)}
    />
  )
}
