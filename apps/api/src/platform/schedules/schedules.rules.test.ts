import { clockIn } from '@guildhall/contract/moments'
import { describe, expect, test } from 'vitest'
import { latestDue, runOf } from './schedules.rules.ts'
import type { ScheduleRule } from './schedules.rules.ts'

const due = (rule: ScheduleRule, zone: string, now: string) => latestDue(rule, zone, new Date(now))

test.each<[string, ScheduleRule, string, string, { on: string; at: string }]>([
  [
    'before today’s time it is yesterday’s',
    { every: 'day', at: '08:00' },
    'Europe/Lisbon',
    '2026-11-23T07:59:00Z',
    { on: '2026-11-22', at: '2026-11-22T08:00:00Z' },
  ],
  [
    'the day is the organisation’s',
    { every: 'day', at: '08:00' },
    'Asia/Tokyo',
    '2026-11-22T23:00:00Z',
    { on: '2026-11-23', at: '2026-11-22T23:00:00Z' },
  ],
  [
    'a skipped hour comes as much later',
    { every: 'day', at: '02:30' },
    'America/New_York',
    '2026-03-08T12:00:00Z',
    { on: '2026-03-08', at: '2026-03-08T07:30:00Z' },
  ],
  [
    'of a doubled hour it is the first',
    { every: 'day', at: '01:30' },
    'America/New_York',
    '2026-11-01T12:00:00Z',
    { on: '2026-11-01', at: '2026-11-01T05:30:00Z' },
  ],
  [
    'Monday of this week',
    { every: 'week', on: 1, at: '09:00' },
    'UTC',
    '2026-11-25T00:00:00Z',
    { on: '2026-11-23', at: '2026-11-23T09:00:00Z' },
  ],
  [
    'Monday of last week, on Monday before nine',
    { every: 'week', on: 1, at: '09:00' },
    'UTC',
    '2026-11-23T08:00:00Z',
    { on: '2026-11-16', at: '2026-11-16T09:00:00Z' },
  ],
  [
    'the last day of a month',
    { every: 'month', on: 'last', at: '23:00' },
    'UTC',
    '2026-03-01T00:00:00Z',
    { on: '2026-02-28', at: '2026-02-28T23:00:00Z' },
  ],
  [
    'the 31st of a month of thirty',
    { every: 'month', on: 31, at: '00:00' },
    'UTC',
    '2026-04-30T12:00:00Z',
    { on: '2026-04-30', at: '2026-04-30T00:00:00Z' },
  ],
  [
    'over the turn of a year',
    { every: 'month', on: 15, at: '00:00' },
    'UTC',
    '2026-01-03T00:00:00Z',
    { on: '2025-12-15', at: '2025-12-15T00:00:00Z' },
  ],
  [
    '29 February in an ordinary year',
    { every: 'year', month: 2, on: 29, at: '00:00' },
    'UTC',
    '2026-12-01T00:00:00Z',
    { on: '2026-02-28', at: '2026-02-28T00:00:00Z' },
  ],
  [
    'last year’s, before it comes again',
    { every: 'year', month: 7, on: 1, at: '00:00' },
    'UTC',
    '2026-06-30T23:59:00Z',
    { on: '2025-07-01', at: '2025-07-01T00:00:00Z' },
  ],
])('%s', (_name, rule, zone, now, expected) => {
  expect(due(rule, zone, now)).toEqual(expected)
})

describe('looked at every half hour over a year', () => {
  test.each(['Europe/Lisbon', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana'])('each day of %s comes once', (zone) => {
    const rule: ScheduleRule = { every: 'day', at: '02:00' }
    const days: string[] = []
    const start = Date.parse('2026-01-01T12:00:00Z')
    for (let now = start; now < start + 365 * 86_400_000; now += 1_800_000) {
      // Only around the time in question, which is where days could be lost or doubled.
      const { time } = clockIn(zone, new Date(now))
      if (time > '05:00') continue
      const { on } = latestDue(rule, zone, new Date(now))
      if (on !== days.at(-1)) days.push(on)
    }
    expect(new Set(days).size).toBe(days.length)
    expect(days.toSorted()).toEqual(days)
    expect(days.length).toBeGreaterThanOrEqual(365)
  })
})

test('a moment runs once, is made up for or skipped by policy, and a new schedule begins with its next', () => {
  const moment = { on: '2026-11-23', at: '2026-11-23T08:00:00Z' }
  const at = (last: string | null, missed: 'once' | 'skip', now: string) => runOf({ due: moment, last, missed, now: new Date(now) })
  expect(at('2026-11-22', 'once', '2026-11-23T08:00:10Z')).toBe('due')
  expect(at('2026-11-23', 'once', '2026-11-23T08:01:10Z')).toBeNull()
  // Clocks of an organisation that moves west show a day that has run already.
  expect(at('2026-11-24', 'once', '2026-11-23T08:01:10Z')).toBeNull()
  expect(at('2026-11-20', 'once', '2026-11-23T21:00:00Z')).toBe('due')
  expect(at('2026-11-20', 'skip', '2026-11-23T21:00:00Z')).toBe('skipped')
  expect(at('2026-11-22', 'skip', '2026-11-23T08:29:00Z')).toBe('due')
  expect(at(null, 'once', '2026-11-23T08:00:10Z')).toBe('seen')
})
