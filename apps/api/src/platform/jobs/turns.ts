export type Turns = <Result>(act: () => Promise<Result>) => Promise<Result>

/** Lets so many act at once; the others wait in the order in which they came. */
export function turnsOf(places: number): Turns {
  let free = places
  const waiting: (() => void)[] = []
  return async (act) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await act()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
