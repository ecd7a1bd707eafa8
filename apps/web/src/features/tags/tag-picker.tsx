import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { problemText } from '../../platform/api/problem-text.tsx'
import { ComboboxPicker } from '../../ui/form/combobox-picker.tsx'
import type { Option } from '../../ui/filter/filter.ts'
import { folded } from '../../ui/filter/folded.ts'
import { useTagOptions } from './tag-options.ts'
import type { TagRef } from './tags-api.ts'

type Props = {
  value: TagRef | null
  onChange: (tag: TagRef | null) => void
  autoFocus?: boolean
  except?: readonly string[]
  /** Whether a name that no tag has yet is offered as a new tag. */
  mayMake?: boolean
}

const newFor = { 'new:officers': 'officers', 'new:members': 'members' } as const
const isNew = (value: string): value is keyof typeof newFor => Object.hasOwn(newFor, value)
const none: readonly string[] = []

/** A tag by its name; a name that no tag has yet is offered as a new one, for officers or for members, and made when chosen. */
export function TagPicker({ value, onChange, autoFocus = false, except = none, mayMake = true }: Props) {
  const api = useApi()
  const cache = useQueryClient()
  const { tags, findTag } = useTagOptions()
  const [error, setError] = useState<string>()
  const [typed, setTyped] = useState('')
  const left = except.join(' ')
  const search = useCallback(
    async (query: string): Promise<Option[]> => {
      setTyped(query)
      const all = await tags(query)
      if (!mayMake || query.length === 0 || all.some((tag) => folded(tag.label) === folded(query)))
        return all.filter((tag) => !left.includes(tag.value))
      return [
        ...all.filter((tag) => !left.includes(tag.value)),
        { value: 'new:officers', label: t`Create the tag “${query}” for officers only` },
        { value: 'new:members', label: t`Create the tag “${query}” for all members` },
      ]
    },
    [tags, left, mayMake],
  )
  const choose = async (option: Option | null) => {
    setError(undefined)
    if (!option) return onChange(null)
    try {
      if (!isNew(option.value)) return onChange((await findTag(option.value)) ?? null)
      const { id, name, color, audience } = await api.data.tags.create.call({ name: typed, audience: newFor[option.value] })
      await cache.invalidateQueries({ queryKey: api.data.tags.key() })
      onChange({ id, name, color, audience })
    } catch (problem) {
      setError(problemText(problem))
    }
  }
  const chosen = useMemo(() => value && { value: value.id, label: value.name }, [value])
  return (
    <ComboboxPicker
      autoFocus={autoFocus}
      label={t`Tag`}
      value={chosen}
      error={error}
      search={search}
      onChange={(option) => void choose(option)}
    />
  )
}
