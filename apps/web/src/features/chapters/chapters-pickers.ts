import { useMemo } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import type { Option } from '../../ui/filter/filter.ts'

const shown = 20

/** Type-ahead over people and chapters; the references never change. */
export function usePickers() {
  const api = useApi()
  return useMemo(
    () => ({
      people: async (q: string, signal: AbortSignal): Promise<Option[]> => {
        const { items } = await api.data.people.list.call({ ...(q && { q }), limit: shown }, { signal })
        return items.map(({ id, displayName, homeChapter }) => ({ value: id, label: displayName, hint: homeChapter?.name }))
      },
      chapters: async (q: string, signal: AbortSignal): Promise<Option[]> => {
        const { items } = await api.data.chapters.list.call({ ...(q && { q }), limit: shown }, { signal })
        return items.map(({ id, name, code }) => ({ value: id, label: name, hint: code }))
      },
    }),
    [api],
  )
}
