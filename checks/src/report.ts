import { styleText } from 'node:util'
import { failureLines, type Failure } from './failures.ts'

/** What a step found: its problems, and perhaps a remark worth a glance. */
export type Outcome = { problems: string[]; note?: string }
export type Step = { name: string; run: () => Promise<Outcome> }

/** Runs the steps, `lanes` of them at a time, a tidy line each with details only where something is wrong; answers what failed. */
export async function runSteps(steps: Step[], lanes = 1, print: (line: string) => void = console.log) {
  const failures: Failure[] = []
  const waiting = [...steps]
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const { name, run } = step
      const start = performance.now()
      const { problems, note } = await run().catch((error: unknown) => ({
        problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
        note: undefined,
      }))
      const isFine = problems.length === 0
      if (!isFine) failures.push({ name, message: problems.join('\n') })
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      const mark = isFine ? styleText('green', 'ok  ') : styleText('red', 'FAIL')
      print(`${mark}  ${name.padEnd(12)} ${seconds.padStart(6)} s${note ? `  ${note}` : ''}`)
      for (const problem of problems) print(problem.trimEnd().replace(/^/gm, '      '))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return failures
}

/** The end of every run: what failed, and in the last line the counts, which is all that whoever adds runs up reads. */
export function conclude(passed: number, failures: Failure[]) {
  for (const line of failureLines(failures)) console.log(line)
  console.log(summary(passed, failures.length))
  process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0
}

export const summary = (passed: number, failed: number) => `${passed} passed, ${failed} failed`
