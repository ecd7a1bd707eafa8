import nodeIcal from 'node-ical'
import { expect, test } from 'vitest'
import { daysOf, readRule } from './integrations.recurrence.rules.ts'

const window = { from: '2026-01-01', to: '2027-12-31' }
const daysBy = (rule: string, start: string, within = window) => {
  const read = readRule(rule, (until) => `${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6, 8)}`)
  return read ? daysOf(read, start, within) : undefined
}
/** The same by a library that knows nothing of ours. */
const daysByLibrary = (rule: string, start: string) => {
  const at = `${start.replaceAll('-', '')}T100000Z`
  const file = nodeIcal.sync.parseICS(
    ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:1', `DTSTART:${at}`, `DTEND:${at}`, `RRULE:${rule}`, 'END:VEVENT', 'END:VCALENDAR'].join(
      '\r\n',
    ),
  )
  const event = Object.values(file).find((one) => one?.type === 'VEVENT')
  const dates =
    event?.type === 'VEVENT'
      ? event.rrule?.between(new Date(`${window.from}T00:00:00Z`), new Date(`${window.to}T23:59:59Z`), true)
      : undefined
  return dates?.map((date) => date.toISOString().slice(0, 10))
}

// Each of them takes place on its first day: what a rule says of a first day that it does not name, libraries disagree about.
test.for([
  ['FREQ=DAILY', '2025-12-30'],
  ['FREQ=DAILY;INTERVAL=10;COUNT=5', '2026-03-01'],
  ['FREQ=DAILY;BYMONTH=2;BYDAY=MO,TU', '2026-02-02'],
  ['FREQ=WEEKLY', '2025-06-04'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR;WKST=SU', '2026-01-05'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO;COUNT=8', '2026-01-06'],
  ['FREQ=WEEKLY;UNTIL=20260301T100000Z', '2026-01-05'],
  ['FREQ=MONTHLY;BYMONTHDAY=31', '2026-01-31'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', '2026-01-31'],
  ['FREQ=MONTHLY;BYDAY=2TU', '2026-01-13'],
  ['FREQ=MONTHLY;BYDAY=-1FR;INTERVAL=3', '2026-01-30'],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '2026-01-30'],
  ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', '2026-02-13'],
  ['FREQ=MONTHLY', '2026-01-30'],
  ['FREQ=YEARLY', '2020-03-01'],
  ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', '2025-11-27'],
  ['FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=1', '2026-03-01'],
  ['FREQ=YEARLY;BYDAY=20MO', '2025-05-19'],
] as const)('%s from %s', ([rule, start]) => {
  const days = daysBy(rule, start)
  expect(days?.length).toBeGreaterThan(0)
  expect(days).toEqual(daysByLibrary(rule, start))
})

test.for(['FREQ=SECONDLY', 'FREQ=DAILY;BYHOUR=9', 'FREQ=DAILY;INTERVAL=0', 'FREQ=DAILY;COUNT=x', 'FREQ=MONTHLY;BYDAY=0MO', 'FREQ=MONTHLY;BYDAY=XX', 'INTERVAL=2', 'FREQ=DAILY;FREQ=DAILY', ''])(
  '%s is refused',
  (rule) => expect(daysBy(rule, '2026-01-01')).toBeUndefined(),
) // prettier-ignore

test('a rule that no day meets ends, and one that began long ago is not gone through from there', () => {
  const started = performance.now()
  expect(daysBy('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', '2026-01-01')).toEqual(['2026-01-01'])
  expect(daysBy('FREQ=DAILY;INTERVAL=10000', '2026-01-01')).toEqual(['2026-01-01'])
  expect(daysBy('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', '2026-02-28')).toEqual(['2026-02-28'])
  for (let nth = 0; nth < 200; nth++) daysBy('FREQ=DAILY', '1970-01-01', { from: '2026-01-01', to: '2026-01-31' })
  for (let nth = 0; nth < 100; nth++) daysBy('FREQ=YEARLY;COUNT=99999;BYDAY=53MO,-53TU,53WE,53TH,53FR,53SA,53SU', '1970-01-01')
  expect(performance.now() - started).toBeLessThan(3_000)
  expect(daysBy(`FREQ=YEARLY;BYDAY=${Array(367).fill('53MO').join(',')}`, '2026-01-01')).toBeUndefined()
  expect(daysBy(`FREQ=DAILY;BYMONTHDAY=${Array(367).fill('31').join(',')}`, '2026-01-01')).toBeUndefined()
})
