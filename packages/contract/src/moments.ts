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
