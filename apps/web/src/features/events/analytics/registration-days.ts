import type { EventAnalytics } from './analytics-api.ts'

type Day = { days: number; values: Record<string, number | null> }

/** Seats so far, on every day from the first registration of any of the events: as many days before each of them began. */
export function registrationsByDay({ days, earlier, over, event, asOf }: EventAnalytics): Day[] {
  const all = [...days, ...earlier.flatMap((other) => other.days)]
  if (all.length === 0) return []
  const first = Math.max(...all.map((day) => day.days))
  const last = Math.min(0, ...all.map((day) => day.days))
  // The event's own line ends today.
  const today = over ? last : Math.floor((Date.parse(event.startsAt) - Date.parse(asOf)) / 86_400_000)
  const series = [{ key: 'seats', days }, ...earlier.map((other) => ({ key: other.id, days: other.days }))]
  const sums = new Map(series.map(({ key }) => [key, 0]))
  return Array.from({ length: first - last + 1 }, (_, nth) => {
    const left = first - nth
    const values = series.map(({ key, days: counted }) => {
      const sum = (sums.get(key) ?? 0) + (counted.find((day) => day.days === left)?.seats ?? 0)
      sums.set(key, sum)
      return [key, key === 'seats' && left < today ? null : sum] as const
    })
    return { days: left, values: Object.fromEntries(values) }
  })
}
