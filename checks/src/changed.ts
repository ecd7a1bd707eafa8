import { execFileSync } from 'node:child_process'
import { root } from './repository.ts'

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

/** The commit that this work began from: where it left main, or the last commit on main itself. */
export const startOfChange = () => git('merge-base', 'HEAD', 'main')[0] ?? 'HEAD'

/** What differs from that commit, committed or not. */
export const changedSince = (commit: string) => [
  ...git('diff', '--name-only', '--no-renames', commit),
  ...git('ls-files', '--others', '--exclude-standard'),
]

export type Affected = {
  /** Imports say nothing of what a database does, so whoever changes it asks every test of it. */
  database: boolean
  /** The beginnings of the names of journeys; `all` of them for what every page stands on. */
  journeys: 'all' | string[]
}

/** What follows from changed files beyond what imports them, which Vitest finds out by itself. */
export function affectedBy(files: string[]): Affected {
  const journeys = files.map(journeysOf)
  return {
    database: files.some((file) => /^packages\/db\/(migrations\/|src\/(?!demo)(?!.*\.test\.ts$)).*/.test(file)),
    journeys: journeys.includes('all') ? 'all' : [...new Set(journeys.filter((name) => name !== undefined))],
  }
}

function journeysOf(file: string): string | undefined {
  if (/\.test\.tsx?$|\.md$|^(docs|checks|bench|faults|openapi|apps\/api\/tests|packages\/db\/tests)\//.test(file)) return undefined
  const own = /^e2e\/journeys\/([\w-]+)\.e2e\.ts$/.exec(file) ?? /\/features\/([\w-]+?)(?:\/|\.\w+$)/.exec(file)
  const migrated = /^packages\/db\/migrations\/\d+_([a-z]+)_/.exec(file)
  const name = (own ?? migrated)?.[1]
  if (name === 'base') return 'all'
  return name ?? (/^(apps|packages|e2e)\/|^package-lock\.json$/.test(file) ? 'all' : undefined)
}
