// What a spreadsheet would run as a formula; full-width forms are read the same by some.
const dangerous = /^\s*[=+\-@;\t\r\n＝＋－＠]/
const plainNumber = /^[+-]?\d[\d\s().-]*$/

/** A text that no spreadsheet takes for a formula; numbers and telephone numbers stay as they are. Imports take the apostrophe away again. */
export const guardCell = (cell: string) => (dangerous.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell)

/** One line of CSV (RFC 4180). */
export const csvLine = (cells: readonly string[]) =>
  `${cells
    .map((cell) => {
      const safe = guardCell(cell)
      return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe
    })
    .join(',')}\r\n`
