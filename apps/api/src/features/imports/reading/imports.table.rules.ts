import type { ImportFormat } from '@guildhall/contract/features/imports'
import { parse } from 'csv-parse/sync'
import type { Options } from 'csv-parse'
import { looksLikeData } from '../mapping/imports.dates.rules.ts'

type Separator = ImportFormat['separator']
const candidates: Separator[] = [',', ';', '\t', '|']

/** One record holds at most so many characters: an unclosed quote must not swallow the rest of a large file. */
const recordLimit = 1_000_000

/** How both the preview and the job read CSV: forgiving about quotes and column counts, whose faults are reported per row. */
export const csvOptions = (separator: Separator): Options => ({
  delimiter: separator,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  ltrim: separator !== '\t',
  skip_empty_lines: false,
  max_record_size: recordLimit,
})

/** The rows of a piece of a file; a last row that is cut off is left out. */
export function rowsOf(text: string, separator: Separator, limit: number): string[][] {
  const rows: string[][] = []
  try {
    parse(text, {
      ...csvOptions(separator),
      to: limit,
      on_record: (record: string[]) => {
        rows.push(record)
        return null
      },
    })
  } catch {
    // What was read up to the fault is what the preview shows; the check names the fault.
  }
  return rows
}

/** The separator that splits most rows into the same number of columns, more than one. */
export function detectSeparator(text: string): Separator {
  const scored = candidates.map((separator) => {
    const widths = rowsOf(text, separator, 100)
      .map((row) => row.length)
      .filter((width, index, all) => width > 1 || index < all.length - 1)
    const counts = new Map<number, number>()
    for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1)
    const [width = 1, rows = 0] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? []
    return { separator, share: rows / Math.max(1, widths.length), width }
  })
  const best = scored.sort((a, b) => b.share - a.share || b.width - a.width)[0]
  return best && best.share > 0 ? best.separator : ','
}

const filled = (row: readonly string[]) => row.filter((cell) => cell.trim() !== '').length

/** The number of filled cells that most rows have; a few ragged ones do not count. */
function usual(widths: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const width of widths) if (width > 0) counts.set(width, (counts.get(width) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 1
}

/** The row with the names of the columns, counted from 1: the first one as wide as the table that holds words only; 0 when there is none. */
export function detectHeaderRow(rows: readonly (readonly string[])[]): number {
  const width = usual(rows.slice(0, 50).map((row) => filled(row)))
  for (const [index, row] of rows.slice(0, 10).entries()) {
    if (filled(row) < Math.max(1, Math.ceil(width * 0.6))) continue
    return row.some((cell) => looksLikeData(cell)) ? 0 : index + 1
  }
  return rows.length > 0 ? 1 : 0
}
