import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { TextDecoder } from 'node:util'
import { openArchive } from './imports.archive.jobs.ts'
import type { Archive } from './imports.archive.jobs.ts'
import { relationsReader, sheetReader, stringsReader, stylesReader, workbookReader, xmlReader } from './imports.sheet.rules.ts'
import type { Book, Handlers, SheetEntry } from './imports.sheet.rules.ts'
import { Conversion, WorkbookFault, damaged, noSuchSheet, notAWorkbook, tooLarge, workbookLimits } from './imports.workbook.rules.ts'
import type { Converted, Noticed } from './imports.workbook.rules.ts'

// Runs in a process of its own (platform/files/apart.ts): it reads what anyone may have made, and writes one sheet of it as CSV.

async function readPart<T extends Handlers>(archive: Archive, name: string, handlers: T, most?: number): Promise<T> {
  const xml = xmlReader(handlers)
  let decoder: TextDecoder | null = null
  for await (const chunk of archive.read(name, most)) {
    decoder ??= new TextDecoder(chunk[0] === 0xff ? 'utf-16le' : chunk[0] === 0xfe ? 'utf-16be' : 'utf-8')
    xml.write(decoder.decode(chunk, { stream: true }))
  }
  if (!decoder) throw new WorkbookFault(damaged)
  xml.write(decoder.decode())
  xml.end()
  return handlers
}

const folderOf = (part: string) => part.slice(0, part.lastIndexOf('/') + 1)
const relationsOf = (part: string) => `${folderOf(part)}_rels/${part.slice(part.lastIndexOf('/') + 1)}.rels`
const small = workbookLimits.smallPartBytes

async function readBook(archive: Archive) {
  const top = archive.names.has('_rels/.rels') ? await readPart(archive, '_rels/.rels', relationsReader(''), small) : null
  const named = [...(top?.targets.values() ?? [])].find(({ type }) => type === 'officeDocument')?.part ?? ''
  const main = archive.names.has(named) && named.startsWith('xl/') ? named : 'xl/workbook.xml'
  if (!archive.names.has(main) || main.endsWith('.bin')) throw new WorkbookFault(notAWorkbook(archive.names))
  const workbook = await readPart(archive, main, workbookReader(), small)
  const { targets } = await readPart(archive, relationsOf(main), relationsReader(folderOf(main)), small)
  const part = (type: string) => [...targets.values()].find((one) => one.type === type && archive.names.has(one.part))?.part
  const sheets = workbook.sheets.flatMap((sheet) => {
    const target = targets.get(sheet.relation)
    return target?.type === 'worksheet' && archive.names.has(target.part) ? [{ ...sheet, part: target.part }] : []
  })
  if (sheets.length === 0) throw new WorkbookFault(damaged)
  const styles = part('styles')
  const strings = part('sharedStrings')
  const book: Book = {
    styles: styles ? (await readPart(archive, styles, stylesReader(workbook.date1904), small)).styles : [],
    strings: strings ? (await readPart(archive, strings, stringsReader(), workbookLimits.sharedStringBytes)).strings : [],
  }
  return { sheets, book }
}

const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell)

/** Writes a sheet as CSV whose lines are the rows of the sheet, the blank ones above and between the others included. */
async function writeSheet(archive: Archive, part: string, book: Book, target: string): Promise<{ last: number; noticed: Noticed[] }> {
  const out = createWriteStream(target, { mode: 0o600 })
  let last = 0
  let rows = 0
  let written = 0
  let pending: string[] = []
  const handlers = sheetReader(book, (row, cells) => {
    rows += 1
    const line = `${'\n'.repeat(row - last - 1)}${cells.map(quote).join(',')}\n`
    last = row
    written += line.length
    if (rows > workbookLimits.rows || written > workbookLimits.written || line.length - row > workbookLimits.rowCharacters) {
      throw new WorkbookFault(tooLarge)
    }
    pending.push(line)
  })
  const xml = xmlReader(handlers)
  const decoder = new TextDecoder()
  const flush = async () => {
    if (pending.length > 0 && !out.write(pending.join(''))) await once(out, 'drain')
    pending = []
  }
  for await (const chunk of archive.read(part)) {
    xml.write(decoder.decode(chunk, { stream: true }))
    await flush()
  }
  xml.write(decoder.decode())
  xml.end()
  await flush()
  out.end()
  await once(out, 'close')
  return { last, noticed: handlers.noticed() }
}

/** How many rows a sheet says it has, from the words at its beginning. */
async function rowsClaimed(archive: Archive, part: string): Promise<number | null> {
  const text = await archive.begin(part)
  const at = text.indexOf('dimension ')
  const [, last] = /ref="[A-Z]{1,3}\d{1,7}:[A-Z]{1,3}(\d{1,7})"/.exec(at < 0 ? '' : text.slice(at, at + 120)) ?? []
  return last === undefined ? null : Number(last)
}

async function convert(source: string, target: string, wanted: string | null): Promise<Converted> {
  const archive = await openArchive(source)
  const { sheets, book } = await readBook(archive)
  type Found = SheetEntry & { part: string }
  const asked = wanted === null ? undefined : sheets.find(({ name }) => name === wanted)
  if (wanted !== null && !asked) throw new WorkbookFault(noSuchSheet)
  const visible = sheets.filter(({ hidden }) => !hidden)
  let chosen: Found | undefined
  let result: { last: number; noticed: Noticed[] } = { last: 0, noticed: [] }
  // Without a choice it is the first visible sheet with something in it.
  for (const sheet of asked ? [asked] : visible.length > 0 ? visible : sheets) {
    const { last, noticed } = await writeSheet(archive, sheet.part, book, target)
    if (last === 0 && chosen) continue
    chosen = sheet
    result = { last, noticed }
    if (last > 0) break
  }
  const rows = await Promise.all(sheets.map(async (sheet) => (sheet === chosen ? result.last : rowsClaimed(archive, sheet.part))))
  return {
    sheets: sheets.map(({ name, hidden }, index) => ({ name, hidden, rows: rows[index] ?? null })),
    sheet: chosen?.name ?? null,
    noticed: result.noticed,
  }
}

for await (const line of createInterface(process.stdin)) {
  const { source, target, sheet } = Conversion.parse(JSON.parse(line))
  const answer = await convert(source, target, sheet).catch((error: unknown) => {
    if (error instanceof WorkbookFault) return { refused: error.why }
    throw error
  })
  await new Promise<void>((resolve) => process.stdout.write(JSON.stringify(answer), () => resolve()))
  break
}
// Its stdin stays open for as long as the server lives.
process.exit(0)
