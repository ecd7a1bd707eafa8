import { describe, expect, test } from 'vitest'
import { readCalendar } from './integrations.icalendar.rules.ts'
import type { ReadCalendar } from './integrations.icalendar.rules.ts'

const at = { today: '2026-11-28', timezone: 'Europe/Vienna', now: new Date('2026-11-28T12:00:00Z') }
const file = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Somebody//EN', 'X-WR-CALNAME:Club', ...lines, 'END:VCALENDAR'].join('\r\n')
const entry = (uid: string, ...lines: string[]) =>
  ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20261101T000000Z', `SUMMARY:${uid}`, ...lines, 'END:VEVENT'].join('\r\n')
const read = (...lines: string[]): ReadCalendar => {
  const found = readCalendar(file(...lines), at)
  if (typeof found === 'string') throw new Error(found)
  return found
}
const starts = (...lines: string[]) => read(...lines).rows.map(({ values }) => values['DTSTART'])

describe('a calendar', () => {
  test('is read with zones, days, durations and texts', () => {
    const { name, rows, bad } = read(
      entry('a', 'DTSTART;TZID=America/New_York:20261210T190000', 'DTEND;TZID=America/New_York:20261210T210000', 'LOCATION:Hall\\, 2nd floor', 'DESCRIPTION:Come<br>all &amp; eat', 'SEQUENCE:3'),
      entry('b', 'DTSTART;VALUE=DATE:20261224'),
      entry('c', 'DTSTART:20261201T080000Z', 'DURATION:PT90M', 'STATUS:CANCELLED'),
      entry('d', 'DTSTART:20261201T080000'),
      entry('past', 'DTSTART:20261127T080000Z', 'DTEND:20261127T090000Z'),
    ) // prettier-ignore
    expect(name).toBe('Club')
    expect(bad).toEqual([])
    expect(rows).toEqual([
      { externalId: 'a', version: '3.2026-11-01T00:00:00Z', values: { SUMMARY: 'a', DESCRIPTION: 'Come\nall & eat', LOCATION: 'Hall, 2nd floor', DTSTART: '2026-12-11T00:00:00Z America/New_York', DTEND: '2026-12-11T02:00:00Z', STATUS: 'confirmed' } },
      { externalId: 'b', version: '0.2026-11-01T00:00:00Z', values: { SUMMARY: 'b', DESCRIPTION: null, LOCATION: null, DTSTART: '2026-12-23T23:00:00Z Europe/Vienna', DTEND: '2026-12-24T23:00:00Z', STATUS: 'confirmed' } },
      { externalId: 'c', version: '0.2026-11-01T00:00:00Z', values: { SUMMARY: 'c', DESCRIPTION: null, LOCATION: null, DTSTART: '2026-12-01T08:00:00Z Europe/Vienna', DTEND: '2026-12-01T09:30:00Z', STATUS: 'cancelled' } },
      { externalId: 'd', version: '0.2026-11-01T00:00:00Z', values: { SUMMARY: 'd', DESCRIPTION: null, LOCATION: null, DTSTART: '2026-12-01T07:00:00Z Europe/Vienna', DTEND: '2026-12-01T08:00:00Z', STATUS: 'confirmed' } },
    ]) // prettier-ignore
  })

  test('repeats by the clocks of its place, with dates left out, moved and added', () => {
    const lines = [
      entry('w', 'DTSTART;TZID=Europe/Berlin:20270315T190000', 'RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE;TZID=Europe/Berlin:20270322T190000', 'RDATE;TZID=Europe/Berlin:20270420T190000'),
      entry('w', 'RECURRENCE-ID;TZID=Europe/Berlin:20270329T190000', 'DTSTART;TZID=Europe/Berlin:20270330T200000'),
    ] // prettier-ignore
    expect(read(...lines).rows.map(({ externalId, values }) => [externalId, values['DTSTART']])).toEqual([
      ['w/20270315T180000Z', '2027-03-15T18:00:00Z Europe/Berlin'],
      ['w/20270329T170000Z', '2027-03-30T18:00:00Z Europe/Berlin'],
      ['w/20270405T170000Z', '2027-04-05T17:00:00Z Europe/Berlin'],
      ['w/20270420T170000Z', '2027-04-20T17:00:00Z Europe/Berlin'],
    ])
  })

  test('ends a series where it says, and after twelve months', () => {
    const weekly = (until: string) =>
      starts(entry('u', 'DTSTART;TZID=Europe/Berlin:20261201T190000', `RRULE:FREQ=WEEKLY;UNTIL=${until}`)).length
    expect([weekly('20261215'), weekly('20261215T180000Z'), weekly('20261215T175959Z'), weekly('20261215T185959')]).toEqual([3, 3, 2, 2])
    expect(starts(entry('y', 'DTSTART;VALUE=DATE:20200101', 'RRULE:FREQ=MONTHLY'))).toHaveLength(12)
  })

  test('of zones with names of their own is read by the rules in the file', () => {
    const zone = ['BEGIN:VTIMEZONE', 'TZID:Club Time', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0500', 'TZOFFSETTO:+0500', 'END:STANDARD', 'END:VTIMEZONE'].join('\r\n') // prettier-ignore
    expect(starts(zone, entry('z', 'DTSTART;TZID=Club Time:20261201T120000'))).toEqual(['2026-12-01T07:00:00Z Europe/Vienna'])
    expect(starts(entry('z', 'DTSTART;TZID=No Such Zone:20261201T120000'))).toEqual(['2026-12-01T11:00:00Z Europe/Vienna'])
  })

  test('follows rules of a zone only where they change clocks once a year', () => {
    const zone = (rule: string) => ['BEGIN:VTIMEZONE', 'TZID:Club Time', 'BEGIN:STANDARD', 'DTSTART:20200301T000000', 'TZOFFSETFROM:+0500', 'TZOFFSETTO:+0500', `RRULE:${rule}`, 'END:STANDARD', 'END:VTIMEZONE'].join('\r\n') // prettier-ignore
    const startWith = (rule: string) => starts(zone(rule), entry('z', 'DTSTART;TZID=Club Time:20261201T120000'))[0]?.slice(0, 16)
    for (const rule of ['BYMONTH=3;BYDAY=-1SU', 'BYMONTH=3;BYMONTHDAY=8,9,10,11,12,13,14;BYDAY=SU', 'BYMONTH=3;BYMONTHDAY=1;UNTIL=20300301T000000Z'])
      expect([rule, startWith(`FREQ=YEARLY;${rule}`)]).toEqual([rule, '2026-12-01T07:00']) // prettier-ignore
    // With every second of sixty years, nothing else would ever happen here.
    for (const rule of [
      'FREQ=DAILY',
      'FREQ=MONTHLY;BYDAY=1SU',
      'FREQ=YEARLY;BYMONTH=3;BYDAY=SU',
      'FREQ=YEARLY;BYMONTH=3;BYDAY=1SU;BYHOUR=1,2',
    ])
      expect([rule, startWith(rule)]).toEqual([rule, '2026-12-01T11:00'])
  })

  test('tells what is wrong with an entry, and reads the others', () => {
    const { rows, bad } = read(
      entry('good', 'DTSTART:20261201T080000Z'),
      'BEGIN:VEVENT\r\nSUMMARY:nameless\r\nDTSTART:20261201T080000Z\r\nEND:VEVENT',
      entry('nostart'),
      entry('broken', 'DTSTART:2026-garbage'),
      entry('backwards', 'DTSTART:20261201T080000Z', 'DTEND:20261201T070000Z'),
      entry('long', 'DTSTART:20261201T080000Z', 'DTEND:20270301T080000Z'),
      entry('rule', 'DTSTART:20261201T080000Z', 'RRULE:FREQ=SECONDLY'),
      entry('often', 'DTSTART:20261201T080000Z', 'RRULE:FREQ=DAILY', 'RDATE:20261201T090000Z'),
      'BEGIN:VEVENT\r\nUID:cut\r\nDTSTART:20261201T080000Z',
    )
    expect(rows.map(({ externalId }) => externalId.split('/')[0])).toContain('good')
    const codes = Object.fromEntries(bad.map(({ row, code }) => [row, code]))
    expect(codes).toMatchObject({
      'entry 2': 'no_key',
      nostart: 'bad_value',
      backwards: 'bad_value',
      long: 'bad_value',
      rule: 'bad_rule',
      cut: 'bad_row',
    })
    expect(Object.keys(codes)).toContain('broken')
  })

  test('takes the last of several versions, and at most 500 dates of one entry', () => {
    const { rows } = read(entry('v', 'SEQUENCE:1', 'DTSTART:20261201T080000Z'), entry('v', 'SEQUENCE:2', 'DTSTART:20261202T080000Z'), entry('v', 'SEQUENCE:0', 'DTSTART:20261203T080000Z')) // prettier-ignore
    expect(rows).toMatchObject([{ version: expect.stringMatching(/^2\./), values: { DTSTART: '2026-12-02T08:00:00Z Europe/Vienna' } }])
    const often = read(entry('o', 'DTSTART:20261201T080000Z', 'RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY', ...Array.from({ length: 300 }, (_, n) => `RDATE:202612${String((n % 28) + 1).padStart(2, '0')}T${String(9 + Math.floor(n / 28)).padStart(2, '0')}0000Z`))) // prettier-ignore
    expect(often.rows).toHaveLength(500)
    expect(often.bad).toMatchObject([{ row: 'o', code: 'too_many' }])
  })

  test('that is none, that we made ourselves, or that is far too long is refused whole', () => {
    expect(readCalendar('<!doctype html><title>Sign in</title>', at)).toBe('not_a_calendar')
    expect(readCalendar('', at)).toBe('not_a_calendar')
    expect(readCalendar('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Guildhall//Guildhall//EN\r\nEND:VCALENDAR', at)).toBe('ours')
    expect(readCalendar(file(...Array.from({ length: 5_001 }, (_, n) => `BEGIN:VEVENT\nUID:${n}\nEND:VEVENT`)), at)).toBe('too_many')
  })

  test('that would keep others waiting is given up', () => {
    const dates = Array.from({ length: 2_001 }, (_, n) => `2027${String((n % 12) + 1).padStart(2, '0')}01T000000Z`)
    expect(read(entry('d', 'DTSTART:20261201T080000Z', 'RRULE:FREQ=DAILY', `EXDATE:${dates.join(',')}`)).bad).toMatchObject([
      { row: 'd', code: 'too_many' },
    ])
    const long = Array.from({ length: 50 }, (_, n) => entry(`l${n}`, 'DTSTART:19700101T080000Z', 'RRULE:FREQ=DAILY;COUNT=100000'))
    expect(readCalendar(file(...long), { ...at, mostMs: 1 })).toBe('too_long')
  })
})
