import { dateFromSerial, format, getFormatDateInfo, getFormatInfo, round } from 'numfmt'
import * as z from 'zod'
import { isSaid } from '@guildhall/contract/reasons'
import type { NotATable } from '@guildhall/contract/reasons'
import { notATable } from './imports.encoding.rules.ts'
import type { Refusal } from './imports.encoding.rules.ts'

/** What the process that reads a workbook is told. */
export const Conversion = z.object({ source: z.string(), target: z.string(), sheet: z.string().nullable() })

/** Cells worth a word about the file as a whole, with the first few of them. */
export const Noticed = z.object({ what: z.enum(['formula', 'error', 'merged']), count: z.int(), cells: z.array(z.string()) })
export type Noticed = z.infer<typeof Noticed>

/** What it answers: the sheets and how much of the chosen one was written, or why the file is refused. */
export const Converted = z.object({
  sheets: z.array(z.object({ name: z.string(), rows: z.int().nullable(), hidden: z.boolean() })),
  sheet: z.string().nullable(),
  noticed: z.array(Noticed),
})
export type Converted = z.infer<typeof Converted>
const isRefusal = (value: unknown): value is Refusal => isSaid(value) && 'message' in value && 'fix' in value
export const Answer = z.union([z.object({ refused: z.custom<Refusal>(isRefusal) }), Converted])

/**
 * Bounds of what is read. `inflated` counts the bytes that really come out of the archive, all parts together: what its table of contents says
 * about sizes is no more than a claim.
 */
export const workbookLimits = {
  entries: 2_000,
  inflated: 300_000_000,
  sharedStringBytes: 120_000_000,
  smallPartBytes: 20_000_000,
  sharedStrings: 1_000_000,
  sharedCharacters: 60_000_000,
  depth: 40,
  /** No text or tag of a workbook is longer; a cell has at most 32,767 characters. */
  markupGap: 1_000_000,
  rowCharacters: 900_000,
  styles: 100_000,
  sheets: 255,
  rows: 100_000,
  columns: 500,
  /** The last row and column there are in any spreadsheet. */
  lastRow: 1_048_576,
  lastColumn: 16_384,
  written: 300_000_000,
} as const

export class WorkbookFault extends Error {
  readonly why: Refusal
  constructor(why: Refusal) {
    super(why.message)
    this.why = why
  }
}

export const damaged: Refusal = {
  reason: 'damaged',
  message: 'This workbook is damaged and cannot be read.',
  fix: 'Open it in a spreadsheet and save it again as XLSX or CSV.',
}
export const locked: Refusal = {
  reason: 'locked',
  message: 'This file has a password.',
  fix: 'Open it in a spreadsheet, remove the password and save it again.',
}
export const tooLarge: Refusal = {
  reason: 'workbook_too_large',
  params: { rows: workbookLimits.rows, bytes: workbookLimits.inflated },
  message: 'This workbook is too large to be read. The limit is 100,000 rows and 300 MB unpacked.',
  fix: 'Save the sheet as CSV, which may have a million rows.',
}
export const unsafe: Refusal = {
  reason: 'unsafe_workbook',
  message: 'This workbook contains declarations that no spreadsheet writes.',
  fix: 'Open it in a spreadsheet and save it again as XLSX or CSV.',
}
export const noSuchSheet: Refusal = {
  reason: 'no_such_sheet',
  message: 'This workbook has no such sheet.',
  fix: 'Choose one of its sheets.',
}
export const manyColumns = (cell: string): Refusal => ({
  reason: 'too_many_columns',
  params: { cell, max: workbookLimits.columns },
  message: `Cell ${cell} is beyond column ${workbookLimits.columns}, the last one that is read.`,
  fix: 'Delete the columns you do not need, and save the workbook again.',
})
export const wrongReference = (cell: string): Refusal => ({
  reason: 'damaged_cell',
  params: { cell: cell.slice(0, 20) },
  message: `This workbook names a cell that no spreadsheet has: ${cell.slice(0, 20)}.`,
  fix: damaged.fix,
})

/** What a ZIP archive without a workbook is, by the names inside. */
export function notAWorkbook(names: ReadonlySet<string>): Refusal {
  const is = (kind: NotATable, message: string, fix: string): Refusal => ({ ...notATable(kind), message, fix })
  if (names.has('xl/workbook.bin')) return is('xlsb', 'This is a binary Excel workbook (XLSB).', 'Save it as XLSX or CSV.')
  if (names.has('word/document.xml'))
    return is('word', 'This is a Word document.', 'Copy the table into a spreadsheet and save it as XLSX or CSV.')
  if (names.has('content.xml')) return is('ods', 'This is an OpenDocument file (ODS).', 'Save it as XLSX or CSV.')
  if (names.has('index/document.iwa')) return is('numbers', 'This is a Numbers document.', 'Export it as Excel or CSV.')
  return is('archive', 'This is an archive, not an Excel workbook.', 'Unpack it and upload what is inside as XLSX or CSV.')
}

