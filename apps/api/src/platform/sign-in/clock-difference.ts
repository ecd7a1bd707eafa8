import type { Log } from '../observability/log.ts'

/** What is believed of a difference between two clocks, in seconds; tokens that are further off are refused. */
export const maxDifference = 300

/** Keeps by how much the provider's clock, as its answers date themselves, is ahead of ours. */
export function clockDifference(log: Log) {
  let noted = { ahead: 0, wall: Date.now(), steady: performance.now() }
  return {
    note(headers: Headers) {
      const date = Date.parse(headers.get('date') ?? '')
      if (Number.isNaN(date)) return
      // A cache on the way keeps the date of the day it asked, and says how long ago that was.
      const age = Number(headers.get('age') ?? 0) || 0
      // The header names whole seconds: the middle of the one it names is the best guess.
      noted = { ahead: date / 1000 + 0.5 + age - Date.now() / 1000, wall: Date.now(), steady: performance.now() }
      if (Math.abs(noted.ahead) > 60) log.warn({ seconds: Math.round(noted.ahead) }, 'the clock of the identity provider differs from ours')
    },
    /** Seconds, 0 when unknown or more than is believed. Steps of our own clock since then are counted in. */
    ahead(): number {
      const stepped = (Date.now() - noted.wall - (performance.now() - noted.steady)) / 1000
      const ahead = Math.round(noted.ahead - stepped)
      return Math.abs(ahead) <= maxDifference ? ahead : 0
    },
  }
}
