import { importLimits } from '@guildhall/contract/features/imports'
import type { ImportFormat, ImportKind } from '@guildhall/contract/features/imports'
import { withoutHidden } from '@guildhall/contract/text-rules'
import { CsvError, parse } from 'csv-parse'
import iconv from 'iconv-lite'
import type { Files } from '../../../platform/files/files.ts'
import { foldHeader } from '../mapping/imports.columns.rules.ts'
import { cleanCell } from '../mapping/imports.values.rules.ts'
import type { SourceRow } from '../planning/imports.drafts.rules.ts'
import type { Refusal } from './imports.encoding.rules.ts'
import { csvOptions } from './imports.table.rules.ts'
import { orderTree } from '../planning/imports.tree.rules.ts'
import type { Tree } from '../planning/imports.tree.rules.ts'

/** The file cannot be read on: nothing of it may be imported. */
export class FileFault extends Error {
  readonly why: Refusal
  constructor(why: Refusal) {
    super(`${why.message} ${why.fix}`)
    this.why = why
  }
}

/** Files are kept for 30 days; what was imported from them stays. */
export const fileGone = new FileFault({
  reason: 'file_gone',
  params: { days: 30 },
  message: 'The file of this import was removed after 30 days.',
  fix: 'Upload it again.',
})

/** How CSV is read; a workbook was turned into CSV when it arrived. */
export const readFormat = (format: ImportFormat) =>
  format.type === 'xlsx' ? ({ encoding: 'utf-8', separator: ',' } as const) : { encoding: format.encoding, separator: format.separator }

/** Where an import's files lie. */
export const fileKeys = (importId: string) => ({
  source: `imports/${importId}/source`,
  rows: `imports/${importId}/rows.csv`,
  errors: `imports/${importId}/errors.csv`,
})
export const rowsKey = (importId: string, format: ImportFormat) =>
  format.type === 'xlsx' ? fileKeys(importId).rows : fileKeys(importId).source

/** Text of the beginning of a file, for the preview. */
export async function headOf(files: Files, key: string, format: ImportFormat, bytes = 262_144): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const content: AsyncIterable<Buffer> = files.read(key)
  for await (const chunk of content) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= bytes) break
  }
  return iconv.decode(Buffer.concat(chunks), readFormat(format).encoding)
}

/** The rows below the header, one after another, as they stand in the file; blank ones are passed over but counted. */
export async function* readRows(files: Files, importId: string, format: ImportFormat): AsyncGenerator<SourceRow> {
  const { encoding, separator } = readFormat(format)
  const source = files.read(rowsKey(importId, format))
  const parser = parse(csvOptions(separator))
  const decoder = iconv.decodeStream(encoding)
  const fail = (error: Error) => parser.destroy(error)
  source.on('error', fail).pipe(decoder).on('error', fail).pipe(parser)
  let line = 0
  let step = 0
  try {
    const records: AsyncIterable<string[]> = parser
    for await (const record of records) {
      line += 1
      // What MS-DOS wrote at the end of a text file.
      const last = record.length - 1
      while (record[last]?.endsWith('\u001a')) record[last] = record[last].slice(0, -1)
      if (line <= format.headerRow || record.every((cell) => cell.trim() === '')) continue
      step += 1
      if (step > importLimits.rows)
        throw new FileFault({
          reason: 'too_many_rows',
          params: { max: importLimits.rows },
          message: 'This file has more than 1,048,576 rows.',
          fix: 'Split it into several files.',
        })
      yield { line, step, cells: record }
    }
  } catch (error) {
    if (error instanceof CsvError) throw new FileFault(csvFault(error, line + 1))
    throw error
  } finally {
    source.destroy()
  }
}

function csvFault(error: CsvError, line: number): Refusal {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE') {
    return {
      reason: 'unbalanced_quotes',
      params: { row: line },
      message: `A quote that opens in row ${line} is never closed.`,
      fix: 'Close it, or double quotes that belong to the text.',
    }
  }
  return {
    reason: 'not_csv',
    params: { row: line },
    message: `Row ${line} cannot be read.`,
    fix: 'Check the separator, and the quotes of that row.',
  }
}

/** The rows of a tree of chapters or groups: parents before children wherever they stand, with what is known about each code. */
export async function readTree(
  files: Files,
  importId: string,
  format: ImportFormat,
  targets: readonly string[],
): Promise<{ rows: SourceRow[]; tree: Tree }> {
  const code = targets.indexOf('code')
  const parent = targets.indexOf('parentCode')
  const rows: SourceRow[] = []
  for await (const row of readRows(files, importId, format)) {
    rows.push(row)
    if (rows.length > importLimits.treeRows) {
      throw new FileFault({
        reason: 'too_many_rows',
        params: { max: importLimits.treeRows },
        message: 'A file of chapters or groups has at most 100,000 rows.',
        fix: 'Split it into several files.',
      })
    }
  }
  return orderTree(rows, (row) => ({ code: keyOf(row.cells[code]), parentCode: keyOf(row.cells[parent]) }))
}

const keyOf = (cell = '') => withoutHidden(cleanCell(cell)).trim()

export const isTree = (kind: ImportKind) => kind === 'chapters' || kind === 'groups'

/** Headers of a row, each with a name to speak of: its own, or its place. */
export const namedHeaders = (headers: readonly string[]) =>
  headers.map((header, index) => (foldHeader(header) === '' ? `column ${index + 1}` : header.trim()))
