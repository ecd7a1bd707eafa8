import { Temporal } from 'temporal-polyfill'
import * as z from 'zod'
import { CalendarDate } from './shapes.ts'

/** How an event repeats: a rule of RFC 5545 in parts that a form can hold. */
export const Repeats = z
  .strictObject({
    every: z.enum(['day', 'week', 'month']),
    interval: z.int().min(1).max(12).default(1).describe('2 is every other week'),
    weekdays: z
      .array(z.int().min(1).max(7))
      .max(7)
      .default([])
      .describe('Of weeks: 1 is Monday; the day of the week of the start unless stated'),
    monthly: z
      .enum(['date', 'weekday'])
      .default('date')
      .describe('Of months: on the same date, where the month has it, or on the same weekday, such as the second Tuesday'),
    untilOn: CalendarDate.describe('Last day, at most two years after the start'),
  })
  .meta({ examples: [{ every: 'week', interval: 2, untilOn: '2027-06-30' }] })
export type Repeats = z.infer<typeof Repeats>

/** Two years, in days. */
export const longestSeries = 731

const weekdayNames = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
const day = (date: string) => Temporal.PlainDate.from(date)

/** On which weekday of its month a date is: 1 to 4 for the first to the fourth, -1 for the last. */
const nthOf = (date: Temporal.PlainDate) => (date.day > 28 ? -1 : Math.ceil(date.day / 7))

/** The days of a series that begins on a day, itself included, in order; those after `through` are left out. */
export function daysOfSeries(repeats: Repeats, startsOn: string, through: string = repeats.untilOn): string[] {
  const start = day(startsOn)
  const furthest = start.add({ days: longestSeries })
  const last = [day(repeats.untilOn), day(through), furthest].reduce((a, b) => (Temporal.PlainDate.compare(a, b) <= 0 ? a : b))
  const days: string[] = [startsOn]
  for (let step = 0; ; step += repeats.interval) {
    const { from, dates } = roundOf(repeats, start, step)
    if (Temporal.PlainDate.compare(from, last) > 0) return days
    for (const date of dates)
      if (Temporal.PlainDate.compare(date, start) > 0 && Temporal.PlainDate.compare(date, last) <= 0) days.push(date.toString())
  }
}

/** The first day of the step-th day, week or month, and the days of the series in it. */
function roundOf({ every, weekdays, monthly }: Repeats, start: Temporal.PlainDate, step: number) {
  if (every === 'day') {
    const date = start.add({ days: step })
    return { from: date, dates: [date] }
  }
  if (every === 'week') {
    const monday = start.subtract({ days: start.dayOfWeek - 1 }).add({ weeks: step })
    const chosen = weekdays.length > 0 ? [...new Set(weekdays)].sort((a, b) => a - b) : [start.dayOfWeek]
    return { from: monday, dates: chosen.map((weekday) => monday.add({ days: weekday - 1 })) }
  }
  const from = start.with({ day: 1 }).add({ months: step })
  if (monthly === 'date') return { from, dates: start.day <= from.daysInMonth ? [from.with({ day: start.day })] : [] }
  const nth = nthOf(start)
  const first = from.add({ days: (start.dayOfWeek - from.dayOfWeek + 7) % 7 })
  const date = nth > 0 ? first.add({ weeks: nth - 1 }) : first.add({ weeks: Math.floor((from.daysInMonth - first.day) / 7) })
  return { from, dates: [date] }
}

/** The rule as RFC 5545 has it, without its end. */
export function ruleOf({ every, interval, weekdays, monthly }: Repeats, startsOn: string): string {
  const start = day(startsOn)
  const parts = [`FREQ=${{ day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY' }[every]}`]
  if (interval > 1) parts.push(`INTERVAL=${interval}`)
  if (every === 'week' && weekdays.length > 0) parts.push(`BYDAY=${weekdayNames.filter((_, nth) => weekdays.includes(nth + 1)).join(',')}`)
  if (every === 'month')
    parts.push(monthly === 'date' ? `BYMONTHDAY=${start.day}` : `BYDAY=${nthOf(start)}${weekdayNames[start.dayOfWeek - 1] ?? ''}`)
  return parts.join(';')
}

/** The parts of such a rule. */
export function repeatsOf(rule: string, untilOn: string): Repeats {
  const parts = new Map(rule.split(';').map((part): [string, string] => [part.split('=')[0] ?? '', part.split('=')[1] ?? '']))
  const named = parts.get('BYDAY') ?? ''
  const frequency = parts.get('FREQ')
  const every = frequency === 'DAILY' ? 'day' : frequency === 'MONTHLY' ? 'month' : 'week'
  return {
    every,
    interval: Number(parts.get('INTERVAL') ?? 1),
    weekdays: every === 'week' && named ? named.split(',').map((name) => weekdayNames.findIndex((known) => known === name) + 1) : [],
    monthly: every === 'month' && named ? 'weekday' : 'date',
    untilOn,
  }
}
