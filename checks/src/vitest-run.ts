import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod'
import { command } from './command.ts'
import type { TestOutcome } from './test-outcome.ts'

const Report = z.object({ passed: z.number(), failures: z.array(z.object({ name: z.string(), message: z.string() })) })

type Options = {
  env?: NodeJS.ProcessEnv
  /** Keeps the output for whoever asks for it later. */
  quiet?: boolean
}

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
