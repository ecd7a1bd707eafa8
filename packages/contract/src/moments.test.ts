import { expect, test } from 'vitest'
import { clockIn, daysFrom, momentAt } from './moments.ts'
import { isTimezone } from './zones.ts'

test.each([
  ['an ordinary time', 'Europe/Lisbon', '2026-11-23', '19:00', { at: '2026-11-23T19:00:00Z', change: 'none' }],
  ['an hour that clocks go forward over', 'America/New_York', '2026-03-08', '02:30', { at: '2026-03-08T07:30:00Z', change: 'skipped' }],
  [
    'an hour that clocks show twice',
    'America/New_York',
    '2026-11-01',
    '01:30',
    { at: '2026-11-01T05:30:00Z', change: 'doubled', second: '2026-11-01T06:30:00Z' },
  ],
  ['a day that was left out', 'Pacific/Apia', '2011-12-30', '12:00', { at: '2011-12-30T22:00:00Z', change: 'skipped' }],
  ['half an hour of daylight saving', 'Australia/Lord_Howe', '2026-10-04', '02:15', { at: '2026-10-03T15:45:00Z', change: 'skipped' }],
] as const)('%s in %s', (_name, zone, date, time, moment) => {
  expect(momentAt(zone, date, time)).toEqual(moment)
})

test('a clock shows the day of its zone', () => {
  expect(clockIn('Asia/Kathmandu', '2026-11-23T18:30:00Z')).toEqual({ date: '2026-11-24', time: '00:15' })
  expect(daysFrom('2026-03-01', -1)).toBe('2026-02-28')
})

test('zones have names of the IANA database', () => {
  expect(['Europe/Paris', 'UTC', 'America/Argentina/Ushuaia'].filter((zone) => !isTimezone(zone))).toEqual([])
  expect(['Europe/Atlantis', '+01:00', '', 'Local'].filter(isTimezone)).toEqual([])
})
