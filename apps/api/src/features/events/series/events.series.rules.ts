import type { Event, EventChange, SeriesScope } from '@guildhall/contract/features/events'
import { clockIn, daysBetween, daysFrom, momentAt } from '@guildhall/contract/moments'
import { daysOfSeries, longestSeries, repeatsOf } from '@guildhall/contract/repeats'
import type { Repeats } from '@guildhall/contract/repeats'
import { fault } from '../../../platform/procedures/problem.ts'
import type { FieldRefusal } from '../../../platform/procedures/problem.ts'
import type { Facts } from '../events.writes.queries.ts'

/** So many days ahead the events of a series are made. */
export const horizonDays = 183

export type InSeries = Pick<Event, 'startsAt' | 'timezone' | 'seriesId'>

const dateOf = ({ startsAt, timezone }: Pick<Event, 'startsAt' | 'timezone'>) => clockIn(timezone, startsAt).date

/** The first thing that is wrong with a change of an event as part of a series, or with how it is to repeat. */
export function faultOfSeries(before: InSeries, change: EventChange, scope: SeriesScope): FieldRefusal | undefined {
  const starts = { startsAt: change.startsAt ?? before.startsAt, timezone: change.timezone ?? before.timezone }
  if (change.repeats) {
    if (before.seriesId) return fault('repeats', 'event_series_rule', 'This event is part of a series already. Change the dates of the series instead.')
    const wrong = faultOfRule(change.repeats, dateOf(starts))
    if (wrong) return wrong
  }
  if (!before.seriesId || scope === 'this') return undefined
  if (dateOf(starts) !== dateOf(before))
    return fault('startsAt', 'event_series_day', 'Move one event at a time to another day. The time of day can be changed for all of them.')
  return undefined
} // prettier-ignore

/** What is wrong with a rule for a series that begins on a day. */
export function faultOfRule(repeats: Repeats, startsOn: string): FieldRefusal | undefined {
  if (daysBetween(startsOn, repeats.untilOn) > longestSeries)
    return fault('repeats.untilOn', 'event_series_length', 'A series lasts two years at most.')
  if (daysOfSeries(repeats, startsOn).length < 2)
    return fault('repeats.untilOn', 'event_series_until', 'Enter a last day by which the event repeats at least once.')
  return undefined
}

const moments = ['startsAt', 'endsAt', 'registrationOpensAt', 'registrationClosesAt', 'cancelUntil'] as const

/** The change of one event of a series as it is for another: every moment as many days earlier or later, at the same time of day. */
export function changeOf(facts: Facts, edited: Pick<Event, 'startsAt' | 'timezone'>, other: { startsLocal: string }): Facts {
  const days = daysBetween(dateOf(edited), other.startsLocal.slice(0, 10))
  const zone = facts.timezone ?? edited.timezone
  const { repeats: _, ...changed } = facts
  for (const name of moments) {
    const at = facts[name]
    if (at) changed[name] = daysLater(at, zone, days)
  }
  return changed
}

type Lists = Pick<EventChange, 'programme' | 'ticketTypes' | 'promoCodes' | 'questions'>
type Known = Pick<Event, 'startsAt' | 'timezone' | 'programme' | 'ticketTypes' | 'promoCodes' | 'questions'>
const sameRow: { [List in keyof Lists]-?: (row: NonNullable<Known[List]>[number]) => string } = {
  programme: ({ title }) => title,
  ticketTypes: ({ name }) => name,
  promoCodes: ({ code }) => code,
  questions: ({ text }) => text,
}

/** The lists of a change as they are for another event of the series: rows that both events have keep the ids that they have there. */
export function listsOf(lists: Lists, edited: Known, other: Known): Lists {
  const days = daysBetween(dateOf(edited), dateOf(other))
  const later = (at: string) => daysLater(at, edited.timezone, days)
  const shifted = (at: string | null) => (at === null ? null : later(at))
  const there = twins(edited, other)
  const idThere = ({ id }: { id?: string | undefined }) => (id === undefined ? undefined : there.get(id))
  return {
    ...(lists.programme && {
      programme: lists.programme.map((row) => ({ ...row, id: idThere(row), startsAt: later(row.startsAt), endsAt: shifted(row.endsAt) })),
    }),
    ...(lists.ticketTypes && {
      ticketTypes: lists.ticketTypes.map((row) => ({
        ...row,
        id: idThere(row),
        sellsFrom: shifted(row.sellsFrom),
        sellsUntil: shifted(row.sellsUntil),
      })),
    }),
    ...(lists.promoCodes && {
      promoCodes: lists.promoCodes.map((row) => ({
        ...row,
        id: idThere(row),
        ticketTypeId: row.ticketTypeId === null ? null : (there.get(row.ticketTypeId) ?? null),
        validFrom: shifted(row.validFrom),
        validUntil: shifted(row.validUntil),
      })),
    }),
    ...(lists.questions && { questions: lists.questions.map((row) => ({ ...row, id: idThere(row) })) }),
  }
}

