import type { Random } from './random.ts'

/** One promise that was put to the test. `isControl`: the guard was off, so it had to fail. */
export type Check = { what: string; found: string; ok: boolean; isControl: boolean }

export type Run = {
  seed: number
  random: Random
  /** How many times something is killed or torn. */
  kills: number
  /** How much is done meanwhile. */
  size: number
  check: (what: string, found: unknown, ok: boolean) => void
  /** With the guard off: `broke` says that the harm the guard prevents was seen. */
  control: (what: string, found: unknown, broke: boolean) => void
  log: (line: string) => void
}

export type Amount = { kills: number; size: number }

export type Case = {
  name: string
  about: string
  /** What `npm run faults` does. */
  full: Amount
  /** What `npm test` does, in seconds; left out where only much shows anything. */
  short?: Amount
  /** Takes too long for every run: only when it is named. */
  onDemand?: boolean
  run: (run: Run) => Promise<void>
}