/** In the converted file: a formula that nobody calculated yet. It is refused where it is needed, like the errors of a spreadsheet. */
export const uncalculated = '#FORMULA!'

/** `BC12` as column 55 and row 12, both from 1; null when it is no reference. */
export function readReference(reference: string): { column: number; row: number } | null {
  const parts = /^([A-Za-z]{1,7})([0-9]{1,10})$/.exec(reference)
  if (!parts) return null
  const column = Array.from((parts[1] ?? '').toUpperCase()).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  return { column, row: Number(parts[2]) }
}

export function columnName(column: number): string {
  const rest = Math.floor((column - 1) / 26)
  return `${rest > 0 ? columnName(rest) : ''}${String.fromCharCode(65 + ((column - 1) % 26))}`
}

/** Shared strings write characters that XML cannot hold as _x000D_. */
export const unescapeText = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))).replace(/\r\n?/g, '\n')
    : text.replace(/\r\n?/g, '\n')

/** A date as a cell gives it in ISO form: without the time where there is none. */
export function isoCell(value: string): string {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?)|$)/.exec(value)
  if (!parts) return value
  const [, date = '', time = '00:00'] = parts
  return /^[0:]+$/.test(time) ? date : `${date} ${time}`
}

const two = (value: number) => String(value).padStart(2, '0')
/** The last second of the year 9999; spreadsheets show no date beyond. */
const lastSerial = 2_958_465.999_99
const days1904 = 1462

/** A number in full, with the 15 digits that spreadsheets count with and never in scientific notation: 491701234567, 0.1. */
export function plainNumber(raw: string): string {
  if (/^-?\d+$/.test(raw)) return raw
  const value = Number(Number(raw).toPrecision(15))
  if (!Number.isFinite(value)) return raw
  if (Number.isInteger(value)) return BigInt(value).toString()
  return inFull.format(value)
}
const inFull = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 20 })

/**
 * How the numbers of a cell style read: dates as ISO dates, so that nobody has to guess their order; numbers with leading zeros or fixed parts as
 * the spreadsheet shows them (00018, 123-45-6789); amounts and general numbers without grouping, currency or exponents.
 */
export function numberStyle(pattern: string, date1904: boolean): (raw: string) => string {
  try {
    const { type, isDate, maxDecimals } = getFormatInfo(pattern)
    if (isDate) return dateStyle(pattern, date1904)
    if (type === 'number' || type === 'percent') return (raw) => shown(pattern, raw)
    if (type === 'grouped' || type === 'currency') {
      return (raw) => plainNumber(Number.isInteger(Number(raw)) ? raw : String(round(Number(raw), maxDecimals)))
    }
  } catch {
    // A format that the library cannot read: the bare number is what is sure.
  }
  return plainNumber
}

const shown = (pattern: string, raw: string) => {
  const value = Number(raw)
  return Number.isFinite(value) ? format(pattern, value).trim() : raw
}

function dateStyle(pattern: string, date1904: boolean): (raw: string) => string {
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern)
  const dated = year || month || day
  const onlyYear = year && !month && !day
  const elapsed = /\[[hms]+\]/i.test(pattern)
  return (raw) => {
    const serial = Number(raw) + (dated && date1904 ? days1904 : 0)
    if (!Number.isFinite(serial) || serial < 0 || serial > lastSerial) return plainNumber(raw)
    if (onlyYear || elapsed) return shown(pattern, String(serial))
    const [y = 0, m = 0, d = 0, h = 0, min = 0, s = 0] = dateFromSerial(serial)
    const time = `${two(h)}:${two(min)}${seconds || s > 0 ? `:${two(s)}` : ''}`
    if (!dated) return hours || minutes || seconds ? time : plainNumber(raw)
    const date = `${String(y).padStart(4, '0')}-${two(m)}-${two(d)}`
    return h + min + s > 0 && hours ? `${date} ${time}` : date
  }
}

const builtIn: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
}

/** The format behind a number of the table that files refer to without writing it out; 27 to 36 and 50 to 58 are dates of East Asian versions. */
export const builtInFormat = (id: number) => builtIn[id] ?? ((id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'yyyy-mm-dd' : 'General')
