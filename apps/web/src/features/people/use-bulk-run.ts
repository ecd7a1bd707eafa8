import { plural, t } from '@lingui/core/macro'
import type * as z from 'zod'
import type { BulkRequest, BulkResult } from '@guildhall/contract/features/people'
import { useApi } from '../../platform/api.tsx'
import { reportProgress } from '../../platform/progress.ts'
import { toast } from '../../platform/toast.tsx'
import { usePeopleChanged } from './people-api.ts'

type Result = z.infer<typeof BulkResult>
type Request = z.infer<typeof BulkRequest>

const pauseMs = 1000
/** Above so many people the work shows in the progress tray, even when it is done at once. */
const trayFrom = 200

/** Changes many people; what came of it is told with an Undo, large work goes on in the tray. */
export function useBulkRun() {
  const api = useApi()
  const changed = usePeopleChanged()

  const follow = async (started: Result, label: string): Promise<Result> => {
    let now = started
    if (isRunning(now) || (now.counts?.matched ?? 0) > trayFrom) report(now, label)
    while (isRunning(now)) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      now = await api.actions.people.bulk.get.call({ jobId: now.job.id })
      report(now, label)
    }
    if (now.job.status !== 'done') throw new Error(now.job.error ?? t`The change did not finish.`)
    void changed()
    return now
  }

  const tell = (result: Result, done: (changed: number) => string) => {
    const count = result.counts?.changed ?? 0
    const text = done(count)
    if (count === 0 || !result.undoableUntil) return toast.success(text)
    toast.undo(text, async () => {
      const undone = await api.actions.people.bulk.undo.call({ jobId: result.job.id })
      await follow(undone, t`Undo: ${text}`)
    })
  }

  return async (request: Request, done: (changed: number) => string) => {
    const started = await api.actions.people.bulk.run.call(request)
    const ended = follow(started, started.job.title)
    if (!isRunning(started)) return tell(await ended, done)
    // The dialog closes; the tray shows how far it is.
    void ended.then(
      (result) => tell(result, done),
      (problem: unknown) => toast.error(t`The change failed; nobody was changed.`, problem),
    )
  }
}

const isRunning = ({ job }: Result) => job.status === 'queued' || job.status === 'running'

function report({ job, counts }: Result, label: string) {
  reportProgress({
    id: `bulk:${job.id}`,
    label,
    done: job.done,
    total: job.total ?? undefined,
    state: job.status === 'queued' ? 'running' : job.status,
    result: counts ? plural(counts.changed, { one: '# person changed', other: '# people changed' }) : (job.error ?? undefined),
  })
}
