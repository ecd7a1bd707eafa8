import type { SavedView, ViewSpec, ExportedList } from '@guildhall/contract/features/lists'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../platform/api/api.tsx'

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

/** Asks which columns an export can have: once it is needed, so that nobody has to wait for it before. */
export function useExportColumns(list: ExportedList) {
  const api = useApi()
  const cache = useQueryClient()
  return async () => (await cache.query({ ...api.data.lists.exports.columns.queryOptions({ input: { list } }), staleTime: 600_000 })).items
}
