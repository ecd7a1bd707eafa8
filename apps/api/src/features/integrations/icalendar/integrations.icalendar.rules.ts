import { daysFrom, momentAt, monthsFrom } from '@guildhall/contract/moments'
import ICAL from 'ical.js'
import { plainOf } from './integrations.icalendar.text.rules.ts'
import { parsed, zonesIn } from './integrations.icalendar.zones.rules.ts'
import { daysOf, readRule } from './integrations.recurrence.rules.ts'
import type { Remote } from '../connectors/integrations.connector.rules.ts'

// A calendar file of somebody else (RFC 5545), entry by entry: what one of them says wrong is told of that one alone.

export type BadEntry = { row: string; code: string; message: string }
export type ReadCalendar = { name: string | null; rows: Remote[]; bad: BadEntry[] }
/** `ours`: a calendar that this product makes; what it holds would come back. */
export type CalendarFault = 'not_a_calendar' | 'ours' | 'too_many' | 'too_long'

export const theirFields = ['SUMMARY', 'DESCRIPTION', 'LOCATION', 'DTSTART', 'DTEND', 'STATUS'] as const

const mostEntries = 5_000
const mostOfOne = 500
const mostDates = 2_000
const monthsAhead = 12

type Entry = { component: ICAL.Component; uid: string; sequence: number; changed: string; instead: ICAL.Time | null }
type Zones = { usual: string; own: ReadonlyMap<string, ICAL.Timezone> }
type Window = { from: string; to: string; now: string }

type Reading = { today: string; timezone: string; now: Date; mostMs?: number }

/** Entries that have not ended, those that repeat for the next twelve months. Nothing else happens here as long as it reads: what takes longer is given up. */
export function readCalendar(text: string, { today, timezone, now, mostMs = 5_000 }: Reading): ReadCalendar | CalendarFault {
  const parts = partsOf(text)
  if (!parts) return 'not_a_calendar'
  if (textOf(parts.head, 'PRODID')?.startsWith('-//Guildhall//')) return 'ours'
  if (parts.entries.length > mostEntries) return 'too_many'
  const zones = { usual: timezone, own: zonesIn(parts.zones) }
  const bad: BadEntry[] = []
  const entries = newest(parts.entries.flatMap((part, at) => entryIn(part, at, bad)))
  const window = { from: daysFrom(today, -1), to: monthsFrom(today, monthsAhead), now: now.toISOString() }
  const rows: Remote[] = []
  const until = performance.now() + mostMs
  for (const [uid, some] of Map.groupBy(entries, (entry) => entry.uid)) {
    try {
      rows.push(...rowsOf(uid, some, zones, window, bad))
    } catch (error) {
      bad.push({ row: shown(uid), code: error instanceof BadValue ? error.code : 'bad_row', message: messageOf(error) })
    }
    if (rows.length > mostEntries) return 'too_many'
    if (performance.now() > until) return 'too_long'
  }
  rows.sort((a, b) => (a.externalId < b.externalId ? -1 : 1))
  return { name: (textOf(parts.head, 'X-WR-CALNAME') ?? textOf(parts.head, 'NAME'))?.slice(0, 100) ?? null, rows, bad }
}

class BadValue extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
const messageOf = (error: unknown) => (error instanceof BadValue ? error.message : 'This entry cannot be read.')
const shown = (uid: string) => uid.slice(0, 200)

// Parts of the file ---------------------------------------------------------------------------------------------------------------------

type Part = { text: string; isWhole: boolean }
type Parts = { head: string[]; zones: Part[]; entries: Part[] }

