import type { OwnQuestion, ReportGroup } from '@guildhall/contract/features/reports'
import { reportSubjects } from '@guildhall/contract/features/reports.subjects'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { filterWhere } from '../../../platform/lists/filters.ts'
import type { Bounds, ReportFrame } from '../reports.engine.rules.ts'
import { on } from '../subjects/reports.sources.queries.ts'
import type { Condition, SourceField, SourceMeasure, Sql } from '../subjects/reports.sources.queries.ts'
import { sourceOf } from '../subjects/reports.subjects.queries.ts'
import type { AnySource } from '../subjects/reports.subjects.queries.ts'

// What the statements of an own question are put together from.

/** Which rows of the subject are meant: those of the question, or the same a year before, whose days are then counted a year later. */
export type Span = { range: Bounds | null; asOf: string | null; isBefore: boolean }
export type Parts = { source: AnySource; joins: Sql; keys: RawBuilder<string | null>[]; measures: SourceMeasure[]; where: Condition[] }

// Pieces ------------------------------------------------------------------------------------------------------------------------------

/** Each chapter with the one above it, or itself, at a level of the tree. */
const treeAt = (alias: string, column: Sql, level: number) => {
  const tree = sql.ref(alias)
  return sql`left join (
    select c.id, x.ancestor_id as top from app.chapters c
    join app.chapter_ancestors x on x.org_id = c.org_id and x.chapter_id = c.id and x.distance = greatest(c.depth - ${sql.lit(level + 1)}, 0)) ${tree} on ${tree}.id = ${column}`
}

function keyOf({ bucket = 'month', level }: ReportGroup, field: SourceField, at: number, { isBefore }: Span, isDay: boolean) {
  if (field.kind === 'chapter' && level !== undefined) return sql<string | null>`${sql.ref(`tree${at}.top`)}::text`
  if (field.kind !== 'day') return sql<string | null>`(${field.column})::text`
  const column = isBefore && isDay ? sql`(${field.column} + interval '1 year')` : field.column
  return sql<string | null>`to_char(date_trunc(${sql.lit(bucket)}, (${column})::timestamp), 'YYYY-MM-DD')`
}

export function partsOf(question: OwnQuestion, frame: ReportFrame, span: Span, divided: boolean): Parts {
  const source = sourceOf(question.subject, { ...frame, asOf: span.asOf })
  const groups = question.groupBy.map((group) => ({ group, field: fieldIn(source, group.field) }))
  const dayField = reportSubjects[question.subject].day
  const shared = groups.find(({ field }) => field.measures)?.field.measures
  const { chapterId, filter } = question
  const filtered = filterWhere(filter, catalogueOf(source))
  const within = span.range ?? { since: null, until: null }
  return {
    source,
    joins: divided
      ? sql.join(
          groups.map(({ group, field }, at) =>
            field.kind === 'chapter' && group.level !== undefined ? treeAt(`tree${at}`, field.column, group.level) : (field.join ?? sql``),
          ),
          sql` `,
        )
      : sql``,
    keys: groups.map(({ group, field }, at) => keyOf(group, field, at, span, group.field === dayField)),
    measures: question.measures.map((measure) => (divided ? shared?.[measure] : undefined) ?? measureIn(source, measure)),
    where: [
      ...source.where,
      ...(within.since === null ? [] : [sql<SqlBool>`${source.day} >= ${on(within.since)}`]),
      ...(within.until === null ? [] : [sql<SqlBool>`${source.day} <= ${on(within.until)}`]),
      ...(chapterId === null
        ? []
        : [
            sql<SqlBool>`${source.chapter} = any (array(select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId}::uuid))`,
          ]),
      ...(filtered ? [filtered] : []),
    ],
  }
}

const catalogueOf = ({ fields }: AnySource) => Object.fromEntries(Object.entries(fields).map(([key, { filter }]) => [key, filter]))
export function fieldIn({ fields }: AnySource, key: string): SourceField {
  const found = fields[key]
  if (!found) throw new Error(`the subject has no field ${key}`)
  return found
}
export function measureIn({ measures }: AnySource, key: string): SourceMeasure {
  const found = measures[key]
  if (!found) throw new Error(`the subject has no measure ${key}`)
  return found
}

/** What a row brings to a measure; and what is made of those of a group. */
export const valuesOf = (measure: SourceMeasure, at: number): Sql => {
  const of = (value: Sql) => (measure.counts ? sql`case when ${measure.counts} then ${value} end` : value)
  const value = sql.ref(`v${at}`)
  switch (measure.of) {
    case 'rows':
      return sql`${of(sql`1`)} as ${value}`
    case 'different':
      return sql`${of(measure.column)} as ${value}`
    case 'sum':
    case 'average':
      return sql`${of(measure.value)} as ${value}`
    case 'share':
      return sql`${of(measure.part)} as ${value}, ${of(measure.whole)} as ${sql.ref(`w${at}`)}`
  }
}
export const figureOf = (measure: SourceMeasure, at: number): RawBuilder<number | null> => {
  const value = sql.ref(`b.v${at}`)
  switch (measure.of) {
    case 'rows':
      return sql`count(${value})::float8`
    case 'different':
      return sql`count(distinct ${value})::float8`
    case 'sum':
      return sql`coalesce(sum(${value}), 0)::float8`
    case 'average':
      return sql`round(avg(${value}))::float8`
    case 'share':
      return sql`round(100.0 * sum(${value}) / nullif(sum(${sql.ref(`b.w${at}`)}), 0), 2)::float8`
  }
}

/** Rows that count in none of the measures are no part of the answer. */
export const countsSomewhere = (measures: readonly SourceMeasure[]): Condition[] => {
  const conditions = measures.map(({ counts }) => counts)
  return conditions.every((one) => one !== undefined) ? [sql`(${sql.join(conditions, sql` or `)})`] : []
}
