import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeFlags } from '@guildhall/dev/node-flags'

export type Program = { pid: number; stop: () => Promise<void> }

/** Starts a program of ours on a channel that closes when we are gone, which ends it. What it writes is dropped, but for its last words. */
export async function startProgram(file: URL, env: Record<string, string>, isReady: () => Promise<boolean>): Promise<Program> {
  const child = spawn(process.execPath, [...nodeFlags, file.pathname], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => (words = `${words}${chunk.toString()}`.slice(-2_000)))
  const ended = once(child, 'exit')
  const deadline = Date.now() + 60_000
  while (!(await isReady())) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill()
      throw new Error(`${file.pathname} did not become ready.\n${words}`)
    }
    await sleep(100)
  }
  if (child.pid === undefined) throw new Error(`${file.pathname} did not start.`)
  return {
    pid: child.pid,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export const answers = (url: string) => async (): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Resident memory in MB, now and at its highest since the program started; undefined where the system does not tell. */
export function memoryOf(pid: number): { now: number; peak: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const megabytes = (name: string) =>
      Math.round(
        Number(
          status
            .split('\n')
            .find((line) => line.startsWith(`${name}:`))
            ?.replace(/\D/g, '') ?? 0,
        ) / 1024,
      )
    return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
  } catch {
    return undefined
  }
}

const ticksPerSecond = 100

/** Processor time of a program and of the processes it started, in seconds so far; 0 where the system does not tell. */
export function processorSeconds(pid: number): number {
  let ticks = 0
  for (const entry of pidsOf()) {
    const [, parent, ...fields] = statusOf(entry)
    if (entry === pid || Number(parent) === pid) ticks += Number(fields[9] ?? 0) + Number(fields[10] ?? 0)
  }
  return ticks / ticksPerSecond
}

function pidsOf(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** The fields of /proc/<pid>/stat from the state on: the name before it, in parentheses, may hold anything. */
function statusOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
