import { buffer } from 'node:stream/consumers'
import { csvTable, xlsxTable } from '../../../platform/files/table-writer.ts'
import type { Cell } from '../../../platform/files/table-writer.ts'
import { renderPdf } from '../../../platform/pdf/render-pdf.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { fileName, tableDocument, tablePages } from './reports.table.rules.ts'
import type { ReportTable } from './reports.table.rules.ts'

export type ReportFormat = 'csv' | 'xlsx' | 'pdf'
export const fileTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
} as const satisfies Record<ReportFormat, string>

/** Amounts are texts with the decimals of their currency, which a sheet would not add up. */
const asNumber = (cell: Cell): Cell => (typeof cell === 'string' && /^-?\d+\.\d+$/.test(cell) ? Number(cell) : cell)

/** The table in one of its forms; answers are bounded, so that the whole of it fits into memory. */
export async function reportFile(
  i18n: Texts,
  brandName: string,
  table: ReportTable,
  format: ReportFormat,
  at: string,
): Promise<{ name: string; content: Buffer }> {
  const made = {
    csv: async () => buffer(csvTable(table.columns, tablePages(table))),
    xlsx: async () => buffer(await xlsxTable(table.columns, tablePages({ ...table, rows: table.rows.map((row) => row.map(asNumber)) }))),
    pdf: async () => renderPdf(tableDocument(i18n, brandName, table)),
  }
  return { name: fileName(table.title, at, format), content: await made[format]() }
}
