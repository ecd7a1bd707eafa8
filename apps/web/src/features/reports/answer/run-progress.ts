import { t } from '@lingui/core/macro'
import type { ReportRun } from '@guildhall/contract/features/reports'
import type { QueryClient } from '@tanstack/react-query'
import { reportProgress } from '../../../platform/activity/progress.ts'
import type { Api } from '../../../platform/api/api.tsx'
import { failureText } from '../../../platform/api/reason-text.ts'

const pauseMs = 1000
/** A passing loss of the network must not end the waiting; a server that stays away does. */
const mostFailures = 30
const followed = new Set<string>()

export const isUnderWay = ({ state }: Pick<ReportRun, 'state'>) => state === 'queued' || state === 'running'

type Followed = { runId: string; title: string; to: string }

/** Shows a run in the progress tray until it ends, wherever its reader goes, and keeps what the pages know of it up to date. */
export async function followRun(api: Api, cache: QueryClient, { runId, title, to }: Followed) {
  if (followed.has(runId)) return
  followed.add(runId)
  const { queryKey } = api.data.reports.run.queryOptions({ input: { runId } })
  try {
    for (let failures = 0; failures < mostFailures; await pause()) {
      try {
        const run = await api.data.reports.run.call({ runId })
        cache.setQueryData(queryKey, run)
        show(run, title, to)
        if (!isUnderWay(run)) break
        failures = 0
      } catch {
        failures += 1
      }
    }
  } finally {
    followed.delete(runId)
  }
  await cache.invalidateQueries({ queryKey: api.data.reports.runs.key() })
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs))

function show({ id, done, total, state, error }: ReportRun, title: string, to: string) {
  reportProgress({
    id: `report:${id}`,
    label: t`Report: ${title}`,
    done,
    total: total > 0 ? total : undefined,
    state: state === 'queued' ? 'running' : state,
    to,
    result: error ? failureText(error) : state === 'done' ? t`Ready` : undefined,
  })
}
