import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { ReportQuestion } from '@guildhall/contract/features/reports'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useReportsChanged } from '../reports-api.ts'
import type { Saved } from '../reports-api.ts'

/** What can be done with a saved report; all of it can be undone, but deleting one with schedules. */
export function useSavedActs() {
  const { reports } = useApi().data
  const cache = useQueryClient()
  const changed = useReportsChanged()
  // Asked afresh, so that an undo much later still names the version it changes.
  const now = (reportId: string) => cache.query({ ...reports.get.queryOptions({ input: { reportId } }), staleTime: 0 })
  const update = async (reportId: string, change: { question?: ReportQuestion; sharedWith?: Saved['sharedWith'] }, version?: number) => {
    const ifMatch = version ?? (await now(reportId)).version
    await changed(await reports.update.call({ reportId, ...change }, { context: { ifMatch } }))
  }
  const place = async (reportId: string, where: { isOnHome?: boolean; isStarred?: boolean }) =>
    changed(await reports.place.call({ reportId, ...where }))

  const remove = async ({ id, version }: Saved) => {
    await reports.remove.call({ reportId: id }, { context: { ifMatch: version } })
    cache.removeQueries({ queryKey: reports.get.queryKey({ input: { reportId: id } }) })
    await changed()
  }
  /** The same report under another id. */
  const restore = async ({ name, question, sharedWith, isOnHome, isStarred }: Saved) => {
    const made = await reports.create.call({ name, question, sharedWith })
    if (isOnHome || isStarred) await reports.place.call({ reportId: made.id, isOnHome, isStarred })
    await changed()
  }

  const attempt = (failed: string, act: () => Promise<unknown>) => void act().catch((problem: unknown) => toast.error(failed, problem))

  return {
    star: (saved: Saved) => attempt(t`${saved.name} could not be starred.`, () => place(saved.id, { isStarred: !saved.isStarred })),
    toHome: (saved: Saved) =>
      attempt(t`Your home page could not be changed.`, async () => {
        await place(saved.id, { isOnHome: !saved.isOnHome })
        const text = saved.isOnHome ? t`${saved.name} removed from your home page` : t`${saved.name} is on your home page`
        toast.undo(text, () => place(saved.id, { isOnHome: saved.isOnHome }))
      }),
    share: (saved: Saved) =>
      attempt(t`${saved.name} could not be shared.`, async () => {
        const sharedWith = saved.sharedWith === 'me' ? 'organisation' : 'me'
        await update(saved.id, { sharedWith }, saved.version)
        const text = sharedWith === 'me' ? t`${saved.name} is no longer shared` : t`${saved.name} shared with the organisation`
        toast.undo(text, () => update(saved.id, { sharedWith: saved.sharedWith }))
      }),
    saveChanges: (saved: Saved, question: ReportQuestion, onDone: () => void) =>
      attempt(t`The changes could not be saved.`, async () => {
        await update(saved.id, { question }, saved.version)
        onDone()
        toast.undo(t`${saved.name} saved`, () => update(saved.id, { question: saved.question }))
      }),
    remove: (saved: Saved, onDone: () => void) =>
      attempt(t`${saved.name} could not be deleted.`, async () => {
        await remove(saved)
        onDone()
        toast.undo(t`${saved.name} deleted`, () => restore(saved))
      }),
    /** With its schedules, which no undo brings back. */
    removeForGood: remove,
  }
}
