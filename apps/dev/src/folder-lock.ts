import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { jsonOf } from './json-files.ts'
import { PlainError } from './plain-error.ts'
import { startTimeOf } from './processes.ts'

export type FolderLock = { release: () => Promise<void> }

const Holder = z.object({ pid: z.int(), started: z.string(), about: z.string() })
type Holder = z.infer<typeof Holder>

/**
 * Claims a folder for this process. A claim whose process is gone (power cut, SIGKILL) is taken over; a living one is refused
 * with a sentence that names it. `about` is what to say of us then, such as our address.
 */
export async function lockFolder(folder: string, about = ''): Promise<FolderLock> {
  const file = join(folder, 'in-use')
  const mine = join(folder, `in-use.${randomUUID()}`)
  const holder: Holder = { pid: process.pid, started: startTimeOf(process.pid) ?? '', about }
  const text = JSON.stringify(holder)
  await writeFile(mine, text, { mode: 0o600 })
  try {
    while (!(await claim(mine, file))) {
      const found = await readFile(file, 'utf8').catch(() => undefined)
      if (found === undefined) continue
      const other = jsonOf(Holder, found)
      if (other && startTimeOf(other.pid) === other.started) throw alreadyRuns(folder, other)
      await removeStale(file, found)
    }
  } finally {
    await rm(mine, { force: true })
  }
  return {
    release: async () => {
      if ((await readFile(file, 'utf8').catch(() => '')) === text) await rm(file, { force: true })
    },
  }
}

/** A hard link appears complete or not at all, so a reader never meets a half-written claim. */
async function claim(mine: string, file: string): Promise<boolean> {
  try {
    await link(mine, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Two starts may find the same stale claim: only the file that still says what we read is thrown away. */
async function removeStale(file: string, expected: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`
  await rename(file, aside).catch(() => undefined)
  const taken = await readFile(aside, 'utf8').catch(() => undefined)
  if (taken !== undefined && taken !== expected) await link(aside, file).catch(() => undefined)
  await rm(aside, { force: true })
}

const alreadyRuns = (folder: string, { pid, about }: Holder) =>
  new PlainError(
    `Guildhall already runs from this folder${about ? `, at ${about}` : ''} (process ${pid} uses ${folder}). ` +
      'Stop that one first with Ctrl-C, or start a second one with its own data and port: GUILDHALL_DATA=/some/folder PORT=4000 npm start.',
  )
