import { styleText } from 'node:util'
import type { Case, Check, Run } from './case.ts'
import { randomOf } from './random.ts'

export type Ordered = { seed: number; kills: number; size: number }

/** Runs one case and collects what it found. What it throws is a finding, too. */
export async function runCase(one: Case, { seed, kills, size }: Ordered, log: (line: string) => void = () => {}): Promise<Check[]> {
  const checks: Check[] = []
  const note = (isControl: boolean) => (what: string, found: unknown, ok: boolean) => {
    const text = typeof found === 'string' ? found : JSON.stringify(found)
    checks.push({ what, found: text, ok, isControl })
    log(`${ok ? styleText('green', '✓') : styleText('red', '✗')} ${isControl ? 'control: ' : ''}${what}: ${text}`)
  }
  const run: Run = { seed, kills, size, random: randomOf(seed), check: note(false), control: note(true), log }
  try {
    await one.run(run)
  } catch (error) {
    run.check('it runs to its end', error instanceof Error ? (error.stack ?? error.message) : String(error), false)
  }
  return checks
}
