/**
 * Several texts in one cell: separated by "; ". A text that contains a separator, a quotation mark or a line break is put in quotation marks, and
 * quotation marks in it are doubled. `splitTexts` gives back what `joinTexts` was given.
 */
export const joinTexts = (texts: readonly string[], separators: string = ';'): string =>
  texts.map((text) => (needsQuotes(text, separators) ? `"${text.replace(/"/g, '""')}"` : text)).join('; ')

const needsQuotes = (text: string, separators: string) =>
  /["\r\n]|^\s|\s$/.test(text) || Array.from(separators).some((separator) => text.includes(separator))

/** The texts of a cell, without the empty ones. A quotation mark counts only where a text begins. */
export function splitTexts(cell: string, separators: string = ';'): string[] {
  const texts: string[] = []
  let at = 0
  while (at < cell.length) {
    while (/\s/.test(cell[at] ?? '')) at += 1
    const quoted = cell[at] === '"' ? /^"((?:[^"]|"")*)"\s*/.exec(cell.slice(at)) : null
    const end = quoted ? at + quoted[0].length : at
    // Only what is closed right before a separator was quoted by us.
    if (quoted && (end >= cell.length || separators.includes(cell[end] ?? ''))) {
      texts.push((quoted[1] ?? '').replace(/""/g, '"'))
      at = end + 1
      continue
    }
    let next = at
    while (next < cell.length && !separators.includes(cell[next] ?? '')) next += 1
    texts.push(cell.slice(at, next).trim())
    at = next + 1
  }
  return texts.filter((text) => text !== '')
}
