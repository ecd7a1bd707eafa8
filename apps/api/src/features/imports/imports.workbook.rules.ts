import * as z from 'zod'
import type { Refusal } from './imports.encoding.rules.ts'

/** What the thread that reads a workbook is told. */
export const Conversion = z.object({ source: z.string(), target: z.string(), sheet: z.string().nullable(), rowLimit: z.int() })

/** A sheet that unpacks to more than this is refused before anything is unpacked: a small file can hold gigabytes of zeros. */
const unpackedLimit = 250_000_000

/** What is wrong with a file that claims to be XLSX, from its table of contents (the end of every ZIP file); null when nothing is. */
export function workbookFault(tail: Buffer, fileSize: number): Refusal | null {
  const end = tail.lastIndexOf(Buffer.from('504b0506', 'hex'))
  if (end < 0 || end + 22 > tail.length) return damaged
  const entries = tail.readUInt16LE(end + 10)
  let at = tail.readUInt32LE(end + 16) - (fileSize - tail.length)
  if (at < 0) return damaged
  const names: string[] = []
  let unpacked = 0
  for (let i = 0; i < entries; i++) {
    if (at + 46 > tail.length || tail.readUInt32LE(at) !== 0x02014b50) return damaged
    if (tail.readUInt16LE(at + 8) & 1) return locked
    unpacked += tail.readUInt32LE(at + 24)
    const nameLength = tail.readUInt16LE(at + 28)
    names.push(tail.toString('utf8', at + 46, at + 46 + nameLength))
    at += 46 + nameLength + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32)
  }
  if (!names.includes('xl/workbook.xml')) {
    return { code: 'not_a_table', message: 'This is not an Excel workbook.', fix: 'Open it in a spreadsheet and save it as XLSX or CSV.' }
  }
  return unpacked > unpackedLimit
    ? { code: 'too_large', message: 'This workbook is too large to be read.', fix: 'Save it as CSV, which has no such limit.' }
    : null
}

export const damaged: Refusal = {
  code: 'damaged',
  message: 'This workbook is damaged and cannot be read.',
  fix: 'Open it in a spreadsheet and save it again as XLSX or CSV.',
}
const locked: Refusal = {
  code: 'old_or_locked',
  message: 'This file has a password.',
  fix: 'Open it in a spreadsheet, remove the password and save it again.',
}

/** A cell as text: dates as ISO, whole numbers as typed (12345678 stays itself), flags as yes and no. */
export function cellText(value: unknown): string {
  if (value instanceof Date)
    return value
      .toISOString()
      .replace(/T00:00:00(\.000)?Z$/, '')
      .replace('T', ' ')
      .replace(/(\.\d+)?Z$/, '')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

/** Spreadsheets keep numbers as binary fractions: 0.1 may be stored as 0.10000000000000001. */
export const plainNumber = (digits: string) => (/^-?\d+$/.test(digits) ? digits : String(Number(digits)))
