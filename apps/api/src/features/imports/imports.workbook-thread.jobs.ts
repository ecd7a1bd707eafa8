import { createWriteStream } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import readWorkbook from 'read-excel-file/node'
import { Conversion, cellText, plainNumber } from './imports.workbook.rules.ts'

// Runs in a thread of its own: unpacking and parsing a workbook takes seconds without a pause, and its memory has a ceiling there.

const { source, target, sheet, rowLimit } = Conversion.parse(workerData)

const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell)

const sheets = await readWorkbook<string>(source, { parseNumber: plainNumber, trim: false })
const names = sheets.map((one) => one.sheet)
const chosen = sheets.find((one) => one.sheet === sheet) ?? sheets.find((one) => one.data.length > 0) ?? sheets[0]
const rows = chosen?.data ?? []
if (rows.length <= rowLimit) {
  const out = createWriteStream(target, { mode: 0o600 })
  for (const row of rows) {
    const line = `${row.map((cell) => quote(cellText(cell))).join(',')}\n`
    if (!out.write(line)) await new Promise<void>((resolve) => out.once('drain', () => resolve()))
  }
  await new Promise<void>((resolve, reject) => out.once('error', reject).end(() => resolve()))
}
parentPort?.postMessage({ names, sheet: chosen?.sheet ?? null, rows: rows.length })
