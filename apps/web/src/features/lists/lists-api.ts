import type { Preferences } from '@guildhall/contract/features/account'
import type { SavedView, ViewSpec, ExportedList } from '@guildhall/contract/features/lists'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { useMe } from '../../platform/session/session.ts'

export type { SavedView, ViewSpec, ExportedList }
export type ViewedList = SavedView['list']

/** The reader's own views of a list and those shared with the organisation. */
export function useSavedViews(list: ViewedList) {
  const api = useApi()
  const cache = useQueryClient()
  const query = useQuery(api.data.lists.views.list.queryOptions({ input: { list } }))
  return useMemo(() => {
    const refresh = () => cache.invalidateQueries({ queryKey: api.data.lists.views.key() })
    return {
      views: query.data?.items,
      isPending: query.isPending,
      create: async (name: string, spec: ViewSpec, shared: boolean) => {
        const view = await api.data.lists.views.create.call({ list, name, spec, sharedWith: shared ? 'organisation' : 'me' })
        await refresh()
        return view
      },
      change: async (viewId: string, change: { name?: string; spec?: ViewSpec; sharedWith?: 'me' | 'organisation' }) => {
        // Asked afresh, so that an undo much later still names the version it changes.
        const views = await cache.query({ ...api.data.lists.views.list.queryOptions({ input: { list } }), staleTime: 0 })
        const known = query.data?.items.find((view) => view.id === viewId)?.version
        const version = views.items.find((view) => view.id === viewId)?.version ?? known
        await api.data.lists.views.update.call({ viewId, ...change }, { context: { ifMatch: version } })
        await refresh()
      },
      remove: async (viewId: string) => {
        await api.data.lists.views.remove.call({ viewId })
        await refresh()
      },
    }
  }, [api, cache, list, query.data, query.isPending])
}

/** The view that the reader wants a list to open with; without an id, the first of those that everybody has. */
export function useDefaultView(list: ViewedList) {
  const api = useApi()
  const cache = useQueryClient()
  const id = useMe().data?.account.preferences.defaultViews?.[list]
  return useMemo(() => {
    const { queryKey } = api.data.account.me.queryOptions()
    const draw = (preferences: Preferences) =>
      cache.setQueryData(
        queryKey,
        (me) => me && { ...me, account: { ...me.account, preferences: { ...me.account.preferences, ...preferences } } },
      )
    return {
      id,
      set: async (viewId: string | undefined) => {
        const { [list]: _, ...others } = cache.getQueryData(queryKey)?.account.preferences.defaultViews ?? {}
        draw(await api.data.account.updatePreferences.call({ defaultViews: { ...others, ...(viewId && { [list]: viewId }) } }))
      },
    }
  }, [api, cache, list, id])
}

/** Asks which columns an export can have: once it is needed, so that nobody has to wait for it before. */
export function useExportColumns(list: ExportedList) {
  const api = useApi()
  const cache = useQueryClient()
  return async () => (await cache.query({ ...api.data.lists.exports.columns.queryOptions({ input: { list } }), staleTime: 600_000 })).items
}
