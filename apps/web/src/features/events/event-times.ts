import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import type { EventRow } from '@guildhall/contract/features/events'
import { placeOf } from '../../ui/display/zone-times.tsx'

type When = Pick<EventRow, 'startsAt' | 'endsAt' | 'timezone' | 'startsLocal' | 'endsLocal'>

/** What clocks at the event show, written as if they were in UTC, so that no zone is needed to read it. */
export const wallClock = (local: string) => new Date(`${local.slice(0, 19)}Z`)
export const dayOf = (local: string) => local.slice(0, 10)

/** Times of an event by its own clocks, and by the reader's where these show something else. */
export function useEventTimes() {
  const { i18n } = useLingui()
  const locale = i18n.locales ?? i18n.locale
  return timesIn(Array.isArray(locale) ? locale.join(' ') : locale)
}

type Times = ReturnType<typeof makeTimes>
const made = new Map<string, Times>()

function timesIn(locales: string): Times {
  const known = made.get(locales) ?? makeTimes(locales.split(' '))
  made.set(locales, known)
  return known
}

/** A format of Intl costs more to make than to use a hundred times, and a list uses several in each row. */
function makeTimes(locale: string[]) {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
  const day = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
  const time = { hour: 'numeric', minute: '2-digit' } as const
  const long = format(day)
  const longRange = format({ ...day, ...time })
  const short = format({ weekday: 'short', day: 'numeric', month: 'short' })
  const clock = format({ timeStyle: 'short' })
  const month = format({ month: 'short' })
  const monthAndYear = format({ month: 'long', year: 'numeric' })
  const weekday = format({ weekday: 'short' })
  const longWeekday = format({ weekday: 'long' })
  const number = format({ day: 'numeric' })
  return {
    day: (local: string) => long.format(wallClock(local)),
    shortDay: (local: string) => short.format(wallClock(local)),
    clock: (local: string) => clock.format(wallClock(local)),
    clockIn: (zone: string, instant: string) =>
      new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: zone }).format(new Date(instant)),
    dayIn: (zone: string, instant: string) =>
      new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: zone }).format(new Date(instant)),
    clocks: ({ startsLocal, endsLocal }: When) =>
      dayOf(startsLocal) === dayOf(endsLocal)
        ? clock.formatRange(wallClock(startsLocal), wallClock(endsLocal))
        : clock.format(wallClock(startsLocal)),
    month: (local: string) => month.format(wallClock(local)),
    monthAndYear: (local: string) => monthAndYear.format(wallClock(local)),
    weekday: (local: string) => weekday.format(wallClock(local)),
    longWeekday: (local: string) => longWeekday.format(wallClock(local)),
    dayNumber: (local: string) => number.format(wallClock(local)),
    days: ({ startsLocal, endsLocal }: When) => long.formatRange(wallClock(startsLocal), wallClock(endsLocal)),
    whole: ({ startsLocal, endsLocal }: When) => longRange.formatRange(wallClock(startsLocal), wallClock(endsLocal)),
    /** "20:00 – 22:00 your time"; undefined where both clocks show the same. */
    yours: ({ startsAt, endsAt, startsLocal, endsLocal }: When) => {
      const [starts, ends] = [new Date(startsAt), new Date(endsAt)]
      const here = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options).formatRange(starts, ends)
      const there = longRange.formatRange(wallClock(startsLocal), wallClock(endsLocal))
      if (here({ ...day, ...time }) === there) return undefined
      const dayHere = new Intl.DateTimeFormat('sv')
      const sameDay = [starts, ends].every((moment) => dayHere.format(moment) === dayOf(startsLocal))
      const mine = here(sameDay ? time : { weekday: 'short', day: 'numeric', month: 'short', ...time })
      return t`${mine} your time`
    },
    place: placeOf,
  }
}
