import { styleText } from 'node:util'

/** What a step found: its problems, and perhaps a remark worth a glance. */
export type Outcome = { problems: string[]; note?: string }
export type Step = { name: string; run: () => Promise<Outcome> }

/** Runs the steps one after another, a tidy line each with details only where something is wrong; answers how many failed. */
export async function runSteps(steps: Step[], print: (line: string) => void = console.log) {
  let failed = 0
  for (const { name, run } of steps) {
    const start = performance.now()
    const { problems, note } = await run().catch((error: unknown) => ({
      problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
      note: undefined,
    }))
    const isFine = problems.length === 0
    if (!isFine) failed += 1
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const mark = isFine ? styleText('green', 'ok  ') : styleText('red', 'FAIL')
    print(`${mark}  ${name.padEnd(12)} ${seconds.padStart(6)} s${note ? `  ${note}` : ''}`)
    for (const problem of problems) print(problem.trimEnd().replace(/^/gm, '      '))
  }
  return failed
}

/** The last line of every run; whoever adds runs up reads only this. */
export const summary = (passed: number, failed: number) => `${passed} passed, ${failed} failed`
