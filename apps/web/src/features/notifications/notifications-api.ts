import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'

export const useUnread = () => {
  const unread = useQuery({ ...useApi().data.notifications.count.queryOptions(), staleTime: 60_000 })
  return unread.data?.unread ?? 0
}

export const useNotifications = () => useInfiniteQuery(pagedOptions(useApi().data.notifications.list, { limit: 30 }))

export function useMarkRead() {
  const { notifications } = useApi().data
  const cache = useQueryClient()
  return useMutation({
    ...notifications.read.mutationOptions(),
    onSettled: () => cache.invalidateQueries({ queryKey: notifications.key() }),
  })
}

export const usePreferencesOfKinds = () => useQuery(useApi().data.notifications.preferences.queryOptions())

export function usePrefer() {
  const { notifications } = useApi().data
  const cache = useQueryClient()
  return useMutation({
    ...notifications.prefer.mutationOptions(),
    onSettled: () => cache.invalidateQueries({ queryKey: notifications.preferences.key() }),
  })
}
