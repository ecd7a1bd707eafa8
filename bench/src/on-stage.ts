import { loadavg } from 'node:os'
import { round } from './report.ts'
import { setStage } from './stage.ts'
import type { Stage } from './stage.ts'

/** What is being done, beside the tables of the outcome. */
export const log = (line: string) => console.error(`  ${line}`)
const load = () => loadavg().map((average) => round(average, 1)).join(' ') // prettier-ignore

/** Measures on a stage that is cleared however it ends, and tells how busy the machine was. */
export async function onStage(people: number, settings: Record<string, string>, measure: (stage: Stage) => Promise<void>): Promise<void> {
  const before = load()
  const stage = await setStage(people, log, undefined, settings)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stage.stop().finally(() => process.exit(130)))
  try {
    await measure(stage)
    console.log(`\nload average ${before} before, ${load()} after`)
  } finally {
    await stage.stop()
  }
}
