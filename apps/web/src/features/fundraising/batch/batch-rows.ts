import { t } from '@lingui/core/macro'
import type { AmountFault } from '@guildhall/contract/money'
import { decimalsOf, plainAmount, readAmount } from '@guildhall/contract/money'
import { noDonor } from '../gifts/donor-box.tsx'
import type { DonorValue } from '../gifts/donor-box.tsx'

/** A gift as it is typed; an amount becomes a number when it is read. */
export type BatchRow = { key: number; donor: DonorValue; amount: string; reference: string; fundId: string; note: string }
/** Columns that are entered, in their order from the start. */
export const batchColumns = ['donor', 'amount', 'reference', 'fundId', 'note'] as const
export type BatchColumn = (typeof batchColumns)[number]
export type CellFaults = ReadonlyMap<string, string>
export const cellOf = (row: number, column: BatchColumn) => `${row}.${column}`

export const mostRows = 200
/** What a new batch begins with. */
const rowsAtFirst = 5

let keys = 0
export const blankRow = (fundId = ''): BatchRow => ({ key: ++keys, donor: noDonor, amount: '', reference: '', fundId, note: '' })
export const firstRows = (fundId = '') => Array.from({ length: rowsAtFirst }, () => blankRow(fundId))

/** A fund alone is no gift: new rows begin with the fund of the one before. */
export const isBlank = ({ donor, amount, reference, note }: BatchRow) =>
  donor.name.trim() === '' && amount.trim() === '' && reference.trim() === '' && note.trim() === ''

export type Reading = { currency: string; locale: string | string[] }

export function amountOf(row: BatchRow, { currency, locale }: Reading): number | AmountFault | null {
  return row.amount.trim() === '' ? null : readAmount(row.amount, currency, locale)
}

/** How many gifts there are and what they come to; amounts that cannot be read come to nothing. */
export function tallyOf(rows: readonly BatchRow[], reading: Reading): { count: number; total: number } {
  const entered = rows.filter((row) => !isBlank(row))
  const total = entered.reduce((sum, row) => {
    const amount = amountOf(row, reading)
    return typeof amount === 'number' && amount > 0 ? sum + amount : sum
  }, 0)
  return { count: entered.length, total }
}

/** What is wrong, by cell. */
export function faultsIn(rows: readonly BatchRow[], reading: Reading, needsFund: boolean): Map<string, string> {
  const faults = new Map<string, string>()
  rows.forEach((row, at) => {
    if (isBlank(row)) return
    if (row.donor.personId === null && row.donor.name.trim() === '') faults.set(cellOf(at, 'donor'), t`Enter who gave.`)
    const amount = amountOf(row, reading)
    const wrong =
      amount === null || (typeof amount === 'number' && amount < 1) ? t`Enter an amount.` : amountFault(amount, reading.currency)
    if (wrong) faults.set(cellOf(at, 'amount'), wrong)
    if (needsFund && row.fundId === '') faults.set(cellOf(at, 'fundId'), t`Choose a fund.`)
  })
  return faults
}

function amountFault(amount: number | AmountFault, currency: string): string | null {
  switch (amount) {
    case 'not_an_amount':
      return t`This is not an amount.`
    case 'too_many_decimals':
      return decimalsOf(currency) === 0 ? t`${currency} has no decimals.` : t`Too many decimals.`
    case 'too_large':
      return t`This amount is too large.`
    default:
      return null
  }
}

/** "1,250.00", once the cell is left; what cannot be read stays to be corrected. */
export function tidied(text: string, { currency, locale }: Reading): string {
  const amount = text.trim() === '' ? 'not_an_amount' : readAmount(text, currency, locale)
  if (typeof amount !== 'number') return text
  const decimals = decimalsOf(currency)
  return new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(
    plainAmount(amount, currency),
  )
}

/** Faults of the server, whose rows are those that were sent, by the cells of the grid. */
export function faultsFrom(errors: readonly { path: string; message: string }[], sent: readonly number[]): Map<string, string> {
  const faults = new Map<string, string>()
  for (const { path, message } of errors) {
    const [, nth, field] = /^(?:body\.)?rows\.(\d+)(?:\.(\w+))?/.exec(path) ?? []
    const at = nth === undefined ? undefined : sent[Number(nth)]
    if (at === undefined) continue
    const column = batchColumns.find((known) => known === field) ?? 'donor'
    faults.set(cellOf(at, column), message)
  }
  return faults
}

/** Rows of a spreadsheet as they are copied: cells between tabs, in quotes where they hold tabs or line breaks. */
export function tableOf(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') {
        cell += sign
        at++
      } else quoted = false
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === '\t') {
      row.push(cell)
      cell = ''
    } else if (sign === '\n') {
      rows.push([...row, cell])
      row = []
      cell = ''
    } else if (sign !== '\r') cell += sign
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell])
  return rows
}

type Fund = { id: string; name: string; code: string }

/** Rows as they are after a paste at a cell. */
export function pasted(rows: readonly BatchRow[], at: { row: number; column: number }, table: readonly string[][], funds: readonly Fund[]) {
  const next = [...rows]
  for (const [nth, cells] of table.entries()) {
    const place = at.row + nth
    if (place >= mostRows) break
    const usual = next.at(-1)?.fundId ?? ''
    while (next.length <= place) next.push(blankRow(usual))
    let row = next[place] ?? blankRow(usual)
    cells.forEach((text, column) => {
      const field = batchColumns[at.column + column]
      const value = text.replaceAll(/\s+/g, ' ').trim()
      if (field === 'donor') row = { ...row, donor: { personId: null, name: value.slice(0, 150) } }
      else if (field === 'fundId') row = { ...row, fundId: fundNamed(value, funds) ?? row.fundId }
      else if (field === 'reference') row = { ...row, reference: value.slice(0, 140) }
      else if (field) row = { ...row, [field]: value.slice(0, 500) }
    })
    next[place] = row
  }
  return next
}

const folded = (text: string) => text.normalize('NFKC').trim().toLocaleLowerCase()
const fundNamed = (name: string, funds: readonly Fund[]) =>
  name === ''
    ? undefined
    : funds.find((fund) => folded(fund.name) === folded(name) || (fund.code !== '' && folded(fund.code) === folded(name)))?.id

export const isSameName = (one: string, other: string) => folded(one) === folded(other)
