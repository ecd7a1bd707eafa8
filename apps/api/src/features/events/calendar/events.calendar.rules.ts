import { clockChanges, clockIn, clocksAhead, momentAt } from '@guildhall/contract/moments'
import ICAL from 'ical.js'

/** An event, or all dates of a series, as calendar programs take it over (RFC 5545). */
export type CalendarEntry = {
  /** The same for ever: calendar programs know an entry by it. See `uidOf`. */
  uid: string
  /** Raised by every change that calendars must take over: `app.events.sequence`. */
  sequence: number
  status: 'confirmed' | 'tentative' | 'cancelled'
  title: string
  /** Plain text. */
  about: string
  place: string
  position: { latitude: number; longitude: number } | null
  /** Page of the event. */
  url: string
  organiser: { name: string; email: string } | null
  startsAt: string
  endsAt: string
  timezone: string
  createdAt: string
  /** Also its DTSTAMP, so that the file is the same until the event changes. */
  updatedAt: string
  /**
   * A series: its rule without DTSTART and UNTIL, its last day, and the starts that are left out. Only where clocks show each start and end once:
   * calendar programs disagree about hours that are skipped or come twice, so such dates are better entries of their own.
   */
  repeats?: { rule: string; untilOn: string; except: readonly string[] }
  /** One date of a series that differs from the others: it has the UID of the series, and this start by its rule. */
  insteadOf?: string
}

// ical.js does not count the space that a continued line begins with; RFC 5545 does.
ICAL.foldLength = 74

/** UID of an event or a series, at the host that serves it. */
export const uidOf = (id: string, publicUrl: string): string => `${id}@${new URL(publicUrl).hostname}`

/** The content type of what `calendarFile` makes. */
export const calendarType = 'text/calendar; charset=utf-8'

/** A calendar file of these entries, with the rules of every time zone in them; lines are folded and texts escaped by ical.js. */
export function calendarFile(entries: readonly CalendarEntry[], name?: string): string {
  const calendar = new ICAL.Component('vcalendar')
  calendar.updatePropertyWithValue('version', '2.0')
  calendar.updatePropertyWithValue('prodid', '-//Guildhall//Guildhall//EN')
  calendar.updatePropertyWithValue('calscale', 'GREGORIAN')
  calendar.updatePropertyWithValue('method', 'PUBLISH')
  if (name !== undefined) {
    addText(calendar, 'name', name)
    addText(calendar, 'x-wr-calname', name)
    // How often a subscribed calendar is worth fetching again.
    calendar.addProperty(new ICAL.Property(['refresh-interval', {}, 'duration', 'PT1H']))
    calendar.addProperty(new ICAL.Property(['x-published-ttl', {}, 'duration', 'PT1H']))
  }
  for (const zone of zonesOf(entries)) calendar.addSubcomponent(zone)
  for (const entry of entries) calendar.addSubcomponent(eventOf(entry))
  return `${calendar.toString()}\r\n`
}

