import { plainAmount } from '@guildhall/contract/money'
import type { ReportAnswer, ReportQuestion } from '@guildhall/contract/features/reports'
import type { Filter, FilterCondition, FilterOp } from '@guildhall/contract/shapes'
import type { Cell, TableColumn } from '../../../platform/files/table-writer.ts'
import { plainText } from '../../../platform/files/table-writer.ts'
import type { PdfDocument } from '../../../platform/pdf/documents.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { smallCell } from '../reports.engine.rules.ts'
import { fieldWord } from '../words/reports.fields.rules.ts'
import { measuresOf } from '../words/reports.measures.rules.ts'
import { bucketWords, questionName } from '../words/reports.names.rules.ts'
import { optionWord } from '../words/reports.options.rules.ts'
import { standardCode, standardDimension, standardMeasure } from '../words/reports.standards.rules.ts'

/** A report as it leaves on paper or in a file: the table, and all that says what it is of. */
export type ReportTable = {
  title: string
  columns: TableColumn[]
  rows: Cell[][]
  /** Scope, range, filters and time. */
  facts: string[]
  /** How each measure is counted. */
  notes: string[]
}
export type TableOf = {
  question: ReportQuestion
  answer: ReportAnswer
  name: string
  timezone: string
  recordNames: ReadonlyMap<string, string>
}

export function reportTable(i18n: Texts, of: TableOf): ReportTable {
  const { question, answer, name } = of
  const hasBefore = answer.previousTotal !== null
  const measures = answer.measures.map(({ key, unit, currency }) => {
    const word = measureWord(i18n, question, key)
    return {
      ...word,
      unit,
      currency,
      header: currency ? `${word.label} (${currency})` : unit === 'percent' ? `${word.label} (%)` : word.label,
    }
  })
  const columns: TableColumn[] = [
    ...answer.dimensions.map(({ key, bucket }) => ({ header: dimensionWord(i18n, question, key, bucket), kind: 'text' as const })),
    ...measures.flatMap(({ header }) => [
      { header, kind: 'number' as const },
      ...(hasBefore ? [{ header: i18n._('{measure}, year before', { measure: header }), kind: 'number' as const }] : []),
    ]),
  ]
  const figures = (values: readonly (number | null)[], before: readonly (number | null)[] | null): Cell[] =>
    measures.flatMap(({ currency }, at) => [figure(values[at], currency), ...(hasBefore ? [figure(before?.[at], currency)] : [])])
  const rows = answer.rows.map(({ keys, values, previous, isHidden }): Cell[] => [
    ...keys.map((key, at) => keyText(i18n, question, answer.dimensions[at], key)),
    ...(isHidden ? Array.from({ length: measures.length * (hasBefore ? 2 : 1) }, () => kept(i18n)) : figures(values, previous)),
  ])
  const totals: Cell[] = [
    ...answer.dimensions.map((_, at) => (at === 0 ? i18n._('Total') : '')),
    ...figures(answer.total, answer.previousTotal),
  ]
  return {
    title: name || questionName(i18n, question),
    columns,
    rows: [...rows, totals],
    facts: factsOf(i18n, of),
    notes: [
      ...measures.map(({ label, definition }) => (definition ? `${label}: ${definition}` : label)),
      ...(answer.hidden > 0
        ? [i18n._('Groups of fewer than {count} people, and some that would tell of them, are kept back.', { count: smallCell })]
        : []),
      ...(answer.isCut ? [i18n._('Only the first {count} rows are shown; the total is of all.', { count: answer.rows.length })] : []),
    ],
  }
}

const kept = (i18n: Texts) => i18n._('Kept back')
const figure = (value: number | null | undefined, currency: string | null): Cell =>
  value === null || value === undefined ? null : currency ? plainAmount(value, currency) : value

// Words -------------------------------------------------------------------------------------------------------------------------------

function measureWord(i18n: Texts, question: ReportQuestion, key: string): { label: string; definition: string } {
  const found = question.kind === 'own' ? measuresOf(i18n, question.subject)[key] : standardMeasure(i18n, question.report, key)
  return found ?? { label: key, definition: '' }
}
type Dimension = ReportAnswer['dimensions'][number]
function dimensionWord(i18n: Texts, question: ReportQuestion, key: string, bucket: Dimension['bucket']): string {
  if (question.kind === 'standard') return standardDimension(i18n, question.report, key)
  const word = fieldWord(i18n, question.subject, key)
  return bucket ? `${word} (${bucketWords(i18n)[bucket]})` : word
}

function keyText(
  i18n: Texts,
  question: ReportQuestion,
  dimension: Dimension | undefined,
  { value, label }: ReportAnswer['rows'][number]['keys'][number],
): string {
  if (label !== null) return label
  if (value === null) return dimension?.kind === 'record' || dimension?.kind === 'chapter' ? i18n._('None') : i18n._('Not known')
  if (dimension?.kind === 'day') return dayText(value, dimension.bucket)
  if (dimension?.kind === 'yesNo') return value === 'true' ? i18n._('Yes') : i18n._('No')
  if (!dimension) return value
  return question.kind === 'own'
    ? optionWord(i18n, question.subject, dimension.key, value)
    : (standardCode(i18n, dimension.key, value) ?? value)
}