/** Entries and zones as they stand in the file, each by itself; undefined where it is no calendar. */
function partsOf(text: string): Parts | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  if (!/^BEGIN:VCALENDAR\s*$/i.test(lines.find((line) => line.trim() !== '') ?? '')) return undefined
  const parts: Parts = { head: [], zones: [], entries: [] }
  let open: { name: string; lines: string[] } | null = null
  let others = 0
  for (const line of lines) {
    const [, verb = '', name = ''] = /^(BEGIN|END):([A-Z-]{1,40})\s*$/i.exec(line) ?? []
    const kind = name.toUpperCase()
    if (open) {
      open.lines.push(line)
      if (verb.toUpperCase() === 'END' && kind === open.name) {
        const list = kind === 'VEVENT' ? parts.entries : parts.zones
        list.push({ text: open.lines.join('\r\n'), isWhole: true })
        open = null
      }
    } else if (verb.toUpperCase() === 'BEGIN' && kind !== 'VCALENDAR') {
      if (others === 0 && (kind === 'VEVENT' || kind === 'VTIMEZONE')) open = { name: kind, lines: [line] }
      else others += 1
    } else if (verb !== '' && kind !== 'VCALENDAR') others = Math.max(0, others - 1)
    else if (others === 0 && parts.entries.length === 0) parts.head.push(line)
  }
  if (open) parts.entries.push({ text: open.lines.join('\r\n'), isWhole: false })
  return parts
}

/** The value of a line, before anything is parsed. */
function textOf(lines: readonly string[], name: string): string | undefined {
  const line = lines.find((one) => [':', ';'].includes(one.charAt(name.length)) && one.slice(0, name.length).toUpperCase() === name)
  return line?.slice(line.indexOf(':') + 1).trim() || undefined
}

function entryIn({ text, isWhole }: Part, at: number, bad: BadEntry[]): Entry[] {
  const named = textOf(text.split('\r\n'), 'UID') ?? `entry ${at + 1}`
  const refuse = (code: string, message: string): [] => {
    bad.push({ row: shown(named), code, message })
    return []
  }
  if (!isWhole) return refuse('bad_row', 'This entry is cut off.')
  try {
    const component = parsed(text).getFirstSubcomponent('vevent')
    const uid: unknown = component?.getFirstPropertyValue('uid')
    if (!component || typeof uid !== 'string' || uid.trim() === '') return refuse('no_key', 'This entry has no UID.')
    if (uid.length > 300) return refuse('bad_row', 'The UID of this entry is longer than 300 characters.')
    const sequence: unknown = component.getFirstPropertyValue('sequence')
    const changed: unknown = component.getFirstPropertyValue('last-modified') ?? component.getFirstPropertyValue('dtstamp')
    const instead = timeIn(component, 'recurrence-id')
    return [
      {
        component,
        uid: uid.trim(),
        sequence: typeof sequence === 'number' ? sequence : 0,
        changed: changed instanceof ICAL.Time ? changed.toString() : '',
        instead,
      },
    ]
  } catch {
    return refuse('bad_row', 'This entry cannot be read.')
  }
}

/** Of several entries that say the same of themselves the last version counts. */
function newest(entries: readonly Entry[]): Entry[] {
  const found = new Map<string, Entry>()
  for (const entry of entries) {
    const key = `${entry.uid}\n${entry.instead?.toString() ?? ''}`
    const other = found.get(key)
    if (!other || entry.sequence > other.sequence || (entry.sequence === other.sequence && entry.changed >= other.changed))
      found.set(key, entry)
  }
  return [...found.values()]
}

// Times ---------------------------------------------------------------------------------------------------------------------------------

function timeIn(component: ICAL.Component, name: string): ICAL.Time | null {
  const value: unknown = component.getFirstPropertyValue(name)
  return value instanceof ICAL.Time ? value : null
}

const isZone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name.includes('/') || name === 'UTC'
  } catch {
    return false
  }
}

