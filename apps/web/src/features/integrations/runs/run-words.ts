import { plural, t } from '@lingui/core/macro'
import type { SyncRun } from '@guildhall/contract/features/integrations'

type Counts = SyncRun['in']
type CountKey = keyof Counts
export const countKeys = ['created', 'updated', 'conflicts', 'unchanged', 'skipped', 'failed'] as const

export const countWords = (): Record<CountKey, string> => ({
  read: t`Read`,
  created: t`Created`,
  updated: t`Updated`,
  unchanged: t`Unchanged`,
  skipped: t`Skipped`,
  conflicts: t`Conflicts`,
  failed: t`Failed`,
})

/** The same before anything is written. */
export const dryCountWords = (): Record<CountKey, string> => ({
  ...countWords(),
  created: t`To create`,
  updated: t`To update`,
  failed: t`Cannot be written`,
})

/** Of both directions. */
export const sumOf = (run: Pick<SyncRun, 'in' | 'out'>, key: CountKey) => run.in[key] + run.out[key]

/** "2 created, 5 updated, 3 failed": what counts of a run, shortly. */
export function runText(run: Pick<SyncRun, 'in' | 'out' | 'isDry'>): string {
  const [created, updated, conflicts, failed] = [
    sumOf(run, 'created'),
    sumOf(run, 'updated'),
    sumOf(run, 'conflicts'),
    sumOf(run, 'failed'),
  ]
  const parts = [
    ...(created
      ? [
          run.isDry
            ? plural(created, { one: '# to create', other: '# to create' })
            : plural(created, { one: '# created', other: '# created' }),
        ]
      : []),
    ...(updated
      ? [
          run.isDry
            ? plural(updated, { one: '# to update', other: '# to update' })
            : plural(updated, { one: '# updated', other: '# updated' }),
        ]
      : []),
    ...(conflicts ? [plural(conflicts, { one: '# conflict', other: '# conflicts' })] : []),
    ...(failed ? [plural(failed, { one: '# failed', other: '# failed' })] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : t`No changes`
}

/** "1 min 20 s": how long a run took, or has taken so far. */
export function durationText({ startedAt, finishedAt }: Pick<SyncRun, 'startedAt' | 'finishedAt'>, now: number): string | undefined {
  if (startedAt === null) return undefined
  const seconds = Math.max(0, Math.round(((finishedAt === null ? now : Date.parse(finishedAt)) - Date.parse(startedAt)) / 1000))
  const minutes = Math.floor(seconds / 60)
  return minutes > 0 ? t`${minutes} min ${seconds % 60} s` : t`${seconds} s`
}
