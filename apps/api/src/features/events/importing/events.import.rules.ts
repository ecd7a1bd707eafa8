import { momentAt } from '@guildhall/contract/moments'
import { parseDate } from '../../imports/imports.plan.public.ts'
import type { Mapped } from '../../imports/imports.plan.public.ts'

const clock = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z| UTC|\+00:00)?$/i

/** An instant from what clocks at the event showed; without a day it is the day of the event. Null where it is no time. */
export function readTime(
  text: string,
  order: Mapped['reading']['dateOrder'],
  { timezone, startsOn }: { timezone: string; startsOn: string },
): string | null {
  // The day, if there is one, ends where the first time of day begins.
  const colon = text.indexOf(':')
  const begins = /\d/.test(text.charAt(colon - 2)) ? colon - 2 : Math.max(0, colon - 1)
  const day = text.slice(0, begins)
  const on = day.endsWith('T') ? day.slice(0, -1) : day.trimEnd()
  const [, hour, minute, second = '00', utc] = clock.exec(text.slice(begins)) ?? []
  if (hour === undefined || minute === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const date = day === '' ? startsOn : parseDate(on, order)
  return date === null ? null : momentAt(utc ? 'UTC' : timezone, date, `${hour.padStart(2, '0')}:${minute}:${second}`).at
}

/** What is left at each event and of each ticket, as rows of the file take it. */
export function seatsOf(events: readonly { id: string; left: number | null; tickets: readonly { id: string; left: number | null }[] }[]) {
  const left = new Map(events.flatMap((event) => [event, ...event.tickets].map((one) => [one.id, one.left] as const)))
  return {
    isLimited: (eventId: string) =>
      events.some((event) => event.id === eventId && [event, ...event.tickets].some((one) => one.left !== null)),
    isFull: (eventId: string, ticketId = '') => [eventId, ticketId].some((id) => (left.get(id) ?? 1) <= 0),
    take(eventId: string, ticketId = '') {
      for (const id of [eventId, ticketId]) {
        const now = left.get(id) ?? null
        if (now !== null) left.set(id, now - 1)
      }
    },
  }
}
