import { plainTextOf } from '@guildhall/contract/formatted-document'
import { RowsHeldBack } from '../../../platform/records/row-changes.ts'
import {
  changeFromCalendar,
  endFromCalendar,
  insertFromCalendar,
  publishFromCalendar,
} from '../../events/calendar/events.connections.public.ts'
import type { CalendarFacts } from '../../events/calendar/events.connections.public.ts'
import type { Normal, Ours, OurRecord, OursReach, Write } from '../ours/integrations.ours.rules.ts'
import type { RowError } from '../connectors/integrations.connector.rules.ts'
import { lockEvents, ownAmong, readEvents } from './integrations.events.queries.ts'
import type { EventRow } from './integrations.events.queries.ts'
import { plainOf } from './integrations.icalendar.text.rules.ts'

const longestTitle = 150
const longestText = 20_000
const cancelled = 'Cancelled in the calendar that it comes from'
const removed = 'Removed from the calendar that it comes from'

/** Events as a connection reads and writes them. Those that are over stay as they were. */
export const ourEvents: Ours = {
  entity: 'event',
  async open(reach) {
    const { db, connection } = reach
    return {
      sets: new Set<string>(),
      normal: normalOf,
      async read(ids) {
        return new Map((await readEvents(db, connection.chapterId, ids)).map((row): [string, OurRecord] => [row.id, recordOf(row)]))
      },
      lock: (ids) => lockEvents(db, ids),
      async match() {
        return new Map()
      },
      faultOf: ({ id, values }) => (id === null ? faultOfNew(values) : null),
      passesOver: ({ status }) => status === 'cancelled',
      write: (writes) => writeEvents(reach, writes),
      async untied() {
        return []
      },
      remove: (id) => endFromCalendar(db, id, removed),
    }
  },
}

const recordOf = (row: EventRow): OurRecord => ({
  id: row.id,
  name: row.title,
  values: {
    title: row.title,
    description: textOr(plainTextOf(row.description), longestText),
    place: textOr(row.venueName, longestTitle),
    startsAt: `${row.startsAt} ${row.timezone}`,
    endsAt: row.endsAt,
    status: row.status === 'cancelled' ? 'cancelled' : 'confirmed',
  },
  isClosed: row.isOver || row.status === 'cancelled' || row.status === 'archived',
  isOutside: row.isOutside,
})

const textOr = (text: string, most: number) => Array.from(plainOf(text)).slice(0, most).join('').trim() || null
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/

function normalOf(field: string, text: string | null): Normal {
  const bad = (message: string): Normal => ({ error: { code: 'bad_value', message } })
  const value = text?.trim() ?? ''
  switch (field) {
    case 'title':
      return { value: textOr(value.replaceAll('\n', ' '), longestTitle) }
    case 'place':
      return {
        value: textOr(
          value
            .split('\n')
            .flatMap((line) => line.trim() || [])
            .join(', '),
          longestTitle,
        ),
      }
    case 'description':
      return { value: textOr(value, longestText) }
    case 'status':
      return { value: value.toLowerCase() === 'cancelled' ? 'cancelled' : 'confirmed' }
    case 'startsAt': {
      const [at = '', zone = ''] = value.split(' ')
      return instant.test(at) && zone !== '' ? { value } : bad('startsAt: This is not the start of an entry. Map DTSTART to it.')
    }
    case 'endsAt': {
      const [at = ''] = value.split(' ')
      return instant.test(at) ? { value: at } : bad('endsAt: This is not the end of an entry. Map DTEND to it.')
    }
    default:
      return { value: value === '' ? null : value }
  }
}

function faultOfNew(values: Write['values']): RowError | null {
  if (!values['title']) return { code: 'no_name', message: 'This entry has no title.' }
  return values['startsAt'] ? null : { code: 'bad_value', message: 'This entry has no start. Map DTSTART to it.' }
}

/** Where an entry was made from one of ours, its UID begins with the id of that one. */
const oursIn = (externalId: string) => /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/i.exec(externalId)?.[1]?.toLowerCase()

async function writeEvents({ db, orgId, accountId, connection }: OursReach, writes: readonly Write[]): Promise<string[]> {
  const made = writes.flatMap(({ id, externalId }) => (id === null ? (oursIn(externalId) ?? []) : []))
  if ((await ownAmong(db, made)).size > 0) throw new RowsHeldBack('events')
  const ids: string[] = []
  for (const { id, values } of writes) {
    const facts = factsOf(values)
    if (id !== null) {
      if (Object.keys(facts).length > 0) await changeFromCalendar(db, id, facts)
      if (values['status'] === 'cancelled') await endFromCalendar(db, id, cancelled)
      ids.push(id)
      continue
    }
    const { title = '', startsAt = '', endsAt = hourAfter(startsAt), timezone = 'UTC' } = facts
    const eventId = await insertFromCalendar(db, { orgId, accountId }, connection.chapterId, {
      ...facts,
      title,
      startsAt,
      endsAt,
      timezone,
    })
    if (connection.settings['publish'] === true) await publishFromCalendar(db, eventId)
    ids.push(eventId)
  }
  return ids
}

const hourAfter = (at: string) => new Date(Date.parse(at) + 3_600_000).toISOString()

/** A title cannot be emptied; other texts can. */
function factsOf(values: Write['values']): CalendarFacts {
  const { title, description, place, startsAt, endsAt } = values
  const [start, timezone] = startsAt?.split(' ') ?? []
  return {
    ...(title && { title }),
    ...(description !== undefined && { description: description ?? '' }),
    ...(place !== undefined && { venueName: place ?? '' }),
    ...(start !== undefined && timezone !== undefined && { startsAt: start, timezone }),
    ...(endsAt && { endsAt }),
  }
}
