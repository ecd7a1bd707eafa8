import { emailPattern } from '@guildhall/contract/email-pattern'
import { cellFault, detectDateOrder, parseDate } from '../../imports/imports.values.public.ts'
import { connectorError, cut, exampleOf } from '../connectors/integrations.connector.rules.ts'
import type { BadRow, Pulled, Remote, TheirField } from '../connectors/integrations.connector.rules.ts'

export type Sheet = { headers: string[]; rows: { line: number; cells: readonly string[] }[] }

/** Names of columns: those that are missing are called by their place, and a second one of a name has a number. */
export function columnNames(headers: readonly string[]): string[] {
  const seen = new Set<string>()
  return headers.map((header, index) => {
    const named = cut(header.replace(/[\s\p{Cc}]+/gu, ' ').trim(), 190) || `Column ${index + 1}`
    let name = named
    for (let times = 2; seen.has(name); times += 1) name = `${named} (${times})`
    seen.add(name)
    return name
  })
}

/** The column by which a row is known: the one that was chosen, or the first that holds e-mail addresses. */
export function keyColumn({ headers, rows }: Sheet, chosen: string): number {
  if (chosen !== '') {
    const index = headers.findIndex((header) => header.toLowerCase() === chosen.toLowerCase())
    if (index < 0) throw connectorError('bad_answer', { message: `The sheet has no column “${chosen}”.` })
    return index
  }
  const sample = rows.slice(0, 500)
  const index = headers.findIndex((_header, at) => {
    const values = sample.flatMap(({ cells }) => cells[at]?.trim() || [])
    return values.length > 0 && values.filter((value) => emailPattern.test(value)).length >= values.length * 0.8
  })
  if (index < 0)
    throw connectorError('bad_answer', {
      message: 'No column of the sheet holds e-mail addresses. Say which column has the id of each row.',
    })
  return index
}

/** Dates as they are compared, where the whole column says in which order day, month and year stand. */
function isoDates({ headers, rows }: Sheet): (column: number, cell: string) => string {
  const orders = headers.map((_header, at) => {
    const values = rows.slice(0, 1_000).flatMap(({ cells }) => cells[at]?.trim() || [])
    const { order } = detectDateOrder([values])
    return order !== null && values.length > 0 && values.filter((value) => parseDate(value, order) !== null).length >= values.length * 0.8
      ? order
      : null
  })
  return (column, cell) => {
    const order = orders[column]
    return (order && parseDate(cell, order)) || cell
  }
}

const longestId = 300
const tooLong = { message: 'An id has at most 300 characters.' }

/** Rows of the sheet as records: each once, with its cells by the names of the columns. */
export function recordsOf(sheet: Sheet, chosen: string): Pick<Pulled, 'rows' | 'bad'> {
  const key = keyColumn(sheet, chosen)
  const dated = isoDates(sheet)
  const rows: Remote[] = []
  const bad: BadRow[] = []
  const lines = new Map<string, number>()
  for (const { line, cells } of sheet.rows) {
    const externalId = (cells[key] ?? '').trim().toLowerCase()
    const first = lines.get(externalId)
    const fault = externalId.length > longestId ? tooLong : cellFault(externalId)
    if (fault) bad.push({ row: `Line ${line}`, code: 'bad_key', message: `The column “${sheet.headers[key] ?? ''}”: ${fault.message}` })
    else if (externalId === '')
      bad.push({ row: `Line ${line}`, code: 'no_key', message: `This row has nothing in the column “${sheet.headers[key] ?? ''}”.` })
    else if (first !== undefined)
      bad.push({
        row: `Line ${line}`,
        code: 'twice',
        message: `Line ${first} has the same value in the column “${sheet.headers[key] ?? ''}”.`,
      })
    else {
      lines.set(externalId, line)
      rows.push({
        externalId,
        version: null,
        // A row that ends early does not say that the rest is empty.
        values: Object.fromEntries(
          sheet.headers.slice(0, cells.length).map((header, at) => [header, dated(at, (cells[at] ?? '').trim()) || null]),
        ),
      })
    }
  }
  return { rows, bad }
}

export function fieldsOf(sheet: Sheet, chosen: string): TheirField[] {
  const key = keyColumn(sheet, chosen)
  return sheet.headers.map((header, at) => ({
    key: header,
    label: null,
    example: exampleOf(sheet.rows.slice(0, 50).flatMap(({ cells }) => cells[at]?.trim() || [])[0]),
    isKey: at === key,
  }))
}
