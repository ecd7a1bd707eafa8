export type Random = { below: (n: number) => number; one: <T>(from: readonly T[]) => T; chance: (percent: number) => boolean }

/** The same numbers for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number) => Math.floor(next() * n)
  return {
    below,
    chance: (percent) => next() * 100 < percent,
    one: (from) => {
      const found = from[below(from.length)]
      if (found === undefined) throw new Error('nothing to choose from')
      return found
    },
  }
}

const day = 86_400_000
export const dayFrom = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10)
/** The same day of another year, as the database has it. */
export const yearsFrom = (date: string, years: number): string => {
  const [year = 0, month = 1, of = 1] = date.split('-').map(Number)
  const last = new Date(Date.UTC(year + years, month, 0)).getUTCDate()
  return new Date(Date.UTC(year + years, month - 1, Math.min(of, last))).toISOString().slice(0, 10)
}