/** The row of the other event for each row of this one: at the same place, or else called the same. */
function twins(edited: Known, other: Known): Map<string, string> {
  const found = new Map<string, string>()
  const pair = <Row extends { id: string }>(here: readonly Row[], there: readonly Row[], called: (row: Row) => string) => {
    const free = new Set(there.map(({ id }) => id))
    for (const [nth, row] of here.entries()) {
      const twin = [there[nth], ...there].find((one) => one && free.has(one.id) && called(one) === called(row))
      if (!twin) continue
      free.delete(twin.id)
      found.set(row.id, twin.id)
    }
  }
  pair(edited.programme, other.programme, sameRow.programme)
  pair(edited.ticketTypes, other.ticketTypes, sameRow.ticketTypes)
  pair(edited.promoCodes ?? [], other.promoCodes ?? [], sameRow.promoCodes)
  pair(edited.questions, other.questions, sameRow.questions)
  return found
}

function daysLater(at: string, zone: string, days: number): string {
  const { date, time } = clockIn(zone, at)
  return momentAt(zone, daysFrom(date, days), time).at
}

/** How a copy repeats: as the original does, for as long after its own start. */
export function repeatsLater(
  { repeats, startsAt, timezone }: Pick<Event, 'repeats' | 'startsAt' | 'timezone'>,
  to: string,
): Repeats | null {
  if (!repeats) return null
  const days = daysBetween(dateOf({ startsAt, timezone }), dateOf({ startsAt: to, timezone }))
  return { ...repeats, untilOn: daysFrom(repeats.untilOn, days) }
}

/** How a copy of a series repeats: by the same rule, for as long as the series lasts. */
export function repeatsAgain({ series, timezone }: Pick<Event, 'series' | 'timezone'>, to: string): Repeats | null {
  const first = series?.dates[0]
  if (!series || !first) return null
  const repeats = repeatsOf(series.rule, series.untilOn)
  const startsOn = dateOf({ startsAt: to, timezone })
  const length = Math.min(daysBetween(first.startsLocal.slice(0, 10), series.untilOn), longestSeries)
  // A week has no weekdays of its own unless several were chosen: else the copy goes by the day that it begins on.
  return { ...repeats, weekdays: repeats.weekdays.length > 1 ? repeats.weekdays : [], untilOn: daysFrom(startsOn, length) }
}

type SeriesDate = { id: string; version: number; startsLocal: string; registrations: number; exception: boolean }
/** What another rule comes to for the dates that are there: the first one stays, and begins the new series. */
export function planOf(dates: readonly [SeriesDate, ...SeriesDate[]], repeats: Repeats) {
  const startsOn = dates[0].startsLocal.slice(0, 10)
  const days = daysOfSeries(repeats, startsOn)
  const named = new Set(days)
  const isNamed = ({ startsLocal }: SeriesDate) => named.has(startsLocal.slice(0, 10))
  return { startsOn, days, stay: dates.filter(isNamed), dropped: dates.filter((date) => !isNamed(date)) }
}

/** The days of a series up to the horizon, and the day up to which these are all. */
export function daysAhead(repeats: Repeats, startsOn: string, today: string): { days: string[]; made: string } {
  const horizon = daysFrom(today > startsOn ? today : startsOn, horizonDays)
  const made = repeats.untilOn < horizon ? repeats.untilOn : horizon
  return { days: daysOfSeries(repeats, startsOn, made), made }
}
export const daysOfRule = (rule: string, untilOn: string, startsOn: string, today: string) =>
  daysAhead(repeatsOf(rule, untilOn), startsOn, today)
