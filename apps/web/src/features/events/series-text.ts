import { plural, t } from '@lingui/core/macro'
import { weekdayOf } from '@guildhall/contract/moments'
import { repeatsOf } from '@guildhall/contract/repeats'
import type { Repeats } from '@guildhall/contract/repeats'
import type { useEventTimes } from './event-times.ts'

type Times = ReturnType<typeof useEventTimes>

/** 1 is Monday: the 1st of January 2024 was one. */
export const weekdayName = (times: Times, weekday: number) => times.longWeekday(`2024-01-0${weekday}T12:00:00`)

/** "Every 2 weeks on Tuesday" */
export function repeatsText({ every, interval, weekdays, monthly }: Repeats, startsOn: string, times: Times): string {
  if (every === 'day') return plural(interval, { one: 'Every day', other: 'Every # days' })
  if (every === 'week') {
    const chosen = weekdays.length > 0 ? weekdays.toSorted((one, other) => one - other) : [weekdayOf(startsOn)]
    const days = chosen.map((weekday) => weekdayName(times, weekday)).join(', ')
    return plural(interval, { one: `Every week on ${days}`, other: `Every # weeks on ${days}` })
  }
  const on = monthly === 'date' ? dayText(startsOn) : nthText(startsOn, times)
  return plural(interval, { one: `Every month ${on}`, other: `Every # months ${on}` })
}

export const ruleText = ({ rule, untilOn }: { rule: string; untilOn: string }, startsOn: string, times: Times) =>
  repeatsText(repeatsOf(rule, untilOn), startsOn, times)

const dayText = (date: string) => {
  const day = Number(date.slice(8))
  return t`on day ${day}`
}

/** "on the second Tuesday" */
export function nthText(date: string, times: Times): string {
  const weekday = weekdayName(times, weekdayOf(date))
  const day = Number(date.slice(8))
  if (day > 28) return t`on the last ${weekday}`
  if (day > 21) return t`on the fourth ${weekday}`
  if (day > 14) return t`on the third ${weekday}`
  return day > 7 ? t`on the second ${weekday}` : t`on the first ${weekday}`
}
