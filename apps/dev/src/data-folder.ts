import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { explainDiskFault, PlainError } from './plain-error.ts'

/**
 * Makes the folder that everything is kept in. When root starts, PostgreSQL runs as somebody else: a folder that is empty yet gets a way
 * through it (no more: what else is in it stays closed), or else the database would have to live somewhere else on the machine.
 */
export function prepareDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    const isRoot = process.getuid?.() === 0
    if (isRoot && readdirSync(folder).length === 0) chmodSync(folder, statSync(folder).mode | 0o011)
    mkdirSync(join(folder, 'files'), { recursive: true, mode: 0o700 })
    mkdirSync(join(folder, 'logs'), { recursive: true, mode: 0o700 })
  } catch (error) {
    const disk = error instanceof Error ? explainDiskFault(error.message, folder) : undefined
    throw new PlainError(
      disk ?? `The folder ${folder} cannot be made or written to: choose another one with GUILDHALL_DATA=/some/folder npm start.`,
    )
  }
}
