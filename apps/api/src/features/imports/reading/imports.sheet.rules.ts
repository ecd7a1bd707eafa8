import { SaxesParser } from 'saxes'
import {
  WorkbookFault,
  builtInFormat,
  columnName,
  damaged,
  isoCell,
  manyColumns,
  numberStyle,
  plainNumber,
  readReference,
  tooLarge,
  uncalculated,
  unescapeText,
  unsafe,
  workbookLimits,
  wrongReference,
} from './imports.workbook.rules.ts'
import type { Noticed } from './imports.workbook.rules.ts'

export type Attributes = Record<string, string>
export type Handlers = {
  open?(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)
/** Attributes without their prefixes: `r:id` is `id`. */
const bare = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [local(name), value]))

/** Reads XML piece by piece. Declarations of a document type are refused before anything in them counts; nesting and single texts are bounded. */
export function xmlReader(handlers: Handlers): { write(chunk: string): void; end(): void } {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let depth = 0
  let gap = 0
  const fail = (why = damaged): never => {
    throw new WorkbookFault(why)
  }
  parser.on('error', () => fail())
  parser.on('doctype', () => fail(unsafe))
  parser.on('xmldecl', ({ encoding }) => (encoding && !/^(utf-?8|utf-?16(le|be)?|us-ascii)$/i.test(encoding) ? fail() : undefined))
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    if (depth > workbookLimits.depth) fail(unsafe)
    handlers.open?.(local(name), attributes)
  })
  parser.on('text', (text) => handlers.text?.(text))
  parser.on('cdata', (text) => handlers.text?.(text))
  parser.on('closetag', ({ name }) => {
    depth -= 1
    handlers.close?.(local(name))
  })
  return {
    write(chunk) {
      const last = chunk.lastIndexOf('<')
      gap = last < 0 ? gap + chunk.length : chunk.length - last
      if (gap > workbookLimits.markupGap) fail(tooLarge)
      parser.write(chunk)
    },
    end: () => void parser.close(),
  }
}

export type SheetEntry = { name: string; relation: string; hidden: boolean }

/** Names and order of the sheets, and which day is day 0. */
export function workbookReader(): Handlers & { sheets: SheetEntry[]; date1904: boolean } {
  return {
    sheets: [],
    date1904: false,
    open(name, attributes) {
      const { id = '', name: title = '', state = '', date1904 = '' } = bare(attributes)
      if (name === 'workbookPr') this.date1904 = date1904 === '1' || date1904 === 'true'
      if (name !== 'sheet') return
      this.sheets.push({ name: title.slice(0, 100), relation: id, hidden: /hidden/i.test(state) })
      if (this.sheets.length > workbookLimits.sheets) throw new WorkbookFault(tooLarge)
    },
  }
}

/** Where the parts are that another part refers to, by id; `base` is the folder of that part. */
export function relationsReader(base: string): Handlers & { targets: Map<string, { type: string; part: string }> } {
  return {
    targets: new Map(),
    open(name, attributes) {
      const { Id = '', Type = '', Target = '', TargetMode = '' } = attributes
      if (name !== 'Relationship' || TargetMode === 'External') return
      const path = Target.startsWith('/') ? Target.slice(1) : `${base}${Target}`
      const parts: string[] = []
      for (const part of path.split('/')) {
        if (part === '..') parts.pop()
        else if (part !== '.' && part !== '') parts.push(part)
      }
      this.targets.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), part: parts.join('/').toLowerCase() })
      if (this.targets.size > workbookLimits.entries) throw new WorkbookFault(tooLarge)
    },
  }
}

/** How the numbers of each cell style are written. */
export function stylesReader(date1904: boolean): Handlers & { styles: ((raw: string) => string)[] } {
  const patterns = new Map<number, string>()
  const made = new Map<number, (raw: string) => string>()
  let within = ''
  return {
    styles: [],
    open(name, attributes) {
      if (name === 'cellXfs' || name === 'cellStyleXfs' || name === 'dxfs') within = name
      const id = Number(attributes['numFmtId'] ?? 0)
      if (name === 'numFmt' && within !== 'dxfs' && patterns.size < workbookLimits.styles) {
        patterns.set(id, (attributes['formatCode'] ?? '').slice(0, 500))
      }
      if (name !== 'xf' || within !== 'cellXfs') return
      let style = made.get(id)
      if (!style) made.set(id, (style = numberStyle(patterns.get(id) ?? builtInFormat(id), date1904)))
      this.styles.push(style)
      if (this.styles.length > workbookLimits.styles) throw new WorkbookFault(tooLarge)
    },
  }
}

