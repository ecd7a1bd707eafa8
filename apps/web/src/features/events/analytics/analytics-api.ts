import type {
  EventAnalytics,
  EventComparison,
  EventComparisonInput,
  EventFigures,
  EventMoney,
  EventRevenue,
} from '@guildhall/contract/features/events.analytics'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type * as z from 'zod'
import { useApi } from '../../../platform/api/api.tsx'

export type { EventAnalytics, EventComparison, EventFigures, EventMoney, EventRevenue }
export type Comparison = z.infer<typeof EventComparisonInput>

export const useEventAnalytics = (eventId: string, compareTo: string | undefined) =>
  useQuery({
    ...useApi().data.events.analytics.one.queryOptions({ input: { eventId, ...(compareTo && { compareTo }) } }),
    placeholderData: keepPreviousData,
  })
export const useEventRevenue = (eventId: string) => useQuery(useApi().data.events.analytics.revenue.queryOptions({ input: { eventId } }))
export function useComparison(input: Comparison) {
  const { queryOptions } = useApi().data.events.analytics.compare
  return useQuery({
    ...queryOptions({ input }),
    // Rows of another grouping have keys that mean something else: only what was asked with the same one stands in.
    placeholderData: (before, query) => (query?.options.meta?.['by'] === input.by ? before : undefined),
    meta: { by: input.by },
  })
}
export const useEventsOverview = (place: { chapterId?: string; groupId?: string }) =>
  useQuery(useApi().data.events.analytics.overview.queryOptions({ input: place }))

export const shareOf = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)