function eventOf(entry: CalendarEntry): ICAL.Component {
  const event = new ICAL.Component('vevent')
  const { timezone, repeats } = entry
  addText(event, 'uid', entry.uid)
  event.updatePropertyWithValue('sequence', entry.sequence)
  event.updatePropertyWithValue('dtstamp', inUtc(entry.updatedAt))
  event.updatePropertyWithValue('created', inUtc(entry.createdAt))
  event.updatePropertyWithValue('last-modified', inUtc(entry.updatedAt))
  const local = inZone(entry)
  addTime(event, 'dtstart', entry.startsAt, local)
  addTime(event, 'dtend', entry.endsAt, local)
  if (repeats) {
    const rule = ICAL.Recur.fromString(repeats.rule)
    rule.until = inUtc(momentAt(timezone, repeats.untilOn, '23:59:59').at)
    event.updatePropertyWithValue('rrule', rule)
    for (const start of repeats.except) addTime(event, 'exdate', start, local)
  }
  if (entry.insteadOf !== undefined) addTime(event, 'recurrence-id', entry.insteadOf, timezone)
  addText(event, 'summary', entry.title)
  addText(event, 'status', entry.status.toUpperCase())
  addText(event, 'transp', entry.status === 'cancelled' ? 'TRANSPARENT' : 'OPAQUE')
  if (entry.about) addText(event, 'description', entry.about)
  if (entry.place) addText(event, 'location', entry.place)
  if (entry.position) event.updatePropertyWithValue('geo', [entry.position.latitude, entry.position.longitude])
  event.updatePropertyWithValue('url', entry.url)
  if (entry.organiser) {
    const organiser = new ICAL.Property('organizer')
    // Some calendar programs end a parameter at any semicolon, or do not know how RFC 6868 writes quotes.
    organiser.setParameter('cn', tidy(entry.organiser.name).replaceAll(/[";^\n]/g, ' '))
    organiser.setValue(`mailto:${entry.organiser.email}`)
    event.addProperty(organiser)
  }
  return event
}

/** No character that has no place in a calendar file: controls but the line feed, halves of pairs. */
const tidy = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    // eslint-disable-next-line no-control-regex -- these are what it is about
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ')
    .toWellFormed()

const addText = (to: ICAL.Component, name: string, text: string) => to.addProperty(new ICAL.Property([name, {}, 'text', tidy(text)]))

// Times ---------------------------------------------------------------------------------------------------------------------------------

/** What clocks in the zone show, to the second. */
function clockAt(zone: string, instant: string): ICAL.Time {
  const shown = new Date(Date.parse(instant) + clocksAhead(zone, instant) * 1_000)
  return timeOf(shown, ICAL.Timezone.localTimezone)
}
const inUtc = (instant: string): ICAL.Time => timeOf(new Date(instant), ICAL.Timezone.utcTimezone)
const timeOf = (at: Date, zone: ICAL.Timezone) =>
  new ICAL.Time(
    {
      ...{ year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() },
      ...{ hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: at.getUTCSeconds() },
      isDate: false,
    },
    zone,
  )

/**
 * The zone to write times in, or undefined for UTC. An hour that clocks show twice is written in UTC: the first of the two is meant by RFC 5545, but
 * many calendar programs take the second.
 */
function inZone({ timezone, startsAt, endsAt, repeats }: CalendarEntry): string | undefined {
  if (repeats) return timezone
  return [startsAt, endsAt].every((instant) => isShownOnce(timezone, instant)) ? timezone : undefined
}
function isShownOnce(zone: string, instant: string): boolean {
  const { date, time } = clockIn(zone, instant)
  return momentAt(zone, date, time).change === 'none'
}

function addTime(to: ICAL.Component, name: string, instant: string, zone: string | undefined) {
  const time = new ICAL.Property(name)
  if (zone !== undefined) time.setParameter('tzid', zone)
  time.setValue(zone === undefined ? inUtc(instant) : clockAt(zone, instant))
  to.addProperty(time)
}

// Time zones ----------------------------------------------------------------------------------------------------------------------------

const year = 366 * 86_400_000

/** The zones of these entries with what their clocks do from a year before the first to a year after the last of them. */
function zonesOf(entries: readonly CalendarEntry[]): ICAL.Component[] {
  const spans = new Map<string, { from: number; until: number }>()
  for (const entry of entries) {
    const last = Math.max(Date.parse(entry.endsAt), entry.repeats ? Date.parse(`${entry.repeats.untilOn}T00:00:00Z`) : 0)
    const first = Math.min(Date.parse(entry.startsAt), entry.insteadOf === undefined ? Infinity : Date.parse(entry.insteadOf))
    const span = spans.get(entry.timezone) ?? { from: Infinity, until: 0 }
    spans.set(entry.timezone, { from: Math.min(span.from, first - year), until: Math.max(span.until, last + year) })
  }
  return [...spans].map(([zone, { from, until }]) => zoneOf(zone, new Date(from).toISOString(), new Date(until).toISOString()))
}

/**
 * Each change of the clocks on its own, by the same rules as everywhere else here, instead of a rule that says how they go on for ever: those of
 * Morocco follow the moon, and governments change theirs.
 */
function zoneOf(name: string, from: string, until: string): ICAL.Component {
  const zone = new ICAL.Component('vtimezone')
  addText(zone, 'tzid', name)
  const ahead = clocksAhead(name, from)
  const changes = clockChanges(name, from, until)
  const usual = Math.min(ahead, ...changes.map(({ after }) => after))
  addClocks(zone, { at: from, before: ahead, after: ahead }, usual)
  for (const change of changes) addClocks(zone, change, usual)
  return zone
}

function addClocks(to: ICAL.Component, { at, before, after }: { at: string; before: number; after: number }, usual: number) {
  const clocks = new ICAL.Component(after > usual ? 'daylight' : 'standard')
  clocks.updatePropertyWithValue(
    'dtstart',
    timeOf(new Date(Math.floor((Date.parse(at) + before * 1_000) / 1_000) * 1_000), ICAL.Timezone.localTimezone),
  )
  clocks.updatePropertyWithValue('tzoffsetfrom', ICAL.UtcOffset.fromSeconds(before))
  clocks.updatePropertyWithValue('tzoffsetto', ICAL.UtcOffset.fromSeconds(after))
  to.addSubcomponent(clocks)
}
