import { daysFrom } from '@guildhall/contract/moments'
import { daysOfSeries, ruleOf } from '@guildhall/contract/repeats'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'

test('the days of a series are those that calendar programs get from its rule', () => {
  const drawn = fc.record({
    startsOn: fc.integer({ min: 0, max: 12_000 }).map((days) => daysFrom('2020-01-01', days)),
    length: fc.integer({ min: 0, max: 731 }),
    every: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
    interval: fc.integer({ min: 1, max: 12 }),
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 })),
    monthly: fc.constantFrom('date' as const, 'weekday' as const),
  })
  fc.assert(
    fc.property(drawn, ({ startsOn, length, ...rule }) => {
      const repeats = { ...rule, untilOn: daysFrom(startsOn, length) }
      const theirs = ICAL.Recur.fromString(ruleOf(repeats, startsOn)).iterator(ICAL.Time.fromDateString(startsOn))
      // A start that the rule does not name is a day of the series all the same.
      const days = new Set([startsOn])
      for (let day = theirs.next(); day.toString() <= repeats.untilOn; day = theirs.next()) days.add(day.toString())
      expect(daysOfSeries(repeats, startsOn)).toEqual([...days])
    }),
    { numRuns: 300 },
  )
})
