/**
 * Dates of a recurring calendar entry (RRULE of RFC 5545), as days. Written here since the work is bounded by the days looked at, whatever the rule says:
 * rules come from anybody, and one that never meets its own conditions must not be searched for ever.
 */
export type Rule = {
  every: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  interval: number
  count: number | null
  /** Last day, by the clocks of the entry. */
  untilOn: string | null
  months: readonly number[]
  monthDays: readonly number[]
  weekdays: readonly { day: number; nth: number | null }[]
  places: readonly number[]
  /** First day of a week: 0 is Sunday. */
  weekStart: number
}

const dayNames = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const known = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYMONTH', 'BYMONTHDAY', 'BYDAY', 'BYSETPOS', 'WKST'])

/** `untilOn` brings the moment of UNTIL to the clocks of the entry. Undefined for a rule that is none, or has parts that are not followed. */
export function readRule(text: string, untilOn: (until: string) => string | undefined): Rule | undefined {
  const parts = new Map<string, string>()
  for (const part of text.toUpperCase().split(';')) {
    const [name = '', value = ''] = part.trim().split('=')
    if (!known.has(name) || value === '' || parts.has(name)) return undefined
    parts.set(name, value)
  }
  const every = parts.get('FREQ')
  if (every !== 'DAILY' && every !== 'WEEKLY' && every !== 'MONTHLY' && every !== 'YEARLY') return undefined
  const until = parts.get('UNTIL')
  const rule = {
    interval: numbersIn(parts.get('INTERVAL') ?? '1', 1, 10_000)[0],
    count: parts.has('COUNT') ? numbersIn(parts.get('COUNT') ?? '', 1, 100_000)[0] : null,
    untilOn: until === undefined ? null : untilOn(until),
    months: numbersIn(parts.get('BYMONTH'), 1, 12),
    monthDays: numbersIn(parts.get('BYMONTHDAY'), -31, 31),
    weekdays: weekdaysIn(parts.get('BYDAY')),
    places: numbersIn(parts.get('BYSETPOS'), -366, 366),
    weekStart: dayNames.indexOf(parts.get('WKST') ?? 'MO'),
  }
  const { interval, count, months, monthDays, weekdays, places } = rule
  const isLost = (name: string, list: readonly unknown[]) => parts.has(name) && list.length === 0
  if (interval === undefined || count === undefined || rule.untilOn === undefined || rule.weekStart < 0) return undefined
  if (isLost('BYMONTH', months) || isLost('BYMONTHDAY', monthDays) || isLost('BYDAY', weekdays) || isLost('BYSETPOS', places))
    return undefined
  return { ...rule, every, interval, count, untilOn: rule.untilOn }
}

/** Of parts of a rule: as many as there are days in a year. Each day is held against all of them. */
const mostParts = 366

/** Empty where one of them is none. */
function numbersIn(text: string | undefined, least: number, most: number): number[] {
  const parts = (text ?? '').split(',')
  if (parts.length > mostParts) return []
  const numbers = parts.map((one) => (/^[+-]?\d{1,6}$/.test(one) ? Number(one) : 0))
  return numbers.every((one) => one !== 0 && one >= least && one <= most) ? numbers : []
}

function weekdaysIn(text: string | undefined): { day: number; nth: number | null }[] {
  const parts = (text ?? '').split(',')
  if (parts.length > mostParts) return []
  const days = parts.map((one) => {
    const [, nth, name = ''] = /^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/.exec(one) ?? []
    return { day: dayNames.indexOf(name), nth: nth === undefined ? null : Number(nth) }
  })
  return days.every(({ day, nth }) => day >= 0 && nth !== 0) ? days : []
}

const dayMs = 86_400_000
const dayOf = (text: string) => Date.parse(`${text}T00:00:00Z`) / dayMs
const textOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10)
const weekdayOf = (day: number) => (((day + 4) % 7) + 7) % 7
const dateOf = (day: number) => {
  const date = new Date(day * dayMs)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, date: date.getUTCDate() }
}
const firstOf = (year: number, month: number) => Date.UTC(year, month - 1, 1) / dayMs
const lengthOf = (year: number, month: number) => firstOf(year, month + 1) - firstOf(year, month)

const longest = { DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 }

/** A week, a month or a year, at most as many as fit between the first day and the last: so the search ends. */
type Period = { start: number; days: number[] }