/** As spreadsheets sort them. */
function dayText(value: string, bucket: Dimension['bucket']): string {
  if (bucket === 'year') return value.slice(0, 4)
  if (bucket === 'quarter') return `${value.slice(0, 4)} Q${Math.ceil(Number(value.slice(5, 7)) / 3)}`
  return bucket === 'month' ? value.slice(0, 7) : value
}

function factsOf(i18n: Texts, of: TableOf): string[] {
  const { question, answer, timezone } = of
  const { scope, range, asOf, at } = answer
  return [
    scope ? i18n._('Chapter: {name} and below', { name: scope.name }) : i18n._('Whole organisation, as far as the reader may see it'),
    ...(range ? [rangeText(i18n, range)] : []),
    ...(asOf ? [i18n._('As of {day}', { day: i18n.date(asOf) })] : []),
    ...(question.kind === 'own' && question.filter && question.filter.and.length > 0
      ? [i18n._('Filter: {filter}', { filter: filterText(i18n, of, question.filter) })]
      : []),
    i18n._('Data of {moment}', { moment: i18n.moment(at, timezone) }),
  ]
}

function rangeText(i18n: Texts, { since, until }: NonNullable<ReportAnswer['range']>): string {
  if (since && until) return i18n._('{since} to {until}', { since: i18n.date(since), until: i18n.date(until) })
  if (since) return i18n._('Since {since}', { since: i18n.date(since) })
  return until ? i18n._('Until {until}', { until: i18n.date(until) }) : i18n._('Whole history')
}

const opWords = (i18n: Texts): Record<FilterOp, string> => ({
  is: i18n._('is'),
  isNot: i18n._('is not'),
  in: i18n._('is one of'),
  notIn: i18n._('is none of'),
  contains: i18n._('contains'),
  startsWith: i18n._('starts with'),
  before: i18n._('is before'),
  after: i18n._('is after'),
  between: i18n._('is between'),
  empty: i18n._('is empty'),
  notEmpty: i18n._('is not empty'),
})

function filterText(i18n: Texts, of: TableOf, filter: Filter): string {
  return filter.and.map(({ or }) => or.map((condition) => conditionText(i18n, of, condition)).join(` ${i18n._('or')} `)).join('; ')
}
function conditionText(i18n: Texts, { question, recordNames }: TableOf, { field, op, value }: FilterCondition): string {
  if (question.kind !== 'own') return ''
  const values = (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((one) =>
    typeof one === 'boolean'
      ? one
        ? i18n._('Yes')
        : i18n._('No')
      : (recordNames.get(String(one)) ?? optionWord(i18n, question.subject, field, String(one))),
  )
  return [fieldWord(i18n, question.subject, field), opWords(i18n)[op], values.join(', ')].filter((part) => part !== '').join(' ')
}

// Forms -------------------------------------------------------------------------------------------------------------------------------

/** In files, what it is of stands below the table, so that the first line is the header. */
export async function* tablePages({ columns, rows, title, facts, notes }: ReportTable): AsyncGenerator<Cell[][]> {
  yield rows
  const line = (text: string): Cell[] => columns.map((_, at) => (at === 0 ? text : null))
  yield [line(''), ...[title, ...facts, ...notes].map(line)]
}

/** Laying a page out takes a while: more than this is for the other formats. */
const printedRows = 300
const printedColumns = 20

export function tableDocument(i18n: Texts, brandName: string, { title, columns: all, rows, facts, notes }: ReportTable): PdfDocument {
  const columns = all.slice(0, printedColumns)
  const isCut = rows.length > printedRows
  const printed = isCut ? [...rows.slice(0, printedRows - 1), ...rows.slice(-1)] : rows
  return {
    kind: 'table',
    language: i18n.language,
    title,
    facts: [brandName, ...facts].slice(0, 10),
    footer: i18n._('Page {page} of {pages}', { page: '{page}', pages: '{pages}' }),
    columns: columns.map(({ header }) => header),
    rows: printed.map((row) => columns.map(({ kind }, at) => plainText(row[at] ?? null, kind))),
    notes: [
      ...notes,
      ...(isCut
        ? [i18n._('Only the first {count} rows are printed; files for spreadsheets have all of them.', { count: printedRows - 1 })]
        : []),
    ],
  }
}

/** "Members by chapter 2026-11-30.csv", without what file systems do not take. */
export const fileName = (title: string, at: string, format: string) =>
  `${title
    .replaceAll(/[\\/:*?"<>|]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 80)} ${at.slice(0, 10)}.${format}`
