export type Random = {
  /** From 0 up to, but not including, 1. */
  next: () => number
  between: (least: number, most: number) => number
  pick: <T>(choices: readonly [T, ...T[]]) => T
}

/** The same seed gives the same draws (mulberry32), so that a run that found something can be repeated. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
  }
}
