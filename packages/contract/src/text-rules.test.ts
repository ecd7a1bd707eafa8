import { expect, test } from 'vitest'
import { EmailAddress, lines, text } from './shapes.ts'
import { hiddenIn, linePattern, linesPattern, withoutHidden } from './text-rules.ts'

test.each([
  ['Ann\u202eeeL', 'U+202E (direction override)'],
  ['\u2066Ann', 'U+2066 (direction isolate)'],
  ['Ann\u200e', 'U+200E (direction mark)'],
  ['Ann\u061cLee', 'U+061C (direction mark)'],
  ['Ann\u200bLee', 'U+200B (zero-width space)'],
  ['Ann\u200cLee', 'U+200C (joiner between characters that do not join)'],
  ['می\u200c', 'U+200C (joiner between characters that do not join)'],
  ['👩\u200d', 'U+200D (joiner between characters that do not join)'],
  ['Ann\u2028Lee', 'U+2028 (line separator)'],
  ['Ann\u0085Lee', 'U+0085 (control character)'],
  ['Ann\0', 'U+0000 (control character)'],
  ['\ufeffAnn', 'U+FEFF (byte order mark)'],
  ['Ann\u00adLee', 'U+00AD (soft hyphen)'],
  ['Ann\u2060', 'U+2060 (invisible character)'],
  ['Ann\u3164', 'U+3164 (invisible character)'],
  ['Ann\u{e0041}', 'U+E0041 (tag character)'],
  ['🏴\u{e0067}\u{e0062}', 'U+E0062 (tag character)'],
  ['Ann\ufe0f\ufe0f', 'U+FE0F (variation selector)'],
])('%j is refused, and the character named', (value, character) => {
  const { error } = text(100).safeParse(value)
  expect(error?.issues.map(({ message }) => message)).toEqual([`Remove the character ${character}.`])
  expect(lines(100).safeParse(value).success).toBe(false)
  expect(hiddenIn(withoutHidden(value))).toBeNull()
})

test.each([
  'می\u200cخواهم',
  '«کتاب»\u200cها',
  'क्\u200dष',
  'അവന്\u200d',
  'ශ්\u200dරී',
  '葛\u{e0100}',
  '👩🏽\u200d🚀',
  '🏳\ufe0f\u200d🌈',
  '❤\ufe0f\u200d🔥',
  '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  '1\ufe0f⃣',
  'O’Brien',
  'Ann\tLee',
])('%j is written as people write it', (value) => {
  expect(text(100).parse(value)).toBe(value.normalize('NFC'))
  expect(withoutHidden(value)).toBe(value)
  expect(linePattern.test(value)).toBe(true)
})

test('a name has one line, a note several', () => {
  expect(text(100).safeParse('Ann\nLee').error?.issues[0]?.message).toBe('Remove the character U+000A (line break).')
  expect(lines(100).parse('Ann\r\nLee')).toBe('Ann\r\nLee')
  expect(withoutHidden('Ann\n\u200cLee')).toBe('Ann\nLee')
  expect([linePattern.test('Ann\nLee'), linesPattern.test('Ann\nLee')]).toEqual([false, true])
})

test('texts of any length are looked through once', () => {
  for (const unit of ['a', 'می\u200c', '👩\u200d', '\u200d', '\u{e0061}', '\u202e', '\ufe0f', '🏴\u{e0067}']) {
    const start = performance.now()
    const long = unit.repeat(500_000 / unit.length)
    hiddenIn(long)
    withoutHidden(long)
    expect([unit, performance.now() - start < 2_000]).toEqual([unit, true])
  }
})

test.each([
  'a@b.example?bcc=x%40y.example',
  'a@b.example%0abcc',
  'a%0a@b.example',
  'a,b@c.example',
  'a@b,c.example',
  'who?bcc=x@b.example',
  '"a b"@c.example',
  'a\u202e@b.example',
  'a@b\u200b.example',
  '<a@b.example>',
  'a@[127.0.0.1]',
  'a@b',
])('%j is no e-mail address', (value) => expect(EmailAddress.safeParse(value).success).toBe(false))
test.each(['r&d@b.example', "o'brien+tag@b-c.example", 'jörg@bücher.example', 'a.b_c=d@mail.b.co.uk'])('%j is one', (value) =>
  expect(EmailAddress.parse(value)).toBe(value),
)
