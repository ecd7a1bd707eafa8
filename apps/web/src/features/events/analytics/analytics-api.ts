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
export const useComparison = (input: Comparison) =>
  useQuery({ ...useApi().data.events.analytics.compare.queryOptions({ input }), placeholderData: keepPreviousData })
export const useEventsOverview = (place: { chapterId?: string; groupId?: string }) =>
  useQuery(useApi().data.events.analytics.overview.queryOptions({ input: place }))

export const shareOf = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)
