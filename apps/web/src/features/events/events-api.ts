import type { Event, EventRow } from '@guildhall/contract/features/events'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'

export type { Event, EventRow }

export const useEvents = (question: { q?: string; filter?: string; sort?: string; limit: number }, enabled = true) =>
  useInfiniteQuery({ ...pagedOptions(useApi().data.events.list, question), enabled })

export const useEvent = (eventId: string, enabled = true) =>
  useQuery({ ...useApi().data.events.get.queryOptions({ input: { eventId } }), enabled })

export const useEventTemplates = () => useQuery(useApi().data.events.templates.queryOptions({ input: {} }))

/** Puts an event as it was answered in place of the one shown, and has every list asked anew. */
export function useEventChanged() {
  const { events, home } = useApi().data
  const cache = useQueryClient()
  return (event: Event) => {
    cache.setQueryData(events.get.queryKey({ input: { eventId: event.id } }), event)
    return Promise.all(
      [events.list.key(), events.calendar.key(), events.templates.key(), home.key()].map((queryKey) =>
        cache.invalidateQueries({ queryKey }),
      ),
    )
  }
}
