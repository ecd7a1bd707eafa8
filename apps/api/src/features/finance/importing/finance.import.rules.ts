import { readEither } from '../../imports/imports.plan.public.ts'

export type Line = { text: string; amount: number }

/** Lines of a cell, such as "Dues 2024: 60.00; Postage: 4.50"; null where one is no text and amount. */
export function readLines(cell: string, currency: string): Line[] | null {
  const lines: Line[] = []
  for (const part of cell.split(';').map((each) => each.trim())) {
    if (part === '') continue
    const at = part.lastIndexOf(':')
    const text = part.slice(0, Math.max(0, at)).trim()
    const amount = at > 0 ? readEither(part.slice(at + 1), currency) : null
    if (amount === null || text === '' || text.length > 300) return null
    lines.push({ text, amount })
  }
  return lines.length > 0 && lines.length <= 100 ? lines : null
}
