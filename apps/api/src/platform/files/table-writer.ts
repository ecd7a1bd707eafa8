import { Readable } from 'node:stream'
import writeExcelFile from 'write-excel-file/node'
import type { Cell as SheetCell } from 'write-excel-file/node'
import { guardText, isPlainPhone } from '@guildhall/contract/formula-guard'
import { joinTexts } from './joined-texts.ts'

// The one place that writes tables for people: every text, header included, passes the formula guard; typed values need none.

/** `words`: several texts that readers may separate by a comma as well. */
export type CellKind = 'text' | 'words' | 'phone' | 'number' | 'date' | 'instant' | 'flag'
export type TableColumn = { header: string; kind: CellKind }
/** A cell's value; several texts are joined into one. */
export type Cell = string | number | boolean | null | readonly string[]
export type Pages = AsyncIterable<readonly (readonly Cell[])[]>

/** The value as it reads, for what no spreadsheet opens. */
export function plainText(value: Cell, kind: CellKind): string {
  if (value === null || value === '') return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return typeof value === 'string' ? value : joinTexts(value, kind === 'words' ? ';,|' : ';')
}

/** The value as text, guarded unless its kind makes it harmless. */
export function cellText(value: Cell, kind: CellKind): string {
  const text = plainText(value, kind)
  if (text === '' || typeof value === 'boolean' || typeof value === 'number') return text
  if (kind === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(text)) return text
  if (kind === 'instant' && /^\d{4}-\d{2}-\d{2}T[\d:.+-]+Z?$/.test(text)) return text
  if (kind === 'phone' && isPlainPhone(text)) return text
  return guardText(text)
}

const quoted = (text: string) => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replace(/"/g, '""')}"` : text)
const csvLine = (texts: readonly string[]) => `${texts.map(quoted).join(',')}\r\n`

/** CSV as RFC 4180 has it, UTF-8 with a byte order mark for spreadsheets; page by page, so that memory does not grow with the table. */
export function csvTable(columns: readonly TableColumn[], pages: Pages): Readable {
  async function* lines() {
    yield `\ufeff${csvLine(columns.map(({ header }) => guardText(header)))}`
    for await (const rows of pages) {
      yield rows.map((row) => csvLine(columns.map(({ kind }, i) => cellText(row[i] ?? null, kind)))).join('')
    }
  }
  return Readable.from(lines(), { objectMode: false })
}

/** An XLSX workbook of one sheet. It is put together in memory: the caller bounds the number of rows. */
export async function xlsxTable(columns: readonly TableColumn[], pages: Pages): Promise<Readable> {
  const sheet: SheetCell[][] = [columns.map(({ header }) => ({ value: guardText(header), type: String, fontWeight: 'bold' }))]
  for await (const rows of pages) for (const row of rows) sheet.push(columns.map(({ kind }, i) => sheetCell(row[i] ?? null, kind)))
  const layout = { sheet: 'Export', stickyRowsCount: 1, columns: columns.map(({ header, kind }) => ({ width: widthOf(header, kind) })) }
  return Readable.from([await writeExcelFile(sheet, layout).toBuffer()])
}

const widthOf = (header: string, kind: CellKind) => Math.max(header.length + 2, kind === 'text' ? 22 : 14)
/** A cell of a workbook holds at most so many characters. */
const cellLimit = 32_767

/** What a workbook reads as the code of a character is written as text by giving its underscore as a code. */
const escape = /_(?=x[0-9a-f]{4}_)/gi

function sheetCell(value: Cell, kind: CellKind): SheetCell {
  if (typeof value === 'number' && Number.isFinite(value)) return { value, type: Number }
  const text = cellText(value, kind)
  if (text === '') return null
  // Workbooks count days from 1900.
  if (kind === 'date' && text >= '1900-03-01') return { value: new Date(`${text}T00:00:00Z`), type: Date, format: 'yyyy-mm-dd' }
  return { value: text.slice(0, cellLimit).replace(escape, '_x005F_'), type: String }
}
