import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod'
import { command } from './command.ts'
import { root } from './repository.ts'
import type { TestOutcome } from './test-outcome.ts'

const Report = z.object({ passed: z.number(), failures: z.array(z.object({ name: z.string(), message: z.string() })) })

type Options = {
  env?: NodeJS.ProcessEnv
  /** Keeps the output for whoever asks for it later. */
  quiet?: boolean
}

/** More failures than these are no accident of one moment. */
const fewFailures = 12

/**
 * `vitestRun` of everything that `args` select without naming files, and where little failed, the files of it once more by themselves: a long
 * run meets moments in which the machine stands still. What fails then has failed; what passes only then is named, so that somebody mends it.
 */
export async function vitestRunTwice(args: string[], options: Options = {}): Promise<TestOutcome> {
  const first = await vitestRun(args, options)
  const files = [...new Set(first.failures.map(({ name }) => fileOf(name)))]
  const named = files.filter((file) => file !== undefined)
  if (files.length === 0 || named.length < files.length || first.failures.length > fewFailures) return first
  console.log(`\nOnce more by themselves: ${named.join(', ')}`)
  const second = await vitestRun([...args, ...named.map((file) => path.resolve(root, file))], options)
  if (second.passed === 0) return first
  const again = new Set(second.failures.map(({ name }) => name))
  const unsteady = first.failures.filter(({ name }) => !again.has(name))
  for (const { name } of unsteady) console.log(`Passed only at the second try: ${name}`)
  return { passed: first.passed + unsteady.length, failures: second.failures }
}

/** The test file that a failure names, from the repository's folder. */
const fileOf = (name: string) => /^\S+\.(?:test|e2e)\.\w+/.exec(name)?.[0]

/** Runs Vitest with its usual output and answers what it came to. */
export async function vitestRun(args: string[], { env = {}, quiet = false }: Options = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'guildhall-outcome-'))
  const file = path.join(folder, 'outcome.json')
  try {
    const reporters = ['--reporter=default', `--reporter=${path.join(import.meta.dirname, 'test-outcome.ts')}`]
    const all = ['run', '--passWithNoTests', ...reporters, ...args]
    const { code, output } = await command('vitest', all, { env: { ...env, OUTCOME_FILE: file }, live: !quiet })
    const report = Report.parse(JSON.parse(await readFile(file, 'utf8').catch(() => '{"passed":0,"failures":[]}')))
    return { ...settled(report, code), output }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A run that ended badly although nothing failed is a failure too. */
export const settled = ({ passed, failures }: TestOutcome, code: number): TestOutcome =>
  code !== 0 && failures.length === 0
    ? { passed, failures: [{ name: 'Vitest', message: `It ended with code ${code} although no test failed.` }] }
    : { passed, failures }
