// Characters that no text of ours holds: whoever reads the text does not see them, or sees the text in another order than the one it is stored in.
// Forms, files and mails all ask here.

/** Scripts whose letters change their shape with a joiner between them. */
const joining = [
  ...['Arab', 'Syrc', 'Nkoo', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr'],
  ...['Tibt', 'Java', 'Bali'],
]
const joined = `${joining.map((script) => `\\p{Script_Extensions=${script}}`).join('')}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f`
/** Signs after which a joiner may end a word: it shows the half form of the letter before. */
const virama = '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca'
/** Arabic, Syriac and Egyptian signs of Unicode's invisible kind that are drawn nevertheless. */
const drawn = '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}\\u{13430}-\\u{1345f}'
const selector = '[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]'
/** A flag of a country's part, such as Scotland: the black flag, letters that are not drawn, and their end. */
const tags = '[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]'

const hidden = [
  '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u2028\\u2029]',
  // Blanks that Unicode counts among the letters and marks.
  '[\\u034f\\u3164\\uffa0]',
  `(?![${drawn}\\u200c\\u200d\\u{e0020}-\\u{e007f}])\\p{Cf}`,
  // A joiner has a letter or an emoji on either side that it joins.
  `(?:^|[^${joined}\\p{Nd}\\p{Pe}\\p{Pf}])[\\u200c\\u200d]+`,
  `(?:^|[^${virama}])[\\u200c\\u200d](?![${joined}])`,
  `(?:^|${selector})${selector}+`,
  `(?:^|[^\\u{1f3f4}\\u{e0020}-\\u{e007f}])[\\u{e0020}-\\u{e007f}]+`,
  `\\u{1f3f4}(?!${tags}{3,6}\\u{e007f})[\\u{e0020}-\\u{e007f}]+`,
  `\\u{e007f}[\\u{e0020}-\\u{e007f}]+`,
].join('|')
/* eslint-disable no-restricted-syntax -- these patterns are made of the parts above, none comes from outside */
const hiddenCharacter = new RegExp(hidden, 'u')
const hiddenCharacters = new RegExp(hidden, 'gu')
const invisible = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034f\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu

const never =
  '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb'
/** What the document says of a text of several lines: the characters refused wherever they stand, in a form that every language's patterns know. */
export const linesPattern = new RegExp(`^[^${never}]*$`)
/** The same of a text of one line, such as a name. */
export const linePattern = new RegExp(`^[^\\n\\r${never}]*$`)
/* eslint-enable no-restricted-syntax */

const names: readonly [from: number, to: number, name: string][] = [
  [0x0a, 0x0a, 'line break'],
  [0x0d, 0x0d, 'line break'],
  [0x00, 0x9f, 'control character'],
  [0xad, 0xad, 'soft hyphen'],
  [0x061c, 0x061c, 'direction mark'],
  [0x200b, 0x200b, 'zero-width space'],
  [0x200c, 0x200d, 'joiner between characters that do not join'],
  [0x200e, 0x200f, 'direction mark'],
  [0x2028, 0x2029, 'line separator'],
  [0x202a, 0x202e, 'direction override'],
  [0x2066, 0x2069, 'direction isolate'],
  [0xfe00, 0xfe0f, 'variation selector'],
  [0xfeff, 0xfeff, 'byte order mark'],
  [0xe0020, 0xe007f, 'tag character'],
  [0xe0100, 0xe01ef, 'variation selector'],
]

/** The first character that a text must not hold, such as "U+202E (direction override)", or null. */
export function hiddenIn(text: string, oneLine = false): string | null {
  const found = hiddenCharacter.exec(text)?.[0] ?? (oneLine ? /[\n\r]/.exec(text)?.[0] : undefined)
  if (found === undefined) return null
  const code = (found.match(invisible)?.at(-1) ?? found).codePointAt(0) ?? 0
  const name = names.find(([from, to]) => code >= from && code <= to)?.[2] ?? 'invisible character'
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')} (${name})`
}

/** The text without what it must not hold; what stands beside it stays. */
export function withoutHidden(text: string): string {
  let cleaned = text
  // Taking one out can leave its neighbour alone, such as a joiner beside an override; what is knotted further was written by no hand.
  for (let round = 0; round < 4; round += 1) {
    if (!hiddenCharacter.test(cleaned)) return cleaned
    cleaned = cleaned.replace(hiddenCharacters, (found) => found.replace(invisible, ''))
  }
  return cleaned.replace(invisible, '')
}
