import type { Fault } from '../mapping/imports.values.rules.ts'
import { RowsHeldBack } from '../../../platform/records/row-changes.ts'
import { toProblem } from '../../../platform/procedures/problem.ts'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '')
const constraintOf = (error: unknown) =>
  error instanceof Error && 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : ''

/** Whether a row, and not the machinery, is at fault: a rule of the database or a right that is missing. */
export const isRowFault = (error: unknown) =>
  error instanceof RowsHeldBack || (/^(22|23|P0001|42501)/.test(codeOf(error)) && !constraintOf(error).startsWith('import_rows'))

/** Whether trying again may help: the database is away or busy. */
export const isPassing = (error: unknown) =>
  /^(08|40|53|55P03|57)/.test(codeOf(error)) ||
  (error instanceof Error && /timeout exceeded|terminated|ECONN|EPIPE|Connection/.test(error.message))

/** What the database said about a row, for people. */
export function rowFault(error: unknown): Fault {
  if (error instanceof RowsHeldBack || codeOf(error) === '42501') {
    return {
      code: 'not_allowed',
      message: detail(error) ?? 'This is not yours to change.',
      fix: 'Ask an administrator to import this row.',
    }
  }
  if (codeOf(error) === '23505') {
    return {
      code: 'conflict',
      message: 'Someone or something else already has this number, code or membership.',
      fix: 'Check whether it is there under another name, or give another number or code.',
    }
  }
  return {
    code: 'refused',
    message: detail(error) ?? 'A rule of the organisation refuses this row.',
    fix: 'Correct the row.',
    params: { rule: constraintOf(error) },
  }
}

function detail(error: unknown): string | undefined {
  const data = toProblem(error)?.data
  return typeof data === 'object' && data !== null && 'detail' in data && typeof data.detail === 'string' ? data.detail : undefined
}
