import { importFields, importLimits, matchKeys } from '@guildhall/contract/features/imports'
import type { ImportFinding, ImportFormat, ImportKind, ImportOptions, ImportSheet } from '@guildhall/contract/features/imports'
import type { FieldFault } from '@guildhall/contract/reasons'
import { choiceFaults, sampledValues } from './imports.choices.rules.ts'
import { doubledFields, guessColumns, missingFields } from './imports.columns.rules.ts'
import type { OwnColumn } from './imports.exported.rules.ts'
import { detectDateOrder } from './imports.dates.rules.ts'
import { finding } from '../planning/imports.drafts.rules.ts'
import { countGarbled, mixedColumns, noGarbled, ungarbled } from '../reading/imports.garbled.rules.ts'
import type { GarbledCount } from '../reading/imports.garbled.rules.ts'
import { leftOut } from './imports.exported.rules.ts'
import { fieldRules } from './imports.fields.rules.ts'
import type { Preview, StoredImport } from '../imports.queries.ts'
import { detectHeaderRow, detectSeparator, rowsOf } from '../reading/imports.table.rules.ts'
import { cleanCell, showable } from './imports.values.rules.ts'
import type { Noticed } from '../reading/imports.workbook.rules.ts'

export const sampleRows = 20
/** Rows from which separators, header and dates are told. */
const lookRows = 2000

export type Given = Partial<Omit<ImportFormat, 'type'>>
export type Seen = {
  type: ImportFormat['type']
  encoding: ImportFormat['encoding']
  sure: boolean
  sheet: string | null
  sheets: ImportSheet[]
  noticed: readonly Noticed[]
  text: string
  whole: boolean
}

/** Reads the beginning of a file as far as it tells by itself; what someone has said about it (`given`) wins. */
export function analyse(
  kind: ImportKind,
  seen: Seen,
  given: Given,
  own: readonly OwnColumn[] = [],
): { format: ImportFormat; preview: Preview; mapping: string[] } {
  const separator = seen.type === 'xlsx' ? ',' : (given.separator ?? detectSeparator(seen.text))
  const all = rowsOf(seen.text, separator, lookRows)
  // The last row of a piece may be cut off.
  const rows = seen.whole ? all : all.slice(0, -1)
  const headerRow = given.headerRow ?? detectHeaderRow(rows)
  const width = Math.max(0, ...rows.slice(headerRow).map((row) => row.length))
  const headers =
    headerRow > 0 ? (rows[headerRow - 1] ?? []).map((cell) => showable(cleanCell(cell), 200)) : Array.from({ length: width }, () => '')
  const below = rows.slice(headerRow).filter((row) => row.some((cell) => cell.trim() !== ''))
  const columns = guessColumns(kind, headers, below.slice(0, 200), own)
  const dates = detectDateOrder(headers.map((_, index) => below.map((row) => row[index] ?? '')))
  const format: ImportFormat = {
    type: seen.type,
    encoding: given.encoding ?? seen.encoding,
    separator,
    headerRow,
    dateOrder: given.dateOrder ?? dates.order,
    sheet: seen.sheet,
    ...(given.garbled ? { garbled: given.garbled } : {}),
  }
  const letters = headers.map((_, index) => {
    const count = noGarbled()
    for (const row of below) countGarbled(count, row[index] ?? '')
    return count
  })
  const mixed = mixedColumns(letters)
  const shown = (cell: string, index: number) =>
    showable(cleanCell((given.garbled === 'repair' && !mixed.includes(index) && ungarbled(cell)) || cell), 200)
  return {
    format,
    mapping: columns.map(({ guess }) => guess),
    preview: {
      columns: columns.map(({ header, samples, guess, suggestions }) => ({ header, samples, guess, suggestions })),
      sample: below.slice(0, sampleRows).map((row) => row.map(shown)),
      findings: [...structureFindings(kind, headers, below, seen, given, own), ...garbledFindings(headers, letters, format)],
      sheets: seen.sheets,
      savedMapping: null,
      ...(mixed.length > 0 ? { mixed } : {}),
      values: sampledValues(below, headers.length),
    },
  }
}

/** Garbled letters, by column: which can be repaired, and how. */
function garbledFindings(
  headers: readonly string[],
  letters: readonly GarbledCount[],
  { garbled, type, encoding }: ImportFormat,
): ImportFinding[] {
  if (garbled) return []
  return letters.flatMap(({ example, proper }, index) => {
    if (!example) return []
    const [before = '', after = ''] = example.map((text) => showable(text, 60))
    const column = headers[index] || `column ${index + 1}`
    const mend = type === 'csv' && encoding === 'windows-1252' ? 'encoding' : proper > 0 ? 'file' : 'repair'
    const fix = {
      encoding: 'Choose the encoding utf-8.',
      file: 'Correct these cells in the file: others of the column are sound, so the column is not repaired.',
      repair: 'Choose "Repair" for garbled letters where it says how the file is read.',
    }[mend]
    return [
      finding('warning', 'garbled_letters', `Letters of the column ${column} are garbled: "${before}" for "${after}".`, fix, {
        column,
        params: { column, before, after, mend },
      }),
    ]
  })
}

const noticedWords: Record<
  Noticed['what'],
  [code: 'formula_not_calculated' | 'spreadsheet_error' | 'merged_cells', message: string, fix: string]
> = {
  formula: [
    'formula_not_calculated',
    'These cells have formulas without results',
    'Open the workbook in a spreadsheet, let it calculate, save it and upload it again.',
  ],
  error: [
    'spreadsheet_error',
    'These cells show an error of the spreadsheet',
    'Correct them there, or leave those columns out. #N/A counts as empty.',
  ],
  merged: ['merged_cells', 'These merged cells have their value only in their first row', 'Unmerge them and fill in every row.'],
}

