import type { ChildProcess } from 'node:child_process'
import { endAlongWithUs } from './last-will.ts'
import { signal } from './processes.ts'

export type Log = (line: string) => void

export type Supervised = {
  /** The process that runs right now; undefined between an end and the next start. */
  pid: () => number | undefined
  stop: () => Promise<void>
  /** Without waiting, for a second Ctrl-C. */
  kill: () => void
}

export type SuperviseOptions = {
  /** As it is called in a sentence: "The database". */
  name: string
  /** Starts the process, as the leader of its own group (`detached`), so that Ctrl-C reaches it only through us and in our order. */
  start: () => ChildProcess
  log: Log
  stopSignal: 'TERM' | 'INT'
  stopSeconds: number
  /** Why it ended, in a sentence, when there is a better reason than `how` it did ("exit code 1"). */
  explain?: (how: string) => string | undefined
  /** After every start that was not asked for. */
  onRestart?: () => void
  onExit?: (reason: string) => void
}

const longestPause = 15_000
const steadyAfter = 30_000

/** Keeps a process running until it is told to stop: restarted with growing pauses, and never left behind. */
export function supervise(options: SuperviseOptions): Supervised {
  const { name, log, stopSignal } = options
  let child: ChildProcess | undefined
  let cancelWill = () => {}
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  let failures = 0

  const run = () => {
    const startedAt = Date.now()
    const current = options.start()
    child = current
    if (current.pid) cancelWill = endAlongWithUs(current.pid, stopSignal)
    const ended = (how: string) => {
      if (child !== current) return
      child = undefined
      cancelWill()
      if (stopping) return
      failures = Date.now() - startedAt > steadyAfter ? 1 : failures + 1
      const pause = Math.min(longestPause, 250 * 2 ** (failures - 1))
      const reason = options.explain?.(how) ?? `${name} ended unexpectedly (${how}).`
      options.onExit?.(reason)
      log(`${reason} Starting it again in ${seconds(pause)}.`)
      timer = setTimeout(() => {
        run()
        options.onRestart?.()
      }, pause)
    }
    current.once('error', (error) => ended(error.message))
    current.once('exit', (code, signal) => ended(signal ? `killed by ${signal}` : `exit code ${code}`))
  }
  run()

  return {
    pid: () => child?.pid,
    kill: () => {
      stopping = true
      clearTimeout(timer)
      if (child) killGroup(child)
    },
    stop: async () => {
      stopping = true
      clearTimeout(timer)
      const current = child
      if (!current) return
      const gone = new Promise<void>((resolve) => current.once('exit', () => resolve()))
      current.kill(`SIG${stopSignal}`)
      const force = setTimeout(() => killGroup(current), options.stopSeconds * 1000)
      await gone
      clearTimeout(force)
    },
  }
}

/** The child leads a group: what it started itself ends with it. */
const killGroup = ({ pid }: ChildProcess) => pid && signal(-pid, 'SIGKILL')

const seconds = (milliseconds: number) => `${milliseconds < 1000 ? milliseconds / 1000 : Math.round(milliseconds / 1000)} s`
