import type { DateOrder, ImportFinding, ImportFindingCode } from '@guildhall/contract/features/imports'
import { emailPattern } from '@guildhall/contract/email-pattern'
import { seen } from '@guildhall/contract/shapes'
import parsePhoneNumber, { isSupportedCountry } from 'libphonenumber-js/min'
import { unguardText } from '@guildhall/contract/formula-guard'
import { parseDate } from './imports.dates.rules.ts'
import { uncalculated } from '../reading/imports.workbook.rules.ts'

export type FieldRule =
  /** `free`: names and texts in which a word such as None may be meant. */
  | { is: 'text'; max: number; lines?: boolean; free?: boolean }
  | { is: 'date' }
  | { is: 'int'; min: number; max: number }
  | { is: 'decimal' }
  | { is: 'flag' }
  | { is: 'email' }
  | { is: 'phone' }
  | { is: 'url' }
  | { is: 'choice'; options: Record<string, string> }

export type Value = string | number | boolean
export type Fault = { code: ImportFindingCode; message: string; fix: string; params?: ImportFinding['params'] | undefined }
export type Reading = { dateOrder: DateOrder | null; phoneCountry: string | null }

export const cellLimit = 65_536
// eslint-disable-next-line no-control-regex -- control characters are what must be found
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/
// eslint-disable-next-line no-control-regex -- the same, all of them
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
/** A text as it may be shown and stored: what cannot be is marked. */
export const showable = (text: string, length: number) => text.slice(0, length).toWellFormed().replace(controls, '\ufffd')

/** A cell as it should have been typed: NFC, no spaces around, no stray spaces of other kinds, no export guard, nothing where there is nothing to see. */
export function cleanCell(cell: string): string {
  const value = cell.replace(/[\u00a0\u2007\u202f\ufeff]/g, ' ').trim()
  return seen(unguardText(value).normalize('NFC'))
}

