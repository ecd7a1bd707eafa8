import { expect, test } from 'vitest'
import { guardText, isPlainPhone, unguardText } from './formula-guard.ts'

const triggers = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
const hostile = [
  ...triggers.flatMap((t) => [
    `${t}1+1`,
    ` ${t}1`,
    `'${t}1`,
    `''${t}1`,
    `a;${t}1`,
    `a; ${t}1`,
    `a;'${t}1`,
    `a\n${t}1`,
    `a\t${t}1`,
    `a;;${t}1`,
    `;${t}${t}`,
    `\n${t}`,
    `\t${t}`,
    `a"";${t}1`,
    `"${t}1`,
  ]),
  '\tx',
  '\rx',
  '\nx',
  "'\tx",
  '=HYPERLINK("http://evil.example";"x")',
  "=cmd|' /C calc'!A0",
  'x;\r\n=1',
  ';\n=1',
]

test('nothing that a spreadsheet runs begins a cell, however it is split', () => {
  for (const text of hostile) {
    const cells = guardText(text).split(/[;\t\r\n]/)
    const whole = guardText(text)
    expect([text, /^[\t\r\n]/.test(whole), cells.filter((cell) => /^[ \u00a0]*[=+\-@＝＋－＠]/.test(cell))]).toEqual([text, false, []])
  }
})

test('what was guarded comes back exactly, whatever it was', () => {
  for (const text of [...hostile, '', 'plain', "O'Brien", "'quoted'", 'a;b', "a;'b", '5-3', 'me@example.org', "'", "''", "';"])
    expect(unguardText(guardText(text))).toBe(text)
  const alphabet = ['=', '-', "'", ';', '\n', '\t', ' ', 'a', '＝', '"']
  let seed = 7
  const next = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n
  for (let i = 0; i < 20_000; i++) {
    const text = Array.from({ length: next(9) }, () => alphabet[next(alphabet.length)]).join('')
    expect(unguardText(guardText(text))).toBe(text)
  }
})

test('harmless texts are not touched', () => {
  for (const text of ['plain', "O'Brien", 'me@example.org', 'a-b', '1-2', 'a; b', 'Zürich']) expect(guardText(text)).toBe(text)
  expect([isPlainPhone('+4930901820'), isPlainPhone('+49-30'), isPlainPhone('+1+1'), isPlainPhone('=1')]).toEqual([
    true,
    false,
    false,
    false,
  ])
})
