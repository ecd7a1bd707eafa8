import type { MetricAnswer, MetricType } from '@guildhall/contract/features/integrations.metrics'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { useConnectionMoves, useIsTold } from '../../../platform/api/changes.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { metricFigure } from './metric-words-public.ts'

/** A busy run tells of itself several times in a second; a page asks anew so often at most. */
const pauseMs = 2_000
/** Where the server does not tell of changes. */
const unaskedMs = 60_000

type Question = {
  connectionId: string
  metricType: string
  from: string
  to: string
  bucket: MetricAnswer['bucket']
  compare: boolean
  split: boolean
}

/** One metric, kept up to date unless `isPaused`. */
export function useMetric(question: Question, isPaused: boolean) {
  const { metrics } = useApi().data.integrations
  const isTold = useIsTold()
  return useQuery({
    ...metrics.get.queryOptions({ input: question }),
    placeholderData: keepPreviousData,
    refetchInterval: isPaused || isTold ? false : unaskedMs,
    refetchOnWindowFocus: !isPaused,
    retry: false,
  })
}

/** Every metric of a connection over 30 days. */
export const useMetricOverview = (connectionId: string) =>
  useQuery(useApi().data.integrations.metrics.list.queryOptions({ input: { connectionId } }))

export const useMetricAlerts = (connectionId: string | undefined) =>
  useQuery({
    ...useApi().data.integrations.metrics.alerts.queryOptions({ input: { connectionId: connectionId ?? '' } }),
    enabled: connectionId !== undefined,
  })

/** After an alert or a note was added or removed, or something was measured. */
export function useMetricsChanged() {
  const { metrics } = useApi().data.integrations
  const cache = useQueryClient()
  return useCallback(() => cache.invalidateQueries({ queryKey: metrics.key() }), [metrics, cache])
}

/** Asks anew when the connection does something; null pauses that. */
export function useLiveMetrics(connectionId: string | null) {
  const changed = useMetricsChanged()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asked = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [connectionId])
  useConnectionMoves(connectionId, () => {
    clearTimeout(timer.current)
    const wait = Math.max(0, asked.current + pauseMs - Date.now())
    timer.current = setTimeout(() => {
      asked.current = Date.now()
      void changed()
    }, wait)
  })
}

/** `figure('latency', 850)` is "850 ms". */
export function useMetricFigure() {
  const formats = useFormats()
  const money = useMoney()
  return (type: MetricType, value: number, currency: string | null = null) =>
    metricFigure(type, value, formats, currency === null ? undefined : (amount) => money(amount, currency))
}
