import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'

export const root = path.resolve(import.meta.dirname, '../..')

/** What features.json says of a feature: its meaning, the tables only it writes, and whether it is still to come. */
export type Feature = { name: string; means: string; tables: string[]; planned: boolean }

/** A working tree to look at; checks take one, so that their tests can plant violations in a copy. */
export type Tree = { root: string; files: string[]; read: (file: string) => string; features: Feature[] }

/** Every file that is or could be committed, by its path from the root. */
export function tree(folder = root): Tree {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: folder, maxBuffer: 64e6 })
  const files = listed
    .toString()
    .split('\0')
    .filter((file) => file && existsSync(path.join(folder, file)))
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')
  return { root: folder, files, read, features: readFeatures(read('features.json')) }
}

const Features = z.record(
  z.string(),
  z.object({ means: z.string().min(1), tables: z.array(z.string()), planned: z.boolean().default(false) }),
)

export function readFeatures(json: string): Feature[] {
  const entries = Features.parse(JSON.parse(json))
  return Object.entries(entries).map(([name, feature]) => ({ name, ...feature }))
}
