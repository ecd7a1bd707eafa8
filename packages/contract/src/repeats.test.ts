import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysBetween, daysFrom, weekdayOf } from './moments.ts'
import { daysOfSeries, longestSeries, repeatsOf, ruleOf } from './repeats.ts'
import type { Repeats } from './repeats.ts'

const rule = (more: Partial<Repeats>): Repeats => ({
  every: 'week',
  interval: 1,
  weekdays: [],
  monthly: 'date',
  untilOn: '2027-12-31',
  ...more,
})

test('days are those that people mean', () => {
  expect(daysOfSeries(rule({ interval: 2, untilOn: '2027-02-01' }), '2027-01-04')).toEqual(['2027-01-04', '2027-01-18', '2027-02-01'])
  expect(daysOfSeries(rule({ weekdays: [4, 2], untilOn: '2027-01-15' }), '2027-01-06')).toEqual(['2027-01-06', '2027-01-07', '2027-01-12', '2027-01-14'])
  // A month without a 31st has none.
  expect(daysOfSeries(rule({ every: 'month', untilOn: '2027-06-01' }), '2027-01-31')).toEqual(['2027-01-31', '2027-03-31', '2027-05-31'])
  expect(daysOfSeries(rule({ every: 'month', monthly: 'weekday', untilOn: '2027-03-31' }), '2027-01-12')).toEqual(['2027-01-12', '2027-02-09', '2027-03-09'])
  // The last Friday, not the fifth.
  expect(daysOfSeries(rule({ every: 'month', monthly: 'weekday', untilOn: '2027-03-31' }), '2027-01-29')).toEqual(['2027-01-29', '2027-02-26', '2027-03-26'])
}) // prettier-ignore

const date = fc.integer({ min: 0, max: 20_000 }).map((days) => daysFrom('2000-01-01', days))
const repeats = fc.record({
  every: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
  interval: fc.integer({ min: 1, max: 12 }),
  weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 })),
  monthly: fc.constantFrom('date' as const, 'weekday' as const),
})
const series = fc.record({ startsOn: date, length: fc.integer({ min: 0, max: 1000 }), repeats }).map((drawn) => ({
  startsOn: drawn.startsOn,
  repeats: { ...drawn.repeats, untilOn: daysFrom(drawn.startsOn, drawn.length) },
}))

test('a series begins with its start, goes forward, and ends by its last day and within two years', () => {
  fc.assert(
    fc.property(series, (drawn) => {
      const days = daysOfSeries(drawn.repeats, drawn.startsOn)
      expect(days[0]).toBe(drawn.startsOn)
      for (const [nth, at] of days.entries()) {
        if (nth > 0) expect(at > (days[nth - 1] ?? '')).toBe(true)
        expect(at <= drawn.repeats.untilOn && daysBetween(drawn.startsOn, at) <= longestSeries).toBe(true)
      }
    }),
  )
})

test('a series in portions has the same days, and the rule as text is the same rule', () => {
  fc.assert(
    fc.property(series, fc.integer({ min: 0, max: 1000 }), (drawn, ahead) => {
      const { startsOn } = drawn
      const all = daysOfSeries(drawn.repeats, startsOn)
      const through = daysFrom(startsOn, ahead)
      expect(daysOfSeries(drawn.repeats, startsOn, through)).toEqual(all.filter((at, nth) => nth === 0 || at <= through))
      expect(daysOfSeries(repeatsOf(ruleOf(drawn.repeats, startsOn), drawn.repeats.untilOn), startsOn)).toEqual(all)
    }),
  )
})

test('each day is one that its rule names', () => {
  fc.assert(
    fc.property(series, (drawn) => {
      const { startsOn } = drawn
      const { every, interval, weekdays, monthly } = drawn.repeats
      const monday = daysFrom(startsOn, 1 - weekdayOf(startsOn))
      for (const at of daysOfSeries(drawn.repeats, startsOn).slice(1)) {
        if (every === 'day') expect(daysBetween(startsOn, at) % interval).toBe(0)
        if (every === 'week') {
          expect((weekdays.length > 0 ? weekdays : [weekdayOf(startsOn)]).includes(weekdayOf(at))).toBe(true)
          expect(Math.floor(daysBetween(monday, at) / 7) % interval).toBe(0)
        }
        if (every === 'month') expect(monthly === 'date' ? at.slice(8) : weekdayOf(at)).toBe(monthly === 'date' ? startsOn.slice(8) : weekdayOf(startsOn))
      }
    }),
  )
}) // prettier-ignore
