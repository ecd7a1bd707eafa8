import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, useEffect, useMemo } from 'react'
import { useApi } from '../../platform/api.tsx'
import { usePaletteRecords } from '../../platform/palette.ts'
import { useCan, useRights } from '../../platform/session.ts'
import type { Option } from '../../ui/filter.ts'

const offered = 8

/** Lets the palette find people by name, e-mail, telephone or member number, as far as this reader may. Mounted once. */
export function PeoplePaletteSource() {
  return useCan('people.directory') ? <Source /> : null
}

function Source() {
  const api = useApi()
  const seesContact = useCan('people.contact')
  usePaletteRecords({
    group: t`People`,
    search: async (q, signal) => {
      const { items } = await api.data.people.list.call(
        { q, sort: 'match', limit: offered, ...(seesContact && { columns: 'primaryEmail' }) },
        { signal },
      )
      return items.map(({ id, displayName, homeChapter, memberNo, primaryEmail }) => ({
        id: `person:${id}`,
        label: displayName,
        hint: [homeChapter?.name, memberNo, primaryEmail].filter(Boolean).join(' · '),
        to: `/person/${id}`,
      }))
    },
  })
  return null
}

const pauseMs = 3000

/** Mounted once: changes of many people that were under way when the page was left or reloaded go on in the progress tray. */
export function RunningBulk() {
  const api = useApi()
  const cache = useQueryClient()
  const can = useRights()
  const changes = can('people.write') || can('groups.manage')
  useEffect(() => {
    if (!changes) return
    // The page comes first.
    const timer = setTimeout(() => {
      const changed = () => cache.invalidateQueries({ queryKey: api.data.people.key() })
      void import('./bulk/follow-bulk.ts').then(({ followRunningBulk }) => followRunningBulk(api, changed)).catch(() => undefined)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [api, cache, changes])
  return null
}

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

/** Tags and who sees them. */
export const Tags = lazy(async () => ({ default: (await import('./tags-tab.tsx')).TagsTab }))

/** One's own facts and contact data, and the file of them, fetched when a profile opens. */
export const OwnPerson = lazy(async () => ({ default: (await import('./profile/own-person.tsx')).OwnPerson }))
export const OwnData = lazy(async () => ({ default: (await import('./profile/own-data.tsx')).OwnData }))
