import { lazy, useMemo } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import type { Option } from '../../ui/filter/filter.ts'

/** Type-ahead over people, for a picker of any feature; keep it as it is given. */
export function usePersonSearch() {
  const api = useApi()
  return useMemo(
    () =>
      async (q: string, signal: AbortSignal): Promise<Option[]> => {
        const { items } = await api.data.people.list.call({ ...(q && { q, sort: 'match' }), limit: 20 }, { signal })
        return items.map(({ id, displayName, homeChapter }) => ({ value: id, label: displayName, hint: homeChapter?.name }))
      },
    [api],
  )
}

/** One's own facts and contact data, and the file of them, fetched when a profile opens. */
export const OwnPerson = lazy(async () => ({ default: (await import('./profile/own-person.tsx')).OwnPerson }))
export const OwnData = lazy(async () => ({ default: (await import('./profile/own-data.tsx')).OwnData }))