/** The texts that cells refer to by number; runs of different formatting are one text, readings of Japanese characters are left out. */
export function stringsReader(): Handlers & { strings: string[] } {
  let text = ''
  let taking = false
  let reading = false
  let characters = 0
  return {
    strings: [],
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') reading = true
      taking = name === 't' && !reading
    },
    text(part) {
      if (taking) text += part
    },
    close(name) {
      if (name === 't') taking = false
      if (name === 'rPh') reading = false
      if (name !== 'si') return
      characters += text.length
      if (this.strings.length >= workbookLimits.sharedStrings || characters > workbookLimits.sharedCharacters)
        throw new WorkbookFault(tooLarge)
      this.strings.push(unescapeText(text))
    },
  }
}

export type Book = { strings: readonly string[]; styles: readonly ((raw: string) => string)[] }
type Cell = { reference: string; column: number; type: string; style: number; value: string | null; text: string; formula: boolean }

/** The rows of a sheet as text, each with its number; rows and cells with nothing in them are passed over. */
export function sheetReader(
  { strings, styles }: Book,
  onRow: (row: number, cells: readonly string[]) => void,
): Handlers & { noticed(): Noticed[] } {
  let row = 0
  let column = 0
  let cells: string[] = []
  let cell: Cell | null = null
  let taking: 'value' | 'text' | null = null
  let reading = false
  const seen = new Map<Noticed['what'], { count: number; cells: string[] }>()
  const notice = (what: Noticed['what'], reference: string) => {
    const one = seen.get(what) ?? { count: 0, cells: [] }
    one.count += 1
    if (one.cells.length < 5) one.cells.push(reference)
    seen.set(what, one)
  }

  const startRow = (attributes: Attributes) => {
    const number = attributes['r'] === undefined ? row + 1 : Number(attributes['r'])
    if (!Number.isInteger(number) || number <= row || number > workbookLimits.lastRow)
      throw new WorkbookFault(wrongReference(`row ${attributes['r']}`))
    row = number
    column = 0
    cells = []
  }
  const startCell = (attributes: Attributes) => {
    const reference = attributes['r'] ?? `${columnName(Math.min(column + 1, workbookLimits.lastColumn))}${row}`
    const at = readReference(reference)
    if (!at || at.column > workbookLimits.lastColumn || at.row !== row) throw new WorkbookFault(wrongReference(reference))
    column = at.column
    cell = { reference, column, type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? 0), value: null, text: '', formula: false }
  }
  const endCell = (one: Cell) => {
    const text = cellText(one, strings, styles)
    if (text === '') return
    if (one.column > workbookLimits.columns) throw new WorkbookFault(manyColumns(one.reference))
    if (text === uncalculated) notice('formula', one.reference)
    else if (one.type === 'e') notice('error', one.reference)
    while (cells.length < one.column - 1) cells.push('')
    cells[one.column - 1] = text
  }

  return {
    open(name, attributes) {
      if (name === 'row') startRow(attributes)
      else if (name === 'c') startCell(attributes)
      else if (name === 'v') taking = 'value'
      else if (name === 't') taking = reading ? null : 'text'
      else if (name === 'rPh') reading = true
      else if (name === 'f' && cell) cell.formula = true
      else if (name === 'mergeCell') {
        // Below the first row of a merged area every cell is empty, whatever it looks like.
        const [from, to] = (attributes['ref'] ?? '').split(':').map(readReference)
        if (from && to && to.row > from.row) notice('merged', attributes['ref'] ?? '')
      }
    },
    text(part) {
      if (!cell || !taking) return
      if (taking === 'value') cell.value = (cell.value ?? '') + part
      else cell.text += part
    },
    close(name) {
      if (name === 'v' || name === 't') taking = null
      else if (name === 'rPh') reading = false
      else if (name === 'c' && cell) {
        endCell(cell)
        cell = null
      } else if (name === 'row' && cells.length > 0) onRow(row, cells)
    },
    noticed: () => [...seen].map(([what, one]) => ({ what, ...one })),
  }
}

/** A cell as the spreadsheet shows it, as far as that says more than the bare value. */
function cellText({ type, style, value, text, formula }: Cell, strings: Book['strings'], styles: Book['styles']): string {
  if (type === 'inlineStr') return unescapeText(text)
  if (value === null || (value === '' && type !== 'str')) return formula ? uncalculated : ''
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'str') return unescapeText(value)
  if (type === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE'
  if (type === 'e') return value
  if (type === 'd') return isoCell(value)
  return (styles[style] ?? plainNumber)(value.trim())
}
