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
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold anything, so count from its end: state is the first field after it, start time the twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch {
    return undefined
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
