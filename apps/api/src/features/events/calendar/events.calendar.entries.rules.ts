import { plainTextOf } from '@guildhall/contract/formatted-document'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import { calendarFile, calendarType, uidOf } from './events.calendar.rules.ts'
import type { CalendarEntry } from './events.calendar.rules.ts'

/** An event as the database gives it for calendars. */
export type CalendarRow = {
  id: string
  sequence: number
  status: 'draft' | 'published' | 'cancelled' | 'archived'
  title: string
  summary: string
  description: FormattedDocument
  venueName: string
  venueAddress: string
  latitude: number | null
  longitude: number | null
  link: string | null
  startsAt: string
  endsAt: string
  timezone: string
  createdAt: string
  updatedAt: string
  organiser: { name: string; email: string }
}

const inOneLine = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(', ')

/** `page` is where the reader opens the event: in the app unless stated. */
export function entryOf(row: CalendarRow, publicUrl: string, page = `/event/${row.id}`): CalendarEntry {
  const place = [row.venueName, inOneLine(row.venueAddress)].filter(Boolean).join(', ')
  const url = new URL(page, publicUrl).href
  return {
    ...{ uid: uidOf(row.id, publicUrl), sequence: row.sequence, title: row.title },
    status: row.status === 'cancelled' ? 'cancelled' : row.status === 'draft' ? 'tentative' : 'confirmed',
    about: [row.summary, plainTextOf(row.description), row.link ?? '', url].filter(Boolean).join('\n\n'),
    // Calendar programs offer to join a meeting whose address is its place.
    place: place || (row.link ?? ''),
    position: row.latitude === null || row.longitude === null ? null : { latitude: row.latitude, longitude: row.longitude },
    url,
    organiser: row.organiser.email ? row.organiser : null,
    ...{ startsAt: row.startsAt, endsAt: row.endsAt, timezone: row.timezone, createdAt: row.createdAt, updatedAt: row.updatedAt },
  }
}

/** A calendar file of one event, as a download. */
export const calendarDownload = (entries: readonly CalendarEntry[], name = 'event.ics') =>
  new File([calendarFile(entries)], name, { type: calendarType })
