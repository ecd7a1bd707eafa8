import { emailPattern } from '@guildhall/contract/email-pattern'
import type { DateOrder } from '@guildhall/contract/features/imports'

const numeric = /^(\d{1,4})([./\- ])(\d{1,2})\2(\d{1,4})(?:[ T]\d{1,2}:\d{2}.*)?$/
const packed = /^(\d{4})(\d{2})(\d{2})$/
const named = /^(?:(\d{1,2})[. -]*([a-z]{3,9})\.?|([a-z]{3,9})\.?[ -]*(\d{1,2})(?:st|nd|rd|th)?)[, -]+(\d{4})$/i
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A calendar date as ISO text, read in the given order; null when it is none. */
export function parseDate(text: string, order: DateOrder | null): string | null {
  const value = text.trim()
  const words = named.exec(value)
  if (words) {
    const month = months.indexOf((words[2] ?? words[3] ?? '').slice(0, 3).toLowerCase()) + 1
    return iso(Number(words[5]), month, Number(words[1] ?? words[4]))
  }
  const tight = packed.exec(value)
  if (tight) return iso(Number(tight[1]), Number(tight[2]), Number(tight[3]))
  const parts = numeric.exec(value)
  if (!parts) return null
  const [a = '', b = '', c = ''] = [parts[1], parts[3], parts[4]]
  if (a.length > 2) return a.length === 4 && c.length <= 2 ? iso(Number(a), Number(b), Number(c)) : null
  if (c.length === 3 || c.length === 1) return null
  if (order === 'ymd') return c.length === 2 ? iso(fullYear(a), Number(b), Number(c)) : null
  if (order === null) return null
  return order === 'dmy' ? iso(fullYear(c), Number(b), Number(a)) : iso(fullYear(c), Number(a), Number(b))
}

/** Two digits mean a year up to ten years ahead, or the one before that in the last hundred. */
function fullYear(digits: string): number {
  if (digits.length !== 2) return Number(digits)
  const year = 2000 + Number(digits)
  return year > new Date().getUTCFullYear() + 10 ? year - 100 : year
}

function iso(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const real = year >= 1000 && year <= 2200 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return real ? date.toISOString().slice(0, 10) : null
}

const looksLikeDate = (text: string) => numeric.test(text.trim()) || named.test(text.trim())

/** Whether a cell is rather a value than the name of a column. */
export const looksLikeData = (text: string) => looksLikeDate(text) || /^[+-]?\d[\d.,]*$/.test(text.trim()) || emailPattern.test(text.trim())

export type DateFinding = { order: DateOrder | null; asked: boolean }

/**
 * The order of day, month and year that all dates of the sample agree with. `asked` means that dates are there which could be read in
 * two ways, so that someone has to say.
 */
export function detectDateOrder(columns: readonly (readonly string[])[]): DateFinding {
  const values = columns
    .map((cells) => cells.map((cell) => cell.trim()).filter((cell) => cell !== ''))
    .filter((cells) => cells.length > 0 && cells.filter(looksLikeDate).length >= cells.length * 0.8)
    .flat()
    .filter((cell) => numeric.test(cell) && !/^\d{4}/.test(cell))
  if (values.length === 0) return { order: 'ymd', asked: false }
  const fits = (['dmy', 'mdy', 'ymd'] as const).filter((order) => values.every((value) => parseDate(value, order) !== null))
  const longYear = values.some((value) => /\d{4}$/.test(value))
  const open = longYear ? fits.filter((order) => order !== 'ymd') : fits
  const [only] = open
  if (open.length === 1 && only) return { order: only, asked: false }
  // Full stops between the numbers are written day first wherever they are written.
  if (open.includes('dmy') && values.every((value) => value.includes('.'))) return { order: 'dmy', asked: false }
  return { order: null, asked: true }
}
