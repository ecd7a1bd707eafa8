import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod'
import { command } from './command.ts'

const Report = z.object({
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
})
type Report = z.infer<typeof Report>
export type Counts = { passed: number; failed: number }

/** Runs Vitest with its usual output and answers how many tests passed and failed. */
export async function vitestRun(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Counts> {
  const folder = await mkdtemp(path.join(tmpdir(), 'guildhall-report-'))
  const file = path.join(folder, 'report.json')
  try {
    const { code } = await command(
      'vitest',
      ['run', '--passWithNoTests', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args],
      { env, live: true },
    )
    return count(Report.parse(JSON.parse(await readFile(file, 'utf8').catch(() => '{"testResults":[]}'))), code)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A file that could not even be loaded, and a run that ended badly for another reason, count as one failed test each. */
export function count({ testResults }: Report, code: number): Counts {
  const statuses = testResults.flatMap(({ status, assertionResults }) => {
    const own = assertionResults.map((test) => test.status)
    return status === 'failed' && !own.includes('failed') ? [...own, 'failed'] : own
  })
  const passed = statuses.filter((status) => status === 'passed').length
  const failed = statuses.filter((status) => status === 'failed').length
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed }
}
