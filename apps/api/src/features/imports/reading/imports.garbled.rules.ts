// Text in UTF-8 that a program took for Windows-1252 and stored again: "MÃ¼ller" for "Müller", "Ð˜Ð²Ð°Ð½" for "Иван".

const bytesOf = new Map(
  Array.from({ length: 128 }, (_, i) => [new TextDecoder('windows-1252').decode(Uint8Array.of(128 + i)), 128 + i] as const),
)
/** What the first two bytes of a character in UTF-8 look like: looked for before anything is decoded. */
const suspicious =
  /[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]/
const strict = new TextDecoder('utf-8', { fatal: true })

/** What a garbled text was before, or null when it is not garbled: every letter of it must be part of a proper character in UTF-8. */
export function ungarbled(text: string): string | null {
  let found: string | null = null
  // A text may have been through the same mistake more than once.
  for (let next = once(text); next !== null; next = once(next)) found = next
  return found
}

function once(text: string): string | null {
  if (!suspicious.test(text)) return null
  const bytes: number[] = []
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0
    const byte = code < 128 ? code : bytesOf.get(letter)
    if (byte === undefined) return null
    bytes.push(byte)
  }
  try {
    return strict.decode(Uint8Array.from(bytes))
  } catch {
    return null
  }
}

export type GarbledCount = { garbled: number; proper: number; example: [garbled: string, repaired: string] | null }
export const noGarbled = (): GarbledCount => ({ garbled: 0, proper: 0, example: null })

/** Counts what speaks for and against a column being garbled; cells of plain ASCII say nothing. */
export function countGarbled(count: GarbledCount, cell: string): void {
  // eslint-disable-next-line no-control-regex -- ASCII as a whole
  if (!/[^\u0000-\u007f]/.test(cell)) return
  const repaired = ungarbled(cell)
  if (repaired === null) count.proper += 1
  else {
    count.garbled += 1
    count.example ??= [cell, repaired]
  }
}

/** Columns in which some cells are garbled and others are sound. */
export const mixedColumns = (counts: readonly GarbledCount[]) =>
  counts.flatMap(({ garbled, proper }, index) => (garbled > 0 && proper > 0 ? [index] : []))