/** What people and programs write where there is nothing. The longer words count in no name and no free text: a surname may be None or Null. */
const nothing = /^(?:[-\u2010-\u2015\u2212_.]{1,3}|n\/a|n\.a\.|#n\/a|#nv|\\n)$/i
const nothingInLists = /^(?:none|null|undefined|\(none\)|\(null\)|\(blank\)|\(empty\)|<none>|<null>)$/i

/** Words that are codes of countries, languages and chapters as well. */
const nothingInValues = /^(?:na|nil|nan)$/i

/** Whether a cell says that it is empty. */
export function saysNothing(value: string, rule: FieldRule): boolean {
  if (value.length > 9) return false
  if (nothing.test(value)) return true
  if (rule.is === 'text' && (rule.free || rule.lines)) return false
  return nothingInLists.test(value) || (rule.is !== 'text' && nothingInValues.test(value))
}

const sheetErrors =
  /^#(?:REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|FIELD!|GETTING_DATA|BUSY!|CONNECT!|BLOCKED!|UNKNOWN!|BEZUG!|WERT!|ZAHL!|\u00dcBERLAUF!|#+)$/i
const shortened = /^[+-]?\d(?:[.,]\d{1,20})?E[+-]\d{1,3}$/i

/** What makes a cell unusable, whatever it is for. */
export function cellFault(value: string): Fault | null {
  if (value.length > cellLimit)
    return {
      code: 'too_long',
      message: 'This cell is longer than 65,536 characters.',
      fix: 'Shorten it; often a quote is missing.',
      params: { max: cellLimit },
    }
  if (control.test(value))
    return { code: 'control_character', message: 'This cell contains an invisible control character.', fix: 'Type the value again.' }
  if (value.includes('\ufffd') || !value.isWellFormed()) {
    return {
      code: 'broken_character',
      message: 'A character of this cell cannot be read.',
      fix: 'Choose another encoding for the file, or type the value again.',
    }
  }
  if (value === uncalculated)
    return {
      code: 'formula_not_calculated',
      message: 'The formula of this cell has no result.',
      fix: 'Open the workbook in a spreadsheet, let it calculate, save it and upload it again.',
      params: { cells: '' },
    }
  if (sheetErrors.test(value))
    return {
      code: 'spreadsheet_error',
      message: 'This cell shows an error of the spreadsheet.',
      fix: 'Correct it in the spreadsheet.',
      params: { cells: '' },
    }
  return null
}

const shortenedNumber: Fault = {
  code: 'shortened_number',
  message: 'A spreadsheet shortened this number; its last digits are lost.',
  fix: 'Format the column as text in the spreadsheet, enter the numbers again and save the file.',
}

const yes = new Set(['1', 'y', 'yes', 'true', 'x', 'on', 'ja', 'j', 'oui', 'o', 'si', 'sí', 's', 'sim', 'tak', 'wahr', 'vrai', '✓', 'はい'])
const no = new Set(['0', 'n', 'no', 'false', 'off', 'nein', 'non', 'nee', 'nej', 'não', 'nao', 'nie', 'falsch', 'faux', 'いいえ'])

/** A value as the words of a closed list are written. */
export const foldChoice = (value: string) => value.toLowerCase().replace(/[\s_-]+/g, ' ')

/** Reads a cell that is not empty by the rule of its field. */
export function readValue(value: string, rule: FieldRule, reading: Reading): { value: Value } | { fault: Fault } {
  switch (rule.is) {
    case 'text': {
      if (!rule.free && !rule.lines && shortened.test(value)) return { fault: shortenedNumber }
      const text = rule.lines ? value.replace(/\r\n?/g, '\n') : value.replace(/\s+/g, ' ')
      return text.length <= rule.max
        ? { value: text }
        : bad('too_long', `This has ${text.length} characters; ${rule.max} is the most.`, 'Shorten it.', { max: rule.max })
    }
    case 'date': {
      const date = parseDate(value, reading.dateOrder)
      const order = { ymd: 'year-month-day', dmy: 'day/month/year', mdy: 'month/day/year' }[reading.dateOrder ?? 'ymd']
      return date
        ? { value: date }
        : bad('not_a_date', `This is not a date in the order ${order}.`, 'Write it as 2026-05-31, or choose another date order.', {
            order: reading.dateOrder ?? 'ymd',
          })
    }
    case 'decimal': {
      const written = value.replace(/^(-?\d+),(\d+)$/, '$1.$2').replace(/^\+/, '')
      return /^-?\d{1,12}(\.\d{1,4})?$/.test(written)
        ? { value: String(Number(written)) }
        : bad('not_a_number', 'This is not a number with up to 4 decimals.', 'Correct the number.', {
            min: '-999999999999',
            max: '999999999999',
          })
    }
    case 'int': {
      const number = /^[+-]?\d{1,9}(\.0+)?$/.test(value) ? Number(value) : Number.NaN
      return number >= rule.min && number <= rule.max
        ? { value: number }
        : bad('not_a_number', `This is not a whole number from ${rule.min} to ${rule.max}.`, 'Correct the number.', {
            min: rule.min,
            max: rule.max,
          })
    }
    case 'flag': {
      const word = value.toLowerCase()
      if (yes.has(word)) return { value: true }
      return no.has(word)
        ? { value: false }
        : bad('not_yes_or_no', 'This is neither yes nor no.', 'Write yes or no, or choose what the value maps to.')
    }
    case 'email': {
      const address = value.replace(/^mailto:/i, '').replace(/^<|>$/g, '')
      return emailPattern.test(address) && address.length <= 320
        ? { value: address }
        : bad('not_an_email', 'This is not an e-mail address.', 'Correct it, such as name@example.org; one address per cell.')
    }
    case 'phone':
      return readPhone(value, reading.phoneCountry)
    case 'url':
      return readUrl(value)
    case 'choice': {
      const folded = foldChoice(value)
      const found = Object.hasOwn(rule.options, folded) ? rule.options[folded] : undefined
      const allowed = [...new Set(Object.values(rule.options))].join(', ')
      return found
        ? { value: found }
        : bad('not_a_choice', 'This is none of the possible values.', `Write one of: ${allowed}, or choose what the value maps to.`, {
            choices: allowed,
          })
    }
  }
}

function bad(code: ImportFindingCode, message: string, fix: string, params?: Fault['params']): { fault: Fault } {
  return { fault: { code, message, fix, ...(params && { params }) } }
}

const phoneLabel = /^(?:tel|telephone|telefon|phone|mobile|mobil|cell|fax)[.:]{0,2} ?/i
const extension = /[;,]? ?(?:extension|ext|x|#|durchwahl|dw)[.:=]{0,2} ?\d{1,8}$/i

function readPhone(value: string, country: string | null) {
  if (shortened.test(value)) return { fault: shortenedNumber }
  const bare = value.replace(phoneLabel, '')
  const digits = bare.replace(/\D/g, '')
  // The library finds a number in any text: what is around it must be how numbers are written.
  if (/[^\d\s()+./\u2010-\u2015-]/.test(bare.replace(extension, '')) || !/[1-9]/.test(digits) || !/^\(?\+?[^+]*$/.test(bare)) return noPhone
  const known = country && isSupportedCountry(country) ? country : undefined
  const number = known || bare.startsWith('+') ? parsePhoneNumber(bare, known) : undefined
  if (number?.isPossible()) return { value: number.ext ? `${number.number} ext. ${number.ext}` : number.number }
  return digits.length >= 3 && digits.length <= 20 && bare.length <= 40 ? { value: bare } : noPhone
}

const noPhone = bad('not_a_phone_number', 'This is not a telephone number.', 'Correct it; one number per cell.')

function readUrl(value: string) {
  const whole = /^[a-z][a-z0-9+.-]*:/i.test(value) && !/^[^/]+:\d/.test(value) ? value : `https://${value}`
  const url = URL.canParse(whole) ? new URL(whole) : null
  const usable = url && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname.includes('.') && whole.length <= 500
  return usable ? { value: whole } : bad('not_a_web_address', 'This is not a web address.', 'Write it as https://example.org.')
}
