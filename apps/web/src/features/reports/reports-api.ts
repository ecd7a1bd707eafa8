import type { ReportAnswer, ReportQuestion, SavedReport } from '@guildhall/contract/features/reports'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type * as z from 'zod'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'
import { ApiProblem } from '../../platform/api/problem.ts'

export type Saved = z.infer<typeof SavedReport>

/** Figures are the same for a while, and asking costs the database more than a list does. */
const fresh = 60_000

export type Answered = { question: ReportQuestion; answer: ReportAnswer }

/**
 * The answer to a question, with the question, since the former one stays until the next is there. A question that takes long is refused at once and not
 * asked again.
 */
export function useAnswer(question: ReportQuestion, { enabled = true, staleTime = fresh }: { enabled?: boolean; staleTime?: number } = {}) {
  const { ask } = useApi().data.reports
  return useQuery({
    queryKey: [...ask.key({ input: { question } }), 'with its question'],
    queryFn: async ({ signal }): Promise<Answered> => ({ question, answer: await ask.call({ question }, { signal }) }),
    placeholderData: keepPreviousData,
    staleTime,
    enabled,
    retry: (failures, problem) => failures < 1 && problem instanceof ApiProblem && problem.isNetwork,
  })
}

type Figure = { question: ReportQuestion; keys: (string | null)[]; measure: string }
export const useBehind = (figure: Figure) =>
  useInfiniteQuery(pagedOptions(useApi().data.reports.behind, { ...figure, limit: 50 }, { keepsRows: false }))

export const useSavedReport = (reportId: string, enabled = true) =>
  useQuery({ ...useApi().data.reports.get.queryOptions({ input: { reportId } }), enabled })

export const useSavedReports = (q: string, limit = 50) =>
  useInfiniteQuery(pagedOptions(useApi().data.reports.list, { limit, ...(q && { q }) }))

/** How far a run is; run-progress.ts asks again while it works. */
export const useRun = (runId: string | undefined) =>
  useQuery({ ...useApi().data.reports.run.queryOptions({ input: { runId: runId ?? '' } }), enabled: runId !== undefined, staleTime: fresh })

export const useRuns = () => useInfiniteQuery(pagedOptions(useApi().data.reports.runs, { limit: 20 }))

export const useSchedules = (reportId?: string) =>
  useQuery(useApi().data.reports.schedules.list.queryOptions({ input: reportId ? { reportId } : {} }))

/** After a change: what shows saved reports, schedules or runs is asked anew; figures stay as they are. */
export function useReportsChanged() {
  const { reports } = useApi().data
  const cache = useQueryClient()
  return useMemo(
    () => async (saved?: Saved) => {
      if (saved) cache.setQueryData(reports.get.queryKey({ input: { reportId: saved.id } }), saved)
      await Promise.all(
        [reports.list.key(), reports.get.key(), reports.schedules.key(), reports.runs.key()].map((queryKey) =>
          cache.invalidateQueries({ queryKey }),
        ),
      )
    },
    [reports, cache],
  )
}
