import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { jsonOf } from './json-files.ts'
import type { Log } from './supervise.ts'

export type LogFile = {
  path: string
  /** Opens it for a program to write to; close it after handing it over. */
  open: () => number
  close: (file: number) => void
  /** The complaints with which the last program that wrote here ended; undefined when it said nothing. */
  lastWords: () => string | undefined
}

const LogLine = z.object({ level: z.number(), msg: z.string(), err: z.object({ message: z.string() }).optional() })
const errorLevel = 50

/** One program's log: begun anew with every start of ours, with the one before kept beside it. */
export function logFile(folder: string, name: string): LogFile {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name}.log`)
  if (existsSync(path)) renameSync(path, join(folder, `${name}.previous.log`))
  let from = 0
  return {
    path,
    open: () => {
      from = existsSync(path) ? readFileSync(path).length : 0
      return openSync(path, 'a', 0o600)
    },
    close: closeSync,
    lastWords: () => {
      const lines = readFileSync(path).subarray(from).toString().split('\n').filter(Boolean).slice(-40)
      return lines.map(complaint).filter(Boolean).slice(-8).join('\n') || undefined
    },
  }
}

/** For parts that run in this process: what they note goes to a file, as the terminal is for what a person must know. */
export function noteIn({ path }: LogFile): Log {
  return (line) => appendFileSync(path, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 })
}

/** Plain text is a complaint as it stands; of structured lines, only errors are. */
function complaint(line: string): string | undefined {
  if (!line.startsWith('{')) return line
  const entry = jsonOf(LogLine, line)
  return entry && entry.level >= errorLevel ? [entry.msg, entry.err?.message].filter(Boolean).join(': ') : undefined
}
