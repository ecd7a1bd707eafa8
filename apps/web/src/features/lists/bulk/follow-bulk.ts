import { plural, t } from '@lingui/core/macro'
import type { BulkResult as Result } from '@guildhall/contract/bulk'
import { failureText } from '../../../platform/api/reason-text.ts'
import type { Api } from '../../../platform/api/api.tsx'
import { newsOf } from '../../../platform/api/changes.ts'
import { reportProgress } from '../../../platform/activity/progress.ts'
import { toast } from '../../../platform/activity/toast.tsx'

export type { Result }

const pauseMs = 1000
/** Above so many records the work shows in the progress tray, even when it is done at once. */
const trayFrom = 200

const isUnderWay = ({ status }: Result['job']) => status === 'queued' || status === 'running'
export const isRunning = ({ job }: Result) => isUnderWay(job)

/** Shows a change of many records in the progress tray until it ends. */
export async function followBulk(api: Api, started: Result, label: string): Promise<Result> {
  const cancel = () =>
    void api.actions.lists.bulk.cancel
      .call({ jobId: started.job.id })
      .catch((problem: unknown) => toast.error(t`The change could not be stopped.`, problem))
  let now = started
  if (isRunning(now) || (now.counts?.matched ?? 0) > trayFrom) report(now, label, cancel)
  while (isRunning(now)) {
    const news = await newsOf(now.job.id, pauseMs)
    if (news && isUnderWay(news)) now = { ...now, job: news }
    else now = await api.actions.lists.bulk.get.call({ jobId: now.job.id })
    report(now, label, cancel)
  }
  if (now.job.status === 'failed') throw new Error(now.job.error ? failureText(now.job.error) : t`The change did not finish.`)
  return now
}

/** What a change came to, and the way back. */
export function tellBulk(api: Api, result: Result, text: string, changed: () => unknown) {
  void changed()
  if (!result.undoableUntil) return toast.success(text)
  toast.undo(text, async () => {
    const undone = await api.actions.lists.bulk.undo.call({ jobId: result.job.id })
    await followBulk(api, undone, t`Undo: ${text}`)
    void changed()
  })
}

/** After a reload: changes that were still being made go on in the tray. */
export async function followRunningBulk(api: Api, changed: () => unknown) {
  const { items } = await api.actions.lists.bulk.list.call()
  for (const item of items) {
    void followBulk(api, item, t`Change of many records`).then(
      (result) => tellBulk(api, result, changedText(result), changed),
      (problem: unknown) => toast.error(t`The change failed; nothing was changed.`, problem),
    )
  }
}

const changedText = ({ counts }: Result) => plural(counts?.changed ?? 0, { one: '# record changed', other: '# records changed' })

function report(result: Result, label: string, cancel: () => void) {
  const { job } = result
  reportProgress({
    id: `bulk:${job.id}`,
    label,
    done: job.done,
    total: job.total ?? undefined,
    state: job.status === 'queued' ? 'running' : job.status,
    cancel,
    result: result.counts ? changedText(result) : job.error ? failureText(job.error) : undefined,
  })
}