/** Days on which it takes place, in order, within a window. The first day counts whatever the rule says, as RFC 5545 asks. */
export function daysOf(rule: Rule, startOn: string, window: { from: string; to: string }): string[] {
  const start = dayOf(startOn)
  const from = dayOf(window.from)
  const last = Math.min(dayOf(window.to), rule.untilOn === null ? Infinity : dayOf(rule.untilOn))
  const found = start <= last ? [start] : []
  const within = () => found.filter((day) => day >= from).map(textOf)
  // What nobody counts need not be gone through from its beginning.
  const skipped = rule.count === null ? Math.max(0, Math.floor((from - start) / (longest[rule.every] * rule.interval)) - 1) : 0
  for (let nth = skipped; ; nth++) {
    const { start: begins, days } = periodOf(rule, start, nth)
    if (begins > last) break
    const sorted = [...new Set(days)].sort((a, b) => a - b)
    for (const day of placed(sorted, rule.places)) {
      if (day <= start || day > last) continue
      if (rule.count !== null && found.length >= rule.count) return within()
      found.push(day)
    }
  }
  return within()
}

const placed = (days: readonly number[], places: readonly number[]) =>
  places.length === 0 ? days : days.filter((_, at) => places.includes(at + 1) || places.includes(at - days.length))

function periodOf(rule: Rule, start: number, nth: number): Period {
  const { every, interval, months, weekdays, weekStart } = rule
  const step = nth * interval
  const inMonths = (day: number) => months.length === 0 || months.includes(dateOf(day).month)
  const onWeekday = (day: number) => weekdays.length === 0 || weekdays.some((one) => one.day === weekdayOf(day))
  if (every === 'DAILY') {
    const day = start + step
    return { start: day, days: inMonths(day) && onWeekday(day) && onMonthDay(rule, day) ? [day] : [] }
  }
  if (every === 'WEEKLY') {
    const begins = start - ((weekdayOf(start) - weekStart + 7) % 7) + step * 7
    const days = Array.from({ length: 7 }, (_, at) => begins + at)
    return {
      start: begins,
      days: days.filter((day) => inMonths(day) && (weekdays.length === 0 ? weekdayOf(day) === weekdayOf(start) : onWeekday(day))),
    }
  }
  const first = dateOf(start)
  if (every === 'MONTHLY') {
    const at = first.year * 12 + first.month - 1 + step
    const [year, month] = [Math.floor(at / 12), (at % 12) + 1]
    return {
      start: firstOf(year, month),
      days: months.length === 0 || months.includes(month) ? daysInMonth(rule, year, month, first.date) : [],
    }
  }
  const year = first.year + step
  return { start: firstOf(year, 1), days: daysInYear(rule, year, first) }
}

function onMonthDay({ monthDays }: Rule, day: number): boolean {
  if (monthDays.length === 0) return true
  const { year, month, date } = dateOf(day)
  return monthDays.includes(date) || monthDays.includes(date - lengthOf(year, month) - 1)
}

/** The day of the first one where the rule names none; a month that has no such day is left out. */
function daysInMonth(rule: Rule, year: number, month: number, usual: number): number[] {
  const length = lengthOf(year, month)
  const days = Array.from({ length }, (_, at) => firstOf(year, month) + at)
  if (rule.weekdays.length === 0 && rule.monthDays.length === 0) return usual <= length ? [firstOf(year, month) + usual - 1] : []
  return days.filter((day) => onMonthDay(rule, day) && onNth(rule, day, days))
}

function daysInYear(rule: Rule, year: number, first: { month: number; date: number }): number[] {
  const { months, monthDays, weekdays } = rule
  if (months.length === 0 && monthDays.length === 0 && weekdays.length > 0) {
    const length = firstOf(year + 1, 1) - firstOf(year, 1)
    const days = Array.from({ length }, (_, at) => firstOf(year, 1) + at)
    return days.filter((day) => onNth(rule, day, days))
  }
  const among = months.length > 0 ? months : monthDays.length > 0 ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [first.month]
  return among.flatMap((month) => daysInMonth(rule, year, month, first.date))
}

/** Whether a day is one of the weekdays, where it is numbered: the second or the last of its kind among these days, which follow one another. */
function onNth({ weekdays }: Rule, day: number, days: readonly number[]): boolean {
  if (weekdays.length === 0) return true
  const [first = day, last = day] = [days[0], days.at(-1)]
  return weekdays.some(({ day: weekday, nth }) => {
    if (weekday !== weekdayOf(day)) return false
    return nth === null || nth === (nth > 0 ? Math.floor((day - first) / 7) + 1 : -Math.floor((last - day) / 7) - 1)
  })
}
