import type { OwnQuestion, ReportAnswer, ReportRecord } from '@guildhall/contract/features/reports'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { allOf } from '../../../platform/lists/conditions.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { fault, problem } from '../../../platform/procedures/problem.ts'
import { keptBack } from '../reports.cells.rules.ts'
import { answerOf, mostRows } from '../reports.engine.rules.ts'
import type { Figure, ReportFrame } from '../reports.engine.rules.ts'
import { dayBefore, notAsked, sensitiveIn, unitsOf } from '../reports.questions.rules.ts'
import { heldByPeople } from '../subjects/reports.sources.queries.ts'
import type { Condition, SourceMeasure } from '../subjects/reports.sources.queries.ts'
import { sourceOf } from '../subjects/reports.subjects.queries.ts'
import { count, emptyValues } from './reports.counting.queries.ts'
import type { Found } from './reports.counting.queries.ts'
import { fieldIn, measureIn, partsOf } from './reports.parts.queries.ts'
import type { Span } from './reports.parts.queries.ts'

const spanOf = (frame: ReportFrame): Span => ({ range: frame.range, asOf: frame.asOf, isBefore: false })
/** The year before of a range or of a day of the past; null where there is neither. */
const spanBefore = (question: OwnQuestion, frame: ReportFrame): Span | null => {
  if (!question.compare) return null
  if (frame.before) return { range: frame.before, asOf: frame.asOf && dayBefore(frame.asOf), isBefore: true }
  return frame.asOf ? { range: null, asOf: dayBefore(frame.asOf), isBefore: true } : null
}

export async function answerOwn(db: ActorDb, question: OwnQuestion, frame: ReportFrame): Promise<ReportAnswer> {
  const before = spanBefore(question, frame)
  const steps = before ? 2 : 1
  const found = await count(db, question, frame, spanOf(frame), mostRows + 1)
  await frame.step(1, steps)
  const earlier = before ? await count(db, question, frame, before, mostBefore) : null
  if (before) await frame.step(2, steps)

  const source = sourceOf(question.subject, frame)
  const measures = question.measures.map((key) => measureIn(source, key))
  const units = unitsOf(question)
  const inTime = question.groupBy[0] !== undefined && fieldIn(source, question.groupBy[0].field).kind === 'day'
  const rows = merged(found, earlier, measures, inTime)
  const isSensitive = sensitiveIn(question).includes(true)
  const kept = isSensitive
    ? keptBack(
        rows.map(({ keys, people, peopleBefore }) => ({ keys, people: smallest(people, peopleBefore) })),
        question.groupBy.length,
      )
    : new Set<number>()
  // Of more days than fit, the latest.
  const first = inTime ? Math.max(0, rows.length - mostRows) : 0
  const shown = rows.slice(first, first + mostRows)
  // Nothing else is there to take from the sum: it would say what was kept back.
  const isTold = !(kept.size === 1 && rows.length === 1)
  return answerOf(frame, {
    dimensions: question.groupBy.map(({ field, bucket }) => {
      const { kind } = fieldIn(source, field)
      return { key: field, kind, bucket: kind === 'day' ? (bucket ?? 'month') : null }
    }),
    measures: question.measures.map((key) => {
      const unit = units[key]?.unit ?? 'number'
      return { key, unit, currency: unit === 'money' ? frame.currency : null }
    }),
    rows: shown.map(({ keys, labels, values, previous }, at) => {
      const isHidden = kept.has(first + at)
      const nobody = values.map(() => null)
      return {
        keys: keys.map((value, nth) => ({ value, label: labels[nth] ?? null })),
        values: isHidden ? nobody : values,
        previous: previous && (isHidden ? nobody : previous),
        isHidden,
      }
    }),
    total: isTold ? found.total : found.total.map(() => null),
    previousTotal: earlier && (isTold ? earlier.total : earlier.total.map(() => null)),
    isCut: rows.length > mostRows,
    picture: question.picture,
  })
}

/** Groups of the year before that are looked through for those that are shown. */
const mostBefore = mostRows * 5

const smallest = (people: number, before: number | null) =>
  before === null || before === 0 ? people : people === 0 ? before : Math.min(people, before)

