import type { Menu } from '@guildhall/contract/features/site'
import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { useIsAuthenticated } from '../../platform/auth/auth-context.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import type { AreaKey } from '../../platform/navigation/area.ts'

export type PinnedEntry = Menu['pins'][number]

/** Pins and what waits. The navigation does not wait for them, and stands without them when they cannot be had. */
export function useMenu() {
  const signedIn = useIsAuthenticated()
  const { data } = useQuery({ ...useApi().data.site.menu.queryOptions(), enabled: signedIn, staleTime: 30_000 })
  return data
}

/** How much work waits in an area; nothing for areas where nothing can wait yet. */
export function useWaiting(): (area: AreaKey) => number {
  const waiting = useMenu()?.waiting
  return (area) => (waiting && (area === 'home' || area === 'account') ? waiting[area] : 0)
}

const isSame = (one: { kind: string; id: string }, other: { kind: string; id: string }) => one.kind === other.kind && one.id === other.id

export function usePins() {
  const api = useApi()
  const cache = useQueryClient()
  const menu = useMenu()
  const key = api.data.site.menu.queryOptions().queryKey
  const save = async (pins: PinnedEntry[]) => {
    if (!menu) return
    cache.setQueryData(key, { ...menu, pins })
    try {
      await api.data.account.updatePreferences.call({ pins: pins.map(({ kind, id }) => ({ kind, id })) })
    } catch (problem) {
      cache.setQueryData(key, menu)
      toast.error(t`The pins could not be changed.`, problem)
    }
  }
  const pins = menu?.pins ?? []
  return {
    /** Nothing can be pinned before it is known what is. */
    ready: menu !== undefined,
    pins,
    has: (entry: { kind: string; id: string }) => pins.some((pin) => isSame(pin, entry)),
    toggle: (entry: PinnedEntry) =>
      save(pins.some((pin) => isSame(pin, entry)) ? pins.filter((pin) => !isSame(pin, entry)) : [...pins, entry]),
  }
}

export const hrefOf = ({ kind, id }: PinnedEntry) => (kind === 'group' ? `/groups/${id}` : `/${kind}/${id}`)

/** A record as it is pinned; nothing for kinds that cannot be. */
export function pinOf({ kind, id, label }: { kind: string; id: string; label: string }): PinnedEntry | undefined {
  const known = (['person', 'chapter', 'group'] as const).find((name) => name === kind)
  return known && { kind: known, id, label }
}
