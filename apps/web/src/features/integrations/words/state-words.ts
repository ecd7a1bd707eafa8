import { plural, t } from '@lingui/core/macro'
import type { Connection, ConnectionState, RunState, SyncChange, SyncRun } from '@guildhall/contract/features/integrations'
import type * as z from 'zod'
import type { Tone } from '../../../ui/display/status-badge.tsx'

type Change = z.infer<typeof SyncChange>
type StateWords = { label: string; tone: Tone }

export const connectionStates = (): Record<ConnectionState, StateWords> => ({
  connecting: { label: t`Connecting`, tone: 'info' },
  connected: { label: t`Connected`, tone: 'good' },
  degraded: { label: t`Needs attention`, tone: 'warning' },
  paused: { label: t`Paused`, tone: 'neutral' },
  error: { label: t`Stopped`, tone: 'bad' },
  disconnected: { label: t`Disconnected`, tone: 'neutral' },
})

export const runStates = (): Record<RunState, StateWords> => ({
  queued: { label: t`Queued`, tone: 'info' },
  running: { label: t`Running`, tone: 'info' },
  succeeded: { label: t`Succeeded`, tone: 'good' },
  partial: { label: t`With errors`, tone: 'warning' },
  failed: { label: t`Failed`, tone: 'bad' },
  cancelled: { label: t`Cancelled`, tone: 'neutral' },
})

export const triggerWords = (): Record<SyncRun['trigger'], string> => ({
  manual: t`Started by hand`,
  schedule: t`Scheduled`,
  retry: t`Retry`,
  resume: t`Resumed`,
})

export const changeKinds = (): Record<Change['kind'], string> => ({
  create: t`Create`,
  update: t`Update`,
  conflict: t`Conflict`,
  remove: t`Missing there`,
})

export const changeStates = (): Record<Change['state'], string> => ({
  planned: t`Planned`,
  waiting: t`Awaiting decision`,
  written: t`Written`,
  refused: t`Refused`,
})

export const isUnhealthy = ({ state }: Pick<Connection, 'state'>) => state === 'error' || state === 'degraded'
export const isUnderWay = ({ state }: Pick<SyncRun, 'state'>) => state === 'queued' || state === 'running'

export const recordCount = (count: number) => plural(count, { one: '# record', other: '# records' })
export const errorCount = (count: number) => plural(count, { one: '# open error', other: '# open errors' })

/** "Every hour": how often a connection runs by itself. */
export function scheduleText(everyMinutes: number | null): string {
  if (everyMinutes === null) return t`Only when started by hand`
  if (everyMinutes % 1440 === 0) return plural(everyMinutes / 1440, { one: 'Every day', other: 'Every # days' })
  if (everyMinutes % 60 === 0) return plural(everyMinutes / 60, { one: 'Every hour', other: 'Every # hours' })
  return plural(everyMinutes, { one: 'Every minute', other: 'Every # minutes' })
}
export const scheduleChoices = [15, 60, 360, 1440, 10_080] as const

export function promiseText(freshHours: number | null): string {
  if (freshHours === null) return t`No promise`
  if (freshHours % 24 === 0) return plural(freshHours / 24, { one: 'Never older than a day', other: 'Never older than # days' })
  return plural(freshHours, { one: 'Never older than an hour', other: 'Never older than # hours' })
}
export const promiseChoices = [1, 6, 24, 48, 168] as const