type Merged = Found['rows'][number] & { previous: (number | null)[] | null; peopleBefore: number | null }
/** A group that only one of the two years has stands there as well. */
function merged(found: Found, earlier: Found | null, measures: readonly SourceMeasure[], inTime: boolean): Merged[] {
  if (!earlier) return found.rows.map((row) => ({ ...row, previous: null, peopleBefore: null }))
  const nameOf = ({ keys }: Found['rows'][number]) => JSON.stringify(keys)
  const then = new Map(earlier.rows.map((row) => [nameOf(row), row]))
  const now = new Set(found.rows.map(nameOf))
  const none = emptyValues(measures)
  // Of one that is not among the largest then, nothing is known.
  const isCut = earlier.rows.length >= mostBefore
  const unseen = isCut ? none.map(() => null) : none
  const rows = [
    ...found.rows.map((row) => {
      const past = then.get(nameOf(row))
      return { ...row, previous: past?.values ?? unseen, peopleBefore: past?.people ?? (isCut ? null : 0) }
    }),
    ...earlier.rows
      .filter((row) => !now.has(nameOf(row)))
      .map((row) => ({ ...row, values: none, previous: row.values, people: 0, peopleBefore: row.people })),
  ]
  const place = ({ keys: [key] }: Merged) => key ?? '\uffff'
  return inTime ? rows.sort((one, other) => (place(one) < place(other) ? -1 : place(one) > place(other) ? 1 : 0)) : rows
}

// The list behind ---------------------------------------------------------------------------------------------------------------------

const checkFigure = (question: OwnQuestion, { keys, measure }: Figure) => {
  if (!question.measures.includes(measure)) throw notAsked(measure)
  if (keys.length > 0 && keys.length !== question.groupBy.length)
    throw problem(
      'UNPROCESSABLE_CONTENT',
      fault('keys', 'report_field_unknown', 'Give one value for each group.', { params: { field: 'keys' } }),
    )
}

/** What a figure is made of: each row of the subject that counts in it, or each person where different people are counted. */
export function behindOwn(question: OwnQuestion, frame: ReportFrame, figure: Figure): List<ReportRecord> {
  checkFigure(question, figure)
  const { source, joins, keys, where } = partsOf(question, frame, spanOf(frame), figure.keys.length > 0)
  const measure = measureIn(source, figure.measure)
  const meant = [
    ...where,
    ...(measure.counts ? [measure.counts] : []),
    ...figure.keys.map((value, at): Condition => sql`${keys[at] ?? sql`null`} is not distinct from ${value}::text`),
  ]
  const key = ['report', question, figure.keys, figure.measure]
  if (measure.of === 'different' && measure.list === 'people')
    return heldByPeople(key, sql`select ${measure.column} ${source.from} ${joins} where ${allOf(meant)}`)
  return { key, item: source.record, from: sql`${source.from} ${joins} ${source.joins}`, where: meant, order: [source.id] }
}

/** What the list comes to, by a statement of its own that groups nothing. */
export async function listTotalOwn(db: ActorDb, question: OwnQuestion, frame: ReportFrame, figure: Figure): Promise<number | null> {
  const list = behindOwn(question, frame, figure)
  const { source, measures } = partsOf({ ...question, measures: [figure.measure] }, frame, spanOf(frame), figure.keys.length > 0)
  const [measure] = measures
  if (!measure || measure.of === 'share' || measure.of === 'average') return null
  const isOfPeople = measure.of === 'different' && measure.list === 'people'
  const [id, value] = isOfPeople
    ? [sql`p.id`, sql`null::numeric`]
    : [source.id, measure.of === 'sum' ? measure.value : measure.of === 'different' ? measure.column : sql`null::numeric`]
  const listed = sql`select ${id} as id, ${value} as value ${list.from} where ${allOf(list.where)}`
  const what =
    measure.of === 'sum'
      ? sql`coalesce(sum(l.value), 0)::float8 as total from (${listed}) l`
      : measure.of === 'different' && !isOfPeople
        ? sql`count(*)::float8 as total from (select l.value from (${listed}) l where l.value is not null group by l.value) d`
        : sql`count(*)::float8 as total from (${listed}) l`
  const { rows } = await sql<{ total: number }>`select ${what}`.execute(db)
  return rows[0]?.total ?? 0
}