function structureFindings(
  kind: ImportKind,
  headers: readonly string[],
  below: readonly string[][],
  seen: Seen,
  given: Given,
  own: readonly OwnColumn[],
): ImportFinding[] {
  const findings: ImportFinding[] = []
  const calculated = leftOut(kind, headers, own)
  if (calculated.length > 0)
    findings.push(
      finding(
        'warning',
        'calculated_columns',
        `${calculated.length === 1 ? 'This column is' : 'These columns are'} not imported, since they are calculated or kept elsewhere: ${calculated.join(', ')}.`,
        'Nothing to do; change that where it is kept.',
        { params: { columns: calculated.join(', ') } },
      ),
    )
  if (headers.length === 0 || below.length === 0) {
    findings.push(finding('error', 'no_rows', 'This file has no rows below its header.', 'Add rows, or choose another header row.'))
  }
  if (headers.length > importLimits.columns)
    findings.push(
      finding(
        'error',
        'too_many_columns',
        `This file has ${headers.length} columns; ${importLimits.columns} are the most.`,
        'Check the separator, or leave columns out.',
        { params: { count: headers.length, max: importLimits.columns } },
      ),
    )
  const named = headers.filter((header) => header !== '')
  const twice = [...new Set(named.filter((header, index) => named.indexOf(header) !== index))]
  if (twice.length > 0)
    findings.push(
      finding(
        'warning',
        'duplicate_header',
        `Several columns are called ${twice.slice(0, 5).join(', ')}.`,
        'Check what each of them maps to.',
        { params: { headers: twice.slice(0, 5).join(', ') } },
      ),
    )
  if (named.length > 0 && named.length < headers.length)
    findings.push(
      finding('warning', 'missing_header', 'Some columns have no name and are left out.', 'Choose what they map to if you need them.'),
    )
  if (!seen.sure && given.encoding === undefined) {
    findings.push(
      finding(
        'warning',
        'encoding_guessed',
        'How letters are written in this file is a guess.',
        'Look at accents in the sample and choose another encoding if they are wrong.',
      ),
    )
  }
  if (seen.sheets.length > 1 && given.sheet === undefined) {
    findings.push(
      finding(
        'warning',
        'several_sheets',
        `This workbook has ${seen.sheets.length} sheets. The one that is read is "${seen.sheet ?? ''}".`,
        'Choose another sheet if that is wrong.',
        { params: { count: seen.sheets.length, sheet: seen.sheet ?? '' } },
      ),
    )
  }
  for (const { what, count, cells } of seen.noticed) {
    const where = `${cells.join(', ')}${count > cells.length ? ' and others' : ''}`
    const [code, message, fix] = noticedWords[what]
    findings.push(finding('warning', code, `${message}: ${where}.`, fix, { params: { cells: where } }))
  }
  return findings
}

/** What stands in the way of a check, and what to look at, with the mapping as it is now. */
export function currentFindings(one: Pick<StoredImport, 'kind' | 'format' | 'mapping' | 'preview'>, sensitive: boolean): ImportFinding[] {
  const findings = [...one.preview.findings]
  const dated = one.mapping.some((target) => fieldRules[one.kind][target]?.is === 'date')
  if (dated && one.format.dateOrder === null) {
    findings.push(
      finding('error', 'date_order', 'Dates such as 03/04/2020 can be read in two ways.', 'Say whether the day or the month comes first.'),
    )
  }
  const doubled = doubledFields(one.mapping)
  if (doubled.length > 0)
    findings.push(
      finding('error', 'doubled_field', `Several columns map to the same field: ${doubled.join(', ')}.`, 'Choose one column for each.', {
        params: { fields: doubled.join(',') },
      }),
    )
  if (!sensitive && one.mapping.some((target) => ['birthDate', 'gender', 'deceasedOn', 'note'].includes(target) && one.kind === 'people')) {
    findings.push(
      finding(
        'warning',
        'sensitive_ignored',
        'Birth dates, genders and notes are left out where you may not see them.',
        'Ask an administrator to import them.',
      ),
    )
  }
  return findings
}

export const stillMissing = (one: Pick<StoredImport, 'kind' | 'mapping' | 'options'>) =>
  missingFields(one.kind, one.mapping).filter((choice) => !(choice.includes('startsOn') && one.options.defaultStartsOn !== null))

/** Faults of a mapping and options that someone sent, by path. */
export function mappingFaults(kind: ImportKind, mapping: readonly string[], columns: number, options: ImportOptions): FieldFault[] {
  const fields: readonly string[] = importFields[kind]
  const known = (target: string) =>
    target === 'ignore' ||
    (fields.includes(target) && target !== 'link' && target !== 'field') ||
    ['link', 'externalId', 'field'].some((field) => fields.includes(field) && target.startsWith(`${field}:`))
  const keys: readonly string[] = matchKeys[kind]
  return [
    ...choiceFaults(kind, options.values),
    ...(mapping.length === columns
      ? []
      : [{ path: 'mapping', code: 'mapping' as const, message: `Give one target for each of the ${columns} columns.` }]),
    ...mapping.flatMap((target, index) =>
      known(target)
        ? []
        : [{ path: `mapping.${index}`, code: 'mapping' as const, message: `There is no field "${target}" for this kind of file.` }],
    ),
    ...options.matchBy.flatMap((key, index) =>
      keys.includes(key)
        ? []
        : [{ path: `options.matchBy.${index}`, code: 'mapping' as const, message: `This kind of file is not matched by ${key}.` }],
    ),
  ]
}

/** A file's name without its path, control characters or marks that turn text around. */
export const safeFileName = (name: string | undefined, fallback: string) =>
  (name ?? '')
    .replace(/^.*[/\\]/, '')
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .slice(0, 255) || fallback
