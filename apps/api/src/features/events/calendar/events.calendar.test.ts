import { clockChanges, clockIn, momentAt, daysFrom } from '@guildhall/contract/moments'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import type { VEvent } from 'node-ical'
import { expect, test } from 'vitest'
import { calendarFile, uidOf } from './events.calendar.rules.ts'
import type { CalendarEntry } from './events.calendar.rules.ts'

// CALENDAR_ENTRIES=20000 tries more; CALENDAR_SEED=42 repeats one.
const count = Number(process.env['CALENDAR_ENTRIES'] ?? 300)
const seed = Number(process.env['CALENDAR_SEED'] ?? Date.now() % 1_000_000)

const zones = [
  ...['UTC', 'Europe/Berlin', 'Europe/London', 'Europe/Lisbon', 'Europe/Dublin', 'Europe/Istanbul', 'Europe/Moscow', 'Europe/Chisinau'],
  ...['Europe/Athens', 'Atlantic/Azores', 'Atlantic/Reykjavik', 'Africa/Casablanca', 'Africa/Cairo', 'Africa/Johannesburg', 'Africa/Lagos'],
  ...[
    'America/New_York',
    'America/Los_Angeles',
    'America/Denver',
    'America/Phoenix',
    'America/St_Johns',
    'America/Havana',
    'America/Sao_Paulo',
  ],
  ...['America/Santiago', 'America/Asuncion', 'America/Nuuk', 'America/Mexico_City', 'America/Bogota', 'America/Caracas', 'Asia/Tokyo'],
  ...[
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Asia/Beirut',
    'Asia/Jerusalem',
    'Asia/Tehran',
    'Asia/Gaza',
    'Australia/Sydney',
    'Australia/Lord_Howe',
  ],
  ...['Pacific/Auckland', 'Pacific/Chatham', 'Pacific/Apia', 'Antarctica/Troll'],
]

/** mulberry32: repeats with its seed. */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const snippets = [
  'Picnic',
  'Übung',
  '会議',
  '😀👩‍👩‍👧',
  'a,b',
  'c;d',
  'back\\slash',
  'say "hello" twice',
  'two\nlines',
  'BEGIN:VEVENT',
  'x:y',
  'עברית',
  '%',
  "it's",
  '<b>',
]
const iso = (at: number) => new Date(at).toISOString().replace('.000', '')

function randomEntry(random: () => number, nth: number): { entry: CalendarEntry; starts: string[] } {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] ?? from[0]!
  const words = (most: number) =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(snippets))
      .join(random() < 0.5 ? ' ' : '')
      .trim()
  const timezone = zones[nth % zones.length] ?? 'UTC'
  let start = Date.UTC(2021, 0, 1) + Math.floor(random() * 14 * 365 * 24 * 60) * 60_000
  if (random() < 0.5) {
    const [edge] = clockChanges(timezone, iso(start), iso(start + 400 * 86_400_000))
    if (edge) start = Date.parse(edge.at) + Math.floor((random() - 0.5) * 8 * 60) * 60_000
  }
  const startsAt = iso(start)
  const length = (15 + Math.floor(random() * 600)) * 60_000
  const entry: CalendarEntry = {
    uid: uidOf(`0192-${nth}`, 'https://guildhall.example'),
    sequence: Math.floor(random() * 50),
    status: pick(['confirmed', 'tentative', 'cancelled']),
    title: words(30),
    about: random() < 0.5 ? '' : words(80),
    place: random() < 0.3 ? '' : words(8),
    position: random() < 0.5 ? null : { latitude: Math.round(random() * 1e6) / 1e5, longitude: Math.round(random() * -1e6) / 1e5 },
    url: `https://guildhall.example/event/${nth}?a=1,2;b`,
    organiser: random() < 0.3 ? null : { name: pick(['Board', 'Müller, Anna: Vorstand', 'A:B']), email: 'board@guildhall.example' },
    startsAt,
    endsAt: iso(start + length),
    timezone,
    createdAt: '2026-01-01T08:00:00Z',
    updatedAt: '2026-02-01T09:30:00Z',
  }
  // node-ical loses a change of the clocks of Ramadan; ical.js and Temporal agree there.
  if (random() < 0.6 || timezone === 'Africa/Casablanca') return { entry, starts: [startsAt] }
  const { date, time } = clockIn(timezone, startsAt)
  const every = pick([1, 7, 14])
  const dates = Array.from({ length: 2 + Math.floor(random() * 30) }, (_, step) => daysFrom(date, step * every))
  const moments = dates.map((day) => momentAt(timezone, day, time))
  const end = clockIn(timezone, entry.endsAt)
  if ([...moments, momentAt(timezone, end.date, end.time)].some(({ change }) => change !== 'none')) return { entry, starts: [startsAt] }
  const all = moments.map(({ at }) => iso(Date.parse(at)))
  const except = all.filter((_, at) => at > 0 && random() < 0.1)
  const rule = every === 1 ? 'FREQ=DAILY' : every === 7 ? 'FREQ=WEEKLY' : 'FREQ=WEEKLY;INTERVAL=2'
  return {
    entry: { ...entry, repeats: { rule, untilOn: dates.at(-1) ?? date, except } },
    starts: all.filter((start_) => !except.includes(start_)),
  }
}

/** What a parser makes of an entry, in the same words for both. */
type Read = Omit<CalendarEntry, 'repeats' | 'insteadOf' | 'timezone'> & { starts: string[] }

