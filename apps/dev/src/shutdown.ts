import { commandOf, parentOf, startTimeOf } from './processes.ts'
import type { Log } from './supervise.ts'

export type Part = {
  stop: () => Promise<void>
  /** At once and without waiting. */
  kill?: () => void
}

/** What runs and must end with us. The last that was started ends first, as it may need the others until then. */
export function createShutdown(log: Log) {
  const parts: Part[] = []
  let ending: Promise<void> | undefined

  const end = async () => {
    for (const part of parts.reverse()) {
      await part.stop().catch((error: unknown) => log(error instanceof Error ? error.message : String(error)))
    }
  }

  return {
    isEnding: () => ending !== undefined,
    /** A part that comes while everything ends already is ended right away. */
    add: async (part: Part): Promise<void> => {
      if (ending) await part.stop()
      else parts.push(part)
    },
    endAll: (): Promise<void> => (ending ??= end()),
    killAll: () => {
      for (const part of parts) part.kill?.()
    },
  }
}

export type Shutdown = ReturnType<typeof createShutdown>

/**
 * Ctrl-C, a closed terminal and a polite kill end everything cleanly; a second Ctrl-C does not wait. Started by npm, we also end when
 * npm is gone: killed, it could not tell us.
 */
export function endOnSignals(shutdown: Shutdown, log: Log): void {
  let since = 0
  const end = (why: string) => {
    // One Ctrl-C may come twice: from the terminal, and passed on by npm.
    if (shutdown.isEnding() && performance.now() - since < 500) return
    if (shutdown.isEnding()) {
      log('Ending at once.')
      shutdown.killAll()
      process.exit(1)
    }
    since = performance.now()
    log(why)
    void shutdown.endAll().then(() => process.exit(0))
  }
  process.on('SIGINT', () => end('Stopping … (Ctrl-C again ends at once)'))
  process.on('SIGTERM', () => end('Stopping …'))
  // Both may come for one closed terminal, so these do not count as a second Ctrl-C.
  process.on('SIGHUP', () => shutdown.isEnding() || end('The terminal was closed: stopping …'))
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const npm = findNpm()
  if (!npm) return
  const started = startTimeOf(npm)
  setInterval(() => {
    if (startTimeOf(npm) !== started && !shutdown.isEnding()) end('npm was ended: stopping …')
  }, 1000).unref()
}

/** The npm that started us, directly or through a shell; undefined when there is none, or the system does not tell. */
function findNpm(): number | undefined {
  if (process.env['npm_lifecycle_event'] === undefined) return undefined
  return [process.ppid, parentOf(process.ppid)].find((pid) => pid !== undefined && commandOf(pid).includes('npm'))
}