/** How the clocks of an entry are read: its own zone, that of the file, or, of times without one, that of the organisation. */
type Clock = { name: string; instant(date: string, time: string): string }
function clockOf(component: ICAL.Component, name: string, { usual, own }: Zones): Clock {
  const property = component.getFirstProperty(name)
  const tzid: unknown = property?.getParameter('tzid')
  const value = timeIn(component, name)
  if (value && !value.isDate && value.zone === ICAL.Timezone.utcTimezone)
    return { name: usual, instant: (date, time) => `${date}T${time}Z` }
  const zone = typeof tzid === 'string' ? tzid.replace(/^\//, '') : usual
  if (isZone(zone)) return { name: zone, instant: (date, time) => momentAt(zone, date, time).at }
  const rules = typeof tzid === 'string' ? own.get(tzid) : undefined
  if (!rules) return { name: usual, instant: (date, time) => momentAt(usual, date, time).at }
  return {
    name: usual,
    instant: (date, time) => new Date(inZone(date, time, rules).toUnixTime() * 1_000).toISOString(),
  }
}
function inZone(date: string, time: string, zone: ICAL.Timezone): ICAL.Time {
  const local = ICAL.Time.fromDateTimeString(`${date}T${time}`)
  local.zone = zone
  return local
}

const two = (number: number) => String(number).padStart(2, '0')
const dateOf = ({ year, month, day }: ICAL.Time) => `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
const timeOf = (time: ICAL.Time) => (time.isDate ? '00:00:00' : `${two(time.hour)}:${two(time.minute)}:${two(time.second)}`)
const seconds = (instant: string) => `${new Date(instant).toISOString().slice(0, 19)}Z`

// Entries -------------------------------------------------------------------------------------------------------------------------------

type Times = { clock: Clock; startsOn: string; time: string; start: string; lengthMs: number; isDay: boolean }

function timesOf(component: ICAL.Component, zones: Zones): Times {
  const start = timeIn(component, 'dtstart')
  if (!start) throw new BadValue('bad_value', 'This entry has no start.')
  if (start.year < 1970 || start.year > 2200) throw new BadValue('bad_value', 'This entry begins in another age.')
  const clock = clockOf(component, 'dtstart', zones)
  const [startsOn, time] = [dateOf(start), timeOf(start)]
  const from = seconds(clock.instant(startsOn, time))
  const end = timeIn(component, 'dtend')
  const duration: unknown = component.getFirstPropertyValue('duration')
  const until = end
    ? seconds(clockOf(component, 'dtend', zones).instant(dateOf(end), timeOf(end)))
    : duration instanceof ICAL.Duration
      ? seconds(new Date(Date.parse(from) + duration.toSeconds() * 1_000).toISOString())
      : null
  const usual = start.isDate ? 86_400_000 : 3_600_000
  const lengthMs = until === null ? usual : Date.parse(until) - Date.parse(from)
  if (lengthMs < 0) throw new BadValue('bad_value', 'This entry ends before it begins.')
  if (lengthMs > 31 * 86_400_000) throw new BadValue('bad_value', 'This entry is longer than 31 days.')
  return { clock, startsOn, time, start: from, lengthMs: lengthMs === 0 ? usual : lengthMs, isDay: start.isDate }
}

function rowsOf(uid: string, entries: readonly Entry[], zones: Zones, window: Window, bad: BadEntry[]): Remote[] {
  const main = entries.find(({ instead }) => instead === null)
  const apart = entries.filter(({ instead }) => instead !== null)
  const rows = new Map<string, Remote>()
  if (main) {
    const times = timesOf(main.component, zones)
    const repeats = main.component.hasProperty('rrule') || main.component.hasProperty('rdate')
    for (const start of repeats ? startsOf(uid, main, times, zones, window, bad) : [times.start]) {
      const row = rowOf(repeats ? idOf(uid, start) : uid, main, { ...times, start })
      if (isAhead(row, window)) rows.set(row.externalId, row)
    }
  }
  for (const entry of apart) {
    const instead = entry.instead
    if (!instead) continue
    const origin = seconds(clockOf(entry.component, 'recurrence-id', zones).instant(dateOf(instead), timeOf(instead)))
    const at =
      main && instead.isDate
        ? seconds(timesOf(main.component, zones).clock.instant(dateOf(instead), timesOf(main.component, zones).time))
        : origin
    const row = rowOf(idOf(uid, at), entry, timesOf(entry.component, zones))
    rows.delete(row.externalId)
    if (isAhead(row, window) && (row.values['DTSTART'] ?? '') <= `${window.to}T23:59:59Z`) rows.set(row.externalId, row)
  }
  return [...rows.values()]
}

const idOf = (uid: string, start: string) => `${uid}/${start.replace(/[-:]/g, '')}`
const isAhead = ({ values }: Remote, { now }: Window) => (values['DTEND'] ?? '') > now

/** When a repeating entry begins, those that are taken out left out; more than anybody looks at is told, and cut. */
function startsOf(uid: string, { component }: Entry, times: Times, zones: Zones, window: Window, bad: BadEntry[]): string[] {
  const { clock, time } = times
  const at = (date: string) => seconds(clock.instant(date, time))
  const days = new Set<string>()
  const rules = component.getAllProperties('rrule')
  if (rules.length > 3) throw new BadValue('bad_rule', 'This entry has more than three rules.')
  if (rules.length === 0) days.add(times.startsOn)
  for (const property of rules) {
    const text = property.toICALString().replace(/^RRULE[^:]*:/i, '')
    const rule = readRule(text, (until) => untilOf(until, at, time))
    if (!rule) throw new BadValue('bad_rule', 'How this entry repeats is not supported.')
    for (const day of daysOf(rule, times.startsOn, window)) days.add(day)
  }
  const left = new Set(timesIn(component, 'exdate', zones, time))
  const starts = new Set([...days].map(at))
  for (const start of timesIn(component, 'rdate', zones, time))
    if (start >= times.start && start <= `${window.to}T23:59:59Z`) starts.add(start)
  const found = [...starts].filter((start) => !left.has(start)).sort()
  const ahead = found.filter((start) => start >= `${window.from}T00:00:00Z` || Date.parse(start) + times.lengthMs > Date.parse(window.now))
  if (ahead.length > mostOfOne)
    bad.push({ row: shown(uid), code: 'too_many', message: `Only the first ${mostOfOne} dates of this entry are taken.` })
  return ahead.slice(0, mostOfOne)
}

/** The last day of a rule by the clocks of the entry: the day of UNTIL, or the one before where UNTIL is earlier than the entry begins on it. */
function untilOf(until: string, at: (date: string) => string, time: string): string | undefined {
  const [, year, month, day, hours, utc] = /^(\d{4})(\d{2})(\d{2})(?:T(\d{6})(Z?))?$/.exec(until) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  const date = `${year}-${month}-${day}`
  if (Number.isNaN(Date.parse(date))) return undefined
  if (hours === undefined) return date
  const limit = `${hours.slice(0, 2)}:${hours.slice(2, 4)}:${hours.slice(4)}`
  if (utc === '') return time <= limit ? date : daysFrom(date, -1)
  return [daysFrom(date, 1), date, daysFrom(date, -1)].find((one) => at(one) <= `${date}T${limit}Z`)
}

function timesIn(component: ICAL.Component, name: string, zones: Zones, usualTime: string): string[] {
  const properties = component.getAllProperties(name)
  if (properties.reduce((count, property) => count + property.getValues().length, 0) > mostDates)
    throw new BadValue('too_many', `This entry names more than ${mostDates} dates.`)
  return properties.flatMap((property) => {
    const single = new ICAL.Component('vevent')
    return property.getValues().flatMap((value: unknown) => {
      const time = value instanceof ICAL.Period ? value.start : value
      if (!(time instanceof ICAL.Time)) return []
      const copy = new ICAL.Property(name)
      const tzid: unknown = property.getParameter('tzid')
      if (typeof tzid === 'string') copy.setParameter('tzid', tzid)
      copy.setValue(time)
      single.removeAllProperties(name)
      single.addProperty(copy)
      const clock = clockOf(time.isDate ? component : single, time.isDate ? 'dtstart' : name, zones)
      return [seconds(clock.instant(dateOf(time), time.isDate ? usualTime : timeOf(time)))]
    })
  })
}

function rowOf(externalId: string, { component, sequence, changed }: Entry, { clock, start, lengthMs }: Times): Remote {
  const text = (name: string) => {
    const value: unknown = component.getFirstPropertyValue(name)
    return typeof value === 'string' ? plainOf(value) || null : null
  }
  const status = text('status')?.toUpperCase() === 'CANCELLED' ? 'cancelled' : 'confirmed'
  return {
    externalId,
    version: `${sequence}.${changed}`.slice(0, 200),
    values: {
      SUMMARY: text('summary'),
      DESCRIPTION: text('description'),
      LOCATION: text('location'),
      DTSTART: `${start} ${clock.name}`,
      DTEND: seconds(new Date(Date.parse(start) + lengthMs).toISOString()),
      STATUS: status,
    },
  }
}
