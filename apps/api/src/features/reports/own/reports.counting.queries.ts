import type { OwnQuestion } from '@guildhall/contract/features/reports'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { allOf } from '../../../platform/lists/conditions.ts'
import type { ReportFrame } from '../reports.engine.rules.ts'
import { sensitiveIn } from '../reports.questions.rules.ts'
import type { SourceField, SourceMeasure } from '../subjects/reports.sources.queries.ts'
import { countsSomewhere, fieldIn, figureOf, partsOf, valuesOf } from './reports.parts.queries.ts'
import type { Parts, Span } from './reports.parts.queries.ts'

export type Found = {
  rows: { keys: (string | null)[]; labels: (string | null)[]; values: (number | null)[]; people: number }[]
  total: (number | null)[]
}

/** Rows and totals in one statement; each row of the subject is read once, unless it is divided among groups. */
export async function count(db: ActorDb, question: OwnQuestion, frame: ReportFrame, span: Span, most: number): Promise<Found> {
  const divided = partsOf(question, frame, span, true)
  const groups = question.groupBy.map(({ field }) => fieldIn(divided.source, field))
  if (groups.length === 0) return { rows: [], total: await totalOf(db, divided) }
  const isDivided = groups.some(({ join }) => join)
  const isSensitive = sensitiveIn(question).includes(true)
  const keys = groups.map((_, at) => sql.ref(`k${at}`))
  const sets = isDivided ? sql`${sql.join(keys)}` : sql`grouping sets ((${sql.join(keys)}), ())`
  const grouped = sql`select ${isDivided ? sql`false` : sql`grouping(${sql.join(keys)}) > 0`} as is_total, ${sql.join(keys)}, ${figures(divided)},
    ${isSensitive ? sql`count(distinct b.person)::int` : sql`0`} as people from ${rowsOf(divided, isSensitive)} group by ${sets}`
  const labels = groups.map(({ label }, at) => {
    const key = sql.ref(`p.k${at}`)
    return sql`${label ? label(sql`${key}::uuid`) : sql`null::text`} as ${sql.ref(`l${at}`)}`
  })
  const { picked, shown } = orderOf(groups)
  const values = valuesIn(divided)
  const { rows } = await sql<Found>`
    with grouped as (${grouped}),
    picked as (select g.* from grouped g where not g.is_total order by ${sql.join(picked)} limit ${sql.lit(most)}),
    named as (select p.*, ${sql.join(labels)} from picked p)
    select (select coalesce(json_agg(json_build_object('keys', ${columns('k', groups.length)}, 'labels', ${columns('l', groups.length)}, 'values', ${values}, 'people', g.people)
        order by ${sql.join(shown)}), '[]') from named g) as rows,
      (select ${values} from grouped g where g.is_total) as total`.execute(db)
  const [found] = rows
  return {
    rows: found?.rows ?? [],
    total: isDivided ? await totalOf(db, partsOf(question, frame, span, false)) : (found?.total ?? emptyValues(divided.measures)),
  }
}

async function totalOf(db: ActorDb, parts: Parts): Promise<Found['total']> {
  const { rows } = await sql<{ total: Found['total'] }>`
    select ${valuesIn(parts)} as total from (select ${figures(parts)} from ${rowsOf({ ...parts, keys: [] }, false)}) g`.execute(db)
  return rows[0]?.total ?? []
}

const figures = ({ measures }: Parts) => sql.join(measures.map((one, at) => sql`${figureOf(one, at)} as ${sql.ref(`m${at}`)}`))
const columns = (letter: 'k' | 'l' | 'm', many: number) =>
  sql`json_build_array(${sql.join(Array.from({ length: many }, (_, at) => sql.ref(`g.${letter}${at}`)))})`
const valuesIn = ({ measures }: Parts) => columns('m', measures.length)

/** The rows of the subject with what they are grouped by and what they bring to each measure. */
const rowsOf = ({ source, joins, keys, measures, where }: Parts, withPeople: boolean) => sql`(
  select ${sql.join([
    ...keys.map((key, at) => sql`${key} as ${sql.ref(`k${at}`)}`),
    ...measures.map(valuesOf),
    ...(withPeople && source.person ? [sql`${source.person} as person`] : []),
  ])} ${source.from} ${joins} where ${allOf([...where, ...countsSomewhere(measures)])}) b`

/** Days and numbers in their order, of more days than fit the latest; others by the first measure, the largest first. */
function orderOf([first, ...others]: readonly SourceField[]) {
  const text = (column: string) => sql`${sql.ref(`g.${column}`)} collate "C" nulls last`
  const rest = [first, ...others].map((_, at) => text(`k${at}`))
  if (first?.kind === 'day') return { picked: [sql`g.k0 collate "C" desc nulls last`, ...rest.slice(1)], shown: rest }
  if (first?.kind === 'number') return { picked: [sql`g.k0::numeric nulls last`, ...rest], shown: [sql`g.k0::numeric nulls last`, ...rest] }
  const largest = sql`g.m0 desc nulls last`
  return { picked: [largest, ...rest], shown: [largest, text('l0'), ...rest] }
}

export const emptyValues = (measures: readonly SourceMeasure[]): (number | null)[] =>
  measures.map(({ of }) => (of === 'share' || of === 'average' ? null : 0))
