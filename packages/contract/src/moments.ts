import { Temporal } from 'temporal-polyfill'

/** Times of day in a zone of the IANA database. Instants are in UTC, with their zone beside them where the zone matters. */

/** What clocks in the zone show: "2026-11-23" and "19:00". */
export function clockIn(zone: string, instant: Date | string): { date: string; time: string } {
  const shown = Temporal.Instant.from(typeof instant === 'string' ? instant : instant.toISOString()).toZonedDateTimeISO(zone)
  return { date: shown.toPlainDate().toString(), time: shown.toPlainTime().toString({ smallestUnit: 'minute' }) }
}

/**
 * The instant at which clocks in the zone show this. `skipped`: they never do, since they go forward over it; the instant is as much later as
 * they go forward. `doubled`: they show it twice; the instant is the first, `second` the other.
 */
export type LocalMoment = { at: string; change: 'none' | 'skipped' } | { at: string; change: 'doubled'; second: string }

export function momentAt(zone: string, date: string, time: string): LocalMoment {
  const plain = Temporal.PlainDate.from(date).toPlainDateTime(Temporal.PlainTime.from(time))
  const [first, second] = (['earlier', 'later'] as const).map((disambiguation) => plain.toZonedDateTime(zone, { disambiguation }))
  if (!first || !second) throw new Error('no moment')
  const [at, later] = [first.toInstant().toString(), second.toInstant().toString()]
  if (at === later) return { at, change: 'none' }
  return second.toPlainDateTime().equals(plain) ? { at, change: 'doubled', second: later } : { at: later, change: 'skipped' }
}

/** Days before or after: -1 is the day before. */
export const daysFrom = (date: string, days: number): string => Temporal.PlainDate.from(date).add({ days }).toString()

/** Months later: the same day, or the last one of a month that has no such day. */
export const monthsFrom = (date: string, months: number): string => Temporal.PlainDate.from(date).add({ months }).toString()
export const daysBetween = (from: string, to: string): number => Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days

/** 1 is Monday, 7 is Sunday. */
export const weekdayOf = (date: string): number => Temporal.PlainDate.from(date).dayOfWeek
export const lastDayOfMonth = (year: number, month: number): number => new Temporal.PlainYearMonth(year, month).daysInMonth

/** Clocks of a zone go forward or back: when, and how many seconds they are ahead of UTC before and after. */
export type ClockChange = { at: string; before: number; after: number }

/** Every change between two instants. */
export function clockChanges(zone: string, from: string, until: string): ClockChange[] {
  const changes: ClockChange[] = []
  const end = Temporal.Instant.from(until).epochMilliseconds
  let at = Temporal.Instant.from(from).toZonedDateTimeISO(zone)
  for (;;) {
    const next = at.getTimeZoneTransition('next')
    if (!next || next.epochMilliseconds > end) return changes
    const before = offsetOf(next.subtract({ nanoseconds: 1 }))
    // What changes is not always the offset, but now and then only the name or the rule.
    if (before !== offsetOf(next)) changes.push({ at: next.toInstant().toString(), before, after: offsetOf(next) })
    at = next
  }
}
/** Seconds that clocks of the zone are ahead of UTC. */
export const clocksAhead = (zone: string, instant: string): number => offsetOf(Temporal.Instant.from(instant).toZonedDateTimeISO(zone))
const offsetOf = ({ offsetNanoseconds }: Temporal.ZonedDateTime) => Math.round(offsetNanoseconds / 1_000_000_000)
