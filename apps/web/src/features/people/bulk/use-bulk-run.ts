import { t } from '@lingui/core/macro'
import type * as z from 'zod'
import type { BulkRequest } from '@guildhall/contract/features/people'
import { useApi } from '../../../platform/api/api.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { followBulk, isRunning, tellBulk } from './follow-bulk.ts'
import type { Result } from './follow-bulk.ts'
import { usePeopleChanged } from '../people-api.ts'

type Request = z.infer<typeof BulkRequest>

/** Changes many people; what came of it is told with an Undo, large work goes on in the tray. */
export function useBulkRun() {
  const api = useApi()
  const changed = usePeopleChanged()
  return async (request: Request, done: (changed: number) => string) => {
    const started = await api.actions.people.bulk.run.call(request)
    const ended = followBulk(api, started, t`Change of many people`)
    const tell = (result: Result) => tellBulk(api, result, done(result.counts?.changed ?? 0), () => changed())
    if (!isRunning(started)) return tell(await ended)
    // The dialog closes; the tray shows how far it is.
    void ended.then(tell, (problem: unknown) => toast.error(t`The change failed; nobody was changed.`, problem))
  }
}