function readByIcalJs(file: string): Map<string, Read> {
  const calendar = ICAL.Component.fromString(file)
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  try {
    return new Map(
      calendar.getAllSubcomponents('vevent').map((component) => {
        const event = new ICAL.Event(component)
        const instant = (time: ICAL.Time) => iso(time.toUnixTime() * 1_000)
        const text = (name: string) => String(component.getFirstPropertyValue(name) ?? '')
        const starts: string[] = []
        if (event.isRecurring()) {
          const dates = event.iterator()
          // Its type forgets that it ends.
          const nextOf = (): ICAL.Time | null => dates.next()
          for (let next = nextOf(); next && starts.length < 100; next = nextOf()) starts.push(instant(next))
        } else starts.push(instant(event.startDate))
        const position = component.getFirstPropertyValue('geo')
        const organiser = component.getFirstProperty('organizer')
        const moment = (name: string) => {
          const time = component.getFirstPropertyValue(name)
          return time instanceof ICAL.Time ? instant(time) : ''
        }
        const read: Read = {
          ...{
            uid: event.uid,
            sequence: event.sequence,
            status: statusOf(text('status')),
            title: event.summary,
            about: text('description'),
          },
          place: text('location'),
          position: Array.isArray(position) ? { latitude: Number(position[0]), longitude: Number(position[1]) } : null,
          url: text('url'),
          organiser: organiser ? organiserOf(organiser.getParameter('cn'), organiser.getFirstValue()) : null,
          ...{ startsAt: instant(event.startDate), endsAt: instant(event.endDate), starts },
          ...{ createdAt: moment('created'), updatedAt: moment('dtstamp') },
        }
        return [read.uid, read] as const
      }),
    )
  } finally {
    ICAL.TimezoneService.reset()
  }
}

function readByNodeIcal(file: string): Map<string, Read> {
  const events = Object.values(nodeIcal.sync.parseICS(file)).filter((one): one is VEvent => one?.type === 'VEVENT')
  const plain = (value: unknown): string =>
    typeof value === 'string' ? value : typeof value === 'object' && value && 'val' in value ? plain(value.val) : ''
  return new Map(
    events.map((event) => {
      const starts = event.rrule
        ? nodeIcal
            .expandRecurringEvent(event, { from: new Date('2020-01-01'), to: new Date('2040-01-01') })
            .map(({ start }) => iso(start.getTime()))
        : [iso(event.start.getTime())]
      const organiser: unknown = event.organizer
      const read: Read = {
        ...{ uid: event.uid, sequence: Number(event.sequence), status: statusOf(String(event.status)), title: plain(event.summary) },
        ...{ about: plain(event.description), place: plain(event.location) },
        position: event.geo ? { latitude: event.geo.lat, longitude: event.geo.lon } : null,
        url: plain(event.url),
        organiser:
          typeof organiser === 'object' && organiser && 'params' in organiser && 'val' in organiser
            ? organiserOf(Reflect.get(Object(organiser.params), 'CN'), organiser.val)
            : null,
        ...{ startsAt: iso(event.start.getTime()), endsAt: iso(event.end?.getTime() ?? 0), starts },
        ...{ createdAt: iso(event.created?.getTime() ?? 0), updatedAt: iso(event.dtstamp.getTime()) },
      }
      return [read.uid, read] as const
    }),
  )
}

const statusOf = (status: string): Read['status'] =>
  status === 'CANCELLED' ? 'cancelled' : status === 'TENTATIVE' ? 'tentative' : 'confirmed'
const organiserOf = (name: unknown, address: unknown) => ({
  name: String(name).replaceAll(/^"|"$/g, ''),
  email: String(address).replace(/^mailto:/i, ''),
})

test(`${count} events and series in ${zones.length} zones are read alike by two parsers (seed ${seed})`, { timeout: 600_000 }, () => {
  const random = randomFrom(seed)
  const differences: unknown[] = []
  for (let nth = 0; nth < count; nth += 20) {
    const made = Array.from({ length: 20 }, (_, at) => randomEntry(random, nth + at))
    const file = calendarFile(
      made.map(({ entry }) => entry),
      'Everything, at once',
    )
    const lines = file.split('\r\n')
    expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([])
    expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    // A character is never cut in two by folding.
    expect(Buffer.from(file).toString()).toBe(file)
    const readings = { icalJs: readByIcalJs(file), nodeIcal: readByNodeIcal(file) }
    for (const { entry, starts } of made) {
      const { repeats: _, timezone, ...wanted } = entry
      for (const [reader, read] of Object.entries(readings)) {
        const got = read.get(entry.uid)
        try {
          expect(got).toEqual({ ...wanted, starts })
        } catch {
          differences.push({ reader, timezone, repeats: entry.repeats, wanted: { ...wanted, starts }, got })
        }
      }
    }
  }
  expect(differences.slice(0, 2)).toEqual([])
  expect(differences.length).toBe(0)
})

test('a backslash before an n stays one, and characters that have no place in a calendar go', () => {
  // node-ical takes the first for a line feed.
  const { entry } = randomEntry(randomFrom(1), 1)
  const [read] = readByIcalJs(calendarFile([{ ...entry, title: 'C:\\new', about: 'one\r\ntwo\u0000\ud800' }])).values()
  expect([read?.title, read?.about]).toEqual(['C:\\new', 'one\ntwo \ufffd'])
})
