import { expect, test } from 'vitest'
import { joinTexts, splitTexts } from './joined-texts.ts'

test.for([
  [['a', 'b c'], 'a; b c'],
  [['Smith; sons', 'x'], '"Smith; sons"; x'],
  [['5" pipe', '"quoted"'], '"5"" pipe"; """quoted"""'],
  [['two\nlines'], '"two\nlines"'],
  [[' around ', ''], '" around "; '],
] as const)('%j is written as %j and read back', ([texts, cell]) => {
  expect(joinTexts(texts)).toBe(cell)
  expect(splitTexts(cell)).toEqual(texts.filter((text) => text !== ''))
})

test('other separators count where they are named, and hand-written cells are read as they are meant', () => {
  expect(joinTexts(['Choir, low', 'A|B'], ';,|')).toBe('"Choir, low"; "A|B"')
  expect(splitTexts('"Choir, low"; "A|B"', ';,|')).toEqual(['Choir, low', 'A|B'])
  expect(splitTexts('choir, band |  tea', ';,|')).toEqual(['choir', 'band', 'tea'])
  expect(splitTexts('the "Old" Guard; "Anna" Lee; "open')).toEqual(['the "Old" Guard', '"Anna" Lee', '"open'])
  expect(splitTexts(' ; ;')).toEqual([])
})
