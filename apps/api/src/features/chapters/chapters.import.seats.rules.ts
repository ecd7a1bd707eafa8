type Term = { startsOn: string; endsOn: string | null }

/** How many hold an office at the same time at most; a term that begins on the day another ends follows it. */
export function seatsNeeded(terms: readonly Term[]): number {
  const days = terms.flatMap(({ startsOn, endsOn }) => [
    // A term of a single day still takes a seat.
    { day: startsOn, step: 1, order: 1 },
    { day: endsOn ?? '9999-12-31', step: -1, order: endsOn === startsOn ? 2 : 0 },
  ])
  days.sort((a, b) => a.day.localeCompare(b.day) || a.order - b.order)
  let held = 0
  let most = 0
  for (const { step } of days) {
    held += step
    most = Math.max(most, held)
  }
  return most
}
