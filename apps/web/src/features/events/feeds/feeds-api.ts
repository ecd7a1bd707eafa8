import type { CalendarFeed } from '@guildhall/contract/features/events.feeds'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'

export type { CalendarFeed }
/** What can be subscribed to; `name` is that of the chapter or group. */
export type Calendar =
  | { kind: 'personal' }
  | { kind: 'organisation' }
  | { kind: 'chapter'; chapterId: string; name: string }
  | { kind: 'group'; groupId: string; name: string }

const placeOf = (calendar: Calendar) =>
  calendar.kind === 'chapter'
    ? { kind: calendar.kind, chapterId: calendar.chapterId }
    : calendar.kind === 'group'
      ? { kind: calendar.kind, groupId: calendar.groupId }
      : { kind: calendar.kind }

export const useFeeds = (calendar: Calendar) => useQuery(useApi().data.events.feeds.list.queryOptions({ input: placeOf(calendar) }))

/** Makes an address, or puts another one in place of it. */
export function useFeedActs(calendar: Calendar) {
  const { feeds } = useApi().data.events
  const cache = useQueryClient()
  const onSuccess = () => cache.invalidateQueries({ queryKey: feeds.list.key() })
  const create = useMutation({
    mutationFn: (audience: CalendarFeed['audience']) => feeds.create.call({ ...placeOf(calendar), audience }),
    onSuccess,
  })
  const reset = useMutation({ mutationFn: (feedId: string) => feeds.reset.call({ feedId }), onSuccess })
  return { create, reset }
}
