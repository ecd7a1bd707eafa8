import { clockIn, momentAt } from '@guildhall/contract/moments'
import { GB, casual } from 'chrono-node/en'

export type TypedMoment = { at: string; date: string; time: string } & (
  { change: 'none' | 'skipped' } | { change: 'doubled'; second: string }
)

/**
 * A moment as people type it, by the clocks of the zone: "Thu 7pm", "next Friday 18:30", "3/12/2026 9:00", "2026-12-03 18:30". Days to come are meant
 * where the text leaves it open. With dates and a parser of 60 kB, so only fetched when somebody types.
 */
export function readMoment(text: string, zone: string, now: Date, locale: string): TypedMoment | 'not_understood' | 'no_time' {
  const clock = clockIn(zone, now)
  const offset = (Date.parse(`${clock.date}T${clock.time}:00Z`) - Math.floor(now.getTime() / 60_000) * 60_000) / 60_000
  const [found] = (locale === 'en-US' ? casual : GB).parse(text, { instant: now, timezone: offset }, { forwardDate: true })
  if (!found) return 'not_understood'
  const { start } = found
  if (!start.isCertain('hour')) return 'no_time'
  if (start.isCertain('timezoneOffset')) {
    const at = start.date().toISOString()
    return { at, ...clockIn(zone, at), change: 'none' }
  }
  const two = (part: 'month' | 'day' | 'hour' | 'minute') => String(start.get(part) ?? 0).padStart(2, '0')
  const [date, time] = [`${String(start.get('year')).padStart(4, '0')}-${two('month')}-${two('day')}`, `${two('hour')}:${two('minute')}`]
  return { ...momentAt(zone, date, time), date, time }
}
