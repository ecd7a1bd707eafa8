import { clockIn, daysFrom, lastDayOfMonth, momentAt, weekdayOf } from '@guildhall/contract/moments'

type At = { at: `${number}:${number}` }
/** A day that a month does not have is its last day. */
type OfMonth = { on: number | 'last' }
export type ScheduleRule =
  | ({ every: 'day' } & At)
  /** 1 is Monday. */
  | ({ every: 'week'; on: 1 | 2 | 3 | 4 | 5 | 6 | 7 } & At)
  | ({ every: 'month' } & OfMonth & At)
  | ({ every: 'year'; month: number } & OfMonth & At)

/** One moment of a schedule: the day it is due on by the calendar of the organisation, and the instant. */
export type Due = { on: string; at: string }

/**
 * The newest moment that is not in the future. One for each day the rule names: a time that clocks go forward over comes as much later, one that
 * they show twice is the first of the two.
 */
export function latestDue(rule: ScheduleRule, zone: string, now: Date): Due {
  let on = lastNamedDay(rule, clockIn(zone, now).date)
  for (;;) {
    const { at } = momentAt(zone, on, rule.at)
    if (Date.parse(at) <= now.getTime()) return { on, at }
    on = lastNamedDay(rule, daysFrom(on, -1))
  }
}

/** The newest day of the rule that is not after `day`. */
function lastNamedDay(rule: ScheduleRule, day: string): string {
  if (rule.every === 'day') return day
  if (rule.every === 'week') return daysFrom(day, -((weekdayOf(day) - rule.on + 7) % 7))
  const year = Number(day.slice(0, 4))
  const month = Number(day.slice(5, 7))
  const named = rule.every === 'month' ? dayIn(year, month, rule.on) : dayIn(year, rule.month, rule.on)
  if (named <= day) return named
  if (rule.every === 'year') return dayIn(year - 1, rule.month, rule.on)
  return month === 1 ? dayIn(year - 1, 12, rule.on) : dayIn(year, month - 1, rule.on)
}

function dayIn(year: number, month: number, on: number | 'last'): string {
  const last = lastDayOfMonth(year, month)
  const day = on === 'last' ? last : Math.min(on, last)
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}

/** A moment that was missed for longer than this is not made up for under the policy `skip`. */
const lateMs = 30 * 60_000

/**
 * What to do about the newest moment of a schedule: nothing when a run of that day or a later one stands already. A schedule that is seen for the first
 * time begins with its next moment. However many were missed, the newest alone is made up for.
 */
export function runOf({ due, last, missed, now }: { due: Due; last: string | null; missed: 'once' | 'skip'; now: Date }) {
  if (last !== null && due.on <= last) return null
  if (last === null) return 'seen'
  return missed === 'skip' && now.getTime() - Date.parse(due.at) > lateMs ? 'skipped' : 'due'
}
