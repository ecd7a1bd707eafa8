import { unguardText } from '@guildhall/contract/formula-guard'
import { csvTable } from '../../../platform/files/table-writer.ts'
import type { TableColumn } from '../../../platform/files/table-writer.ts'
import type { Files } from '../../../platform/files/files.ts'
import { fileKeys, readRows } from '../reading/imports.file.jobs.ts'
import type { rejectedRows } from './imports.ledger.queries.ts'
import type { StoredImport } from '../imports.queries.ts'

type Rejected = Awaited<ReturnType<typeof rejectedRows>>
/** Rejected lines after one, in order. */
type Page = (after: number, limit: number) => Promise<Rejected>
const pageSize = 1000

/**
 * Writes the file of errors beside the import: every rejected row as it stood, with its row number and all reasons, so that it can be
 * mended and imported by itself. No file when nothing was rejected.
 */
export async function writeErrorFile(files: Files, one: StoredImport, page: Page): Promise<void> {
  const key = fileKeys(one.id).errors
  const first = await page(0, pageSize)
  if (first.length === 0) return files.remove(key)
  const columns = [...one.preview.columns.map(({ header }) => header), 'Row', 'Problem']
  const texts = columns.map((header): TableColumn => ({ header, kind: header === 'Row' ? 'number' : 'phone' }))
  await files.write(key, csvTable(texts, rejectedPages(files, one, first, page)))
}

async function* rejectedPages(files: Files, one: StoredImport, first: Rejected, page: Page): AsyncGenerator<string[][]> {
  let waiting = first
  let batch: string[][] = []
  for await (const { line, cells } of readRows(files, one.id, one.format)) {
    if (waiting[0]?.line !== line) continue
    const [rejected, ...rest] = waiting
    waiting = rest.length > 0 ? rest : await page(line, pageSize)
    const reasons = rejected.findings
      .filter(({ level }) => level === 'error')
      .map(({ column, message, fix }) => `${column ? `${column}: ` : ''}${message} ${fix}`)
    batch.push([...one.preview.columns.map((_, index) => unguardText(cells[index] ?? '')), String(line), reasons.join(' ')])
    if (batch.length >= 200) {
      yield batch
      batch = []
    }
    if (waiting.length === 0) break
  }
  yield batch
}
