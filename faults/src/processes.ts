import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeFlags } from '@guildhall/dev/node-flags'

export type Process = {
  pid: () => number
  /** Of the process that runs or ran last. */
  exitCode: () => number | null
  isRunning: () => boolean
  /** At once, as a crash would. */
  kill: () => Promise<void>
  /** As an operator would; answers the milliseconds it took. */
  stop: () => Promise<number>
  /** Anew, after it has ended. */
  start: () => Promise<void>
  restarts: () => number
}

export type ProcessOptions = {
  file: URL
  args?: readonly string[]
  env: Record<string, string>
  /** Takes everything the process writes. */
  logFile: string
  /** Loaded into the process before its program, to measure it. */
  preload?: URL
  isReady?: () => Promise<boolean>
}

/** Starts a program of ours on a channel that closes when we are gone, which ends it. */
export async function startProcess({ file, args = [], env, logFile, preload, isReady }: ProcessOptions): Promise<Process> {
  let child = run()
  let ended = once(child, 'exit')
  let restarts = 0

  function run() {
    const log = openSync(logFile, 'a', 0o600)
    const started = spawn(process.execPath, [...nodeFlags, ...(preload ? ['--import', preload.href] : []), file.pathname, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log, 'ipc'],
    })
    closeSync(log)
    return started
  }

  const isRunning = () => child.exitCode === null && child.signalCode === null
  const ready = async () => {
    const deadline = Date.now() + 60_000
    while (isReady && !(await isReady())) {
      if (!isRunning() || Date.now() > deadline) {
        child.kill('SIGKILL')
        throw new Error(`${file.pathname} did not become ready.\n${readFileSync(logFile, 'utf8').slice(-2_000)}`)
      }
      await sleep(50)
    }
  }
  await ready()

  return {
    pid: () => child.pid ?? 0,
    exitCode: () => child.exitCode,
    isRunning,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    stop: async () => {
      const started = performance.now()
      if (isRunning()) {
        child.kill('SIGTERM')
        await ended
      }
      return performance.now() - started
    },
    start: async () => {
      restarts += 1
      child = run()
      ended = once(child, 'exit')
      await ready()
    },
    restarts: () => restarts,
  }
}
