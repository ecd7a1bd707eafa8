/** Days as "2026-12-03". They are counted in UTC, where every day has 24 hours. */
const dayMs = 86_400_000
const dated = (day: string) => Date.parse(`${day}T00:00:00Z`)
const written = (ms: number) => new Date(ms).toISOString().slice(0, 10)

export const daysLater = (day: string, days: number): string => written(dated(day) + days * dayMs)

/** 1 is Monday, 7 is Sunday. */
const weekdayOf = (day: string) => new Date(dated(day)).getUTCDay() || 7

export const weekOf = (day: string, firstWeekday: number): string[] => {
  const first = daysLater(day, -((weekdayOf(day) - firstWeekday + 7) % 7))
  return Array.from({ length: 7 }, (_, nth) => daysLater(first, nth))
}

/** All weeks that hold a day of this month. */
export function weeksOfMonth(day: string, firstWeekday: number): string[][] {
  const month = day.slice(0, 7)
  const weeks = [weekOf(`${month}-01`, firstWeekday)]
  for (;;) {
    const next = daysLater(weeks.at(-1)?.[6] ?? day, 1)
    if (next.slice(0, 7) !== month) return weeks
    weeks.push(weekOf(next, firstWeekday))
  }
}

/** The first day of the month so many months later. */
export function monthLater(day: string, months: number): string {
  const first = new Date(`${day.slice(0, 7)}-01T00:00:00Z`)
  first.setUTCMonth(first.getUTCMonth() + months)
  return written(first.getTime())
}

/** The days that an event is on, of those from `from` to `to`. One that ends at midnight is not on the next day. */
export function daysOf({ startsLocal, endsLocal }: { startsLocal: string; endsLocal: string }, from: string, to: string): string[] {
  const starts = startsLocal.slice(0, 10)
  const ends = endsLocal.slice(11, 19) === '00:00:00' ? daysLater(endsLocal.slice(0, 10), -1) : endsLocal.slice(0, 10)
  const last = ends < starts ? starts : ends
  const days: string[] = []
  for (let day = starts < from ? from : starts; day <= last && day <= to; day = daysLater(day, 1)) days.push(day)
  return days
}

type WithWeeks = Intl.Locale & { getWeekInfo?: () => { firstDay: number } }
/** On which day weeks begin where this language is spoken; Monday where the browser does not know. */
export const firstWeekdayIn = (locale: string): number => {
  const known: WithWeeks = new Intl.Locale(locale)
  return known.getWeekInfo?.().firstDay ?? 1
}
