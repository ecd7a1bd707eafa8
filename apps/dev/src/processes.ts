import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'

/**
 * What tells a process from a later one with the same id: its start time. Undefined when no such process lives.
 * A process id alone proves nothing after a crash or a reboot, because the system hands it out again.
 */
export function startTimeOf(pid: number): string | undefined {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim() || undefined
  const [state, ...fields] = statusOf(pid)
  return state === 'Z' || state === 'X' ? undefined : fields[18]
}

/** Undefined where the system does not tell. */
export function parentOf(pid: number): number | undefined {
  const parent = Number(statusOf(pid)[1])
  return parent > 0 ? parent : undefined
}

/** Empty where the system does not tell. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
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

/** The living processes that work in a folder (PostgreSQL's all do in their data directory). Undefined where the system cannot tell. */
export async function processesIn(folder: string): Promise<number[] | undefined> {
  if (process.platform !== 'linux') return undefined
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const found = await Promise.all(
    pids.map(async (pid) => ((await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) === folder && startTimeOf(pid) ? [pid] : [])),
  )
  return found.flat()
}

/** Sends a signal; a process that is gone already is no fault. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
