/** Entries that stand in order of time, under their days. */
export function byDay<Entry>(entries: readonly Entry[], dayOf: (entry: Entry) => string): [string, Entry[]][] {
  const days: [string, Entry[]][] = []
  for (const entry of entries) {
    const day = dayOf(entry)
    const last = days.at(-1)
    if (last?.[0] === day) last[1].push(entry)
    else days.push([day, [entry]])
  }
  return days
}
