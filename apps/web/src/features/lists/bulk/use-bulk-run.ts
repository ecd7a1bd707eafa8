import { t } from '@lingui/core/macro'
import { useApi } from '../../../platform/api/api.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { followBulk, isRunning, tellBulk } from './follow-bulk.ts'
import type { Result } from './follow-bulk.ts'

/** Follows a change of many records; what came of it is told with an Undo, large work goes on in the tray. */
export function useBulkRun(changed: () => unknown) {
  const api = useApi()
  return async (started: Result, done: (changed: number) => string) => {
    const ended = followBulk(api, started, t`Change of many records`)
    const tell = (result: Result) => tellBulk(api, result, done(result.counts?.changed ?? 0), changed)
    if (!isRunning(started)) return tell(await ended)
    // The dialog closes; the tray shows how far it is.
    void ended.then(tell, (problem: unknown) => toast.error(t`The change failed; nothing was changed.`, problem))
  }
}
