import { expect, test } from 'vitest'
import { readMoment } from './typed-moments.ts'

// A Monday, 12:00 in Lisbon and 07:00 in New York.
const now = new Date('2026-11-23T12:00:00Z')

test.each([
  ['Thu 7pm', 'Europe/Lisbon', 'en-GB', '2026-11-26T19:00:00Z'],
  ['Thu 7pm', 'America/New_York', 'en-US', '2026-11-27T00:00:00Z'],
  ['thursday at 19:30', 'Asia/Kathmandu', 'en-GB', '2026-11-26T13:45:00Z'],
  ['tomorrow 8am', 'Pacific/Auckland', 'en-GB', '2026-11-24T19:00:00Z'],
  ['2026-12-03 18:30', 'Europe/Lisbon', 'en-GB', '2026-12-03T18:30:00Z'],
  ['3/12/2026 18:30', 'Europe/Lisbon', 'en-GB', '2026-12-03T18:30:00Z'],
  ['12/3/2026 18:30', 'Europe/Lisbon', 'en-US', '2026-12-03T18:30:00Z'],
  ['3 Dec 6:30pm', 'Europe/Lisbon', 'en-GB', '2026-12-03T18:30:00Z'],
  ['9am', 'Europe/Lisbon', 'en-GB', '2026-11-24T09:00:00Z'],
])('%s in %s for %s', (text, zone, locale, at) => {
  expect(readMoment(text, zone, now, locale)).toMatchObject({ at })
})

test('next Friday is a Friday of days to come', () => {
  const moment = readMoment('next Friday 18:30', 'Europe/Lisbon', now, 'en-GB')
  expect(typeof moment === 'object' && new Date(moment.at).getUTCDay()).toBe(5)
  expect(typeof moment === 'object' && Date.parse(moment.at) > now.getTime()).toBe(true)
  expect(moment).toMatchObject({ time: '18:30' })
})

test('a day without a time, and what is neither, are told apart', () => {
  expect(readMoment('next Friday', 'UTC', now, 'en-GB')).toBe('no_time')
  expect(readMoment('whenever', 'UTC', now, 'en-GB')).toBe('not_understood')
})

test('clocks that change are noticed', () => {
  const march = new Date('2026-03-01T12:00:00Z')
  expect(readMoment('2026-03-29 01:30', 'Europe/Lisbon', march, 'en-GB')).toMatchObject({ change: 'skipped', at: '2026-03-29T01:30:00Z' })
  expect(readMoment('2026-10-25 01:30', 'Europe/Lisbon', march, 'en-GB')).toMatchObject({
    change: 'doubled',
    at: '2026-10-25T00:30:00Z',
    second: '2026-10-25T01:30:00Z',
  })
})
