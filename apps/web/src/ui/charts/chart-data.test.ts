import { expect, test } from 'vitest'
import { axisTicks, chartClipboard, chartCsv, largestFirst, otherKey, pushedApart } from './chart-data.ts'
import type { ChartData } from './chart-data.ts'

const chapters: ChartData = {
  heading: 'Chapter',
  series: [{ key: 'members', label: 'Members' }],
  rows: [
    { key: 'a', label: 'Porto', values: { members: 3 } },
    { key: 'b', label: 'Lisbon, "Alfama"', values: { members: 9 } },
    { key: 'c', label: '=HYPERLINK("evil")', values: { members: 5 } },
    { key: 'd', label: 'Faro', values: { members: null } },
  ],
}

test('a table leaves the page guarded against formulas, with numbers as numbers', () => {
  expect(chartCsv(chapters)).toBe('\ufeffChapter,Members\r\nPorto,3\r\n"Lisbon, ""Alfama""",9\r\n"\'=HYPERLINK(""evil"")",5\r\nFaro,\r\n')
  expect(chartClipboard(chapters).split('\n')[3]).toBe('\'=HYPERLINK("evil")\t5')
})

test('bars stand by size, and what is beyond the last counts as one', () => {
  expect(largestFirst(chapters, 4, 'Other').map(({ label }) => label)).toEqual(['Lisbon, "Alfama"', '=HYPERLINK("evil")', 'Porto', 'Faro'])
  expect(largestFirst(chapters, 3, 'Other').at(-1)).toEqual({ key: otherKey, label: 'Other', values: { members: 3 } })
})

test.each([
  [
    [84, 2412],
    [0, 1000, 2000, 3000],
  ],
  [
    [0, 0],
    [0, 1],
  ],
  [[3], [0, 1, 2, 3]],
  [
    [-12, 30],
    [-20, 0, 20, 40],
  ],
])('the axis of %j has a zero and round figures', (values, ticks) => {
  expect(axisTicks(values)).toEqual(ticks)
})

test('names of lines that end close together move apart and stay inside', () => {
  expect(pushedApart([50, 52, 10], 14, 100)).toEqual([50, 64, 10])
  expect(pushedApart([99, 98], 14, 100)).toEqual([100, 86])
})
