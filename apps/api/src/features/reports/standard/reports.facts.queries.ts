import type { ReportAnswer, ReportRecord, StandardQuestion } from '@guildhall/contract/features/reports'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { allOf } from '../../../platform/lists/conditions.ts'
import { chapterRef } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { fault, problem } from '../../../platform/procedures/problem.ts'
import { isId } from '../../../platform/records/is-id.ts'
import type { Figure, ReportFrame, StandardAnswerer } from '../reports.engine.rules.ts'
import { answerOf } from '../reports.engine.rules.ts'
import { askedBefore, askedNow, composed } from './reports.facts.rules.ts'
import type { Asked, Cell, Counts, Shown } from './reports.facts.rules.ts'

// A standard report is made of sources: rows, what each weighs in which measure, and under which keys it stands. Its answer is the weights
// added up, its list the same rows, so that the one is always what the other comes to.

export type Sql = RawBuilder<unknown>
export type Condition = RawBuilder<SqlBool>
type Names = 'chapter' | 'membershipType' | 'person' | 'fund' | 'campaign'

export type Dimension = Omit<ReportAnswer['dimensions'][number], 'bucket'> & {
  bucket?: 'month' | 'quarter' | 'year'
  /** Where labels are looked up; otherwise values are codes or days, or the source says the label. */
  names?: Names
  /** Codes in the order in which rows stand. */
  order?: readonly string[]
}

/** What a row weighs in a measure: one, unless stated. */
export type Weight = {
  when?: Condition
  weighs?: Sql
  /** Counted once however often it comes up. */
  once?: Sql
  money?: true
  /** The largest instead of the sum; no list. */
  most?: true
  /** What its list shows instead, where it is about somebody else than the rows. */
  record?: Partial<Listed>
}
/** How a row stands in a list. */
type Listed = {
  kind: Sql
  id: Sql
  /** Tells rows apart whose id is the same. */
  key: Sql
  person: Sql
  name: Sql
  chapter: Sql
  detail: Sql
  on: Sql
}
/** Rows, each under one key per dimension. */
export type Rows = { tables: Sql; where: readonly Condition[]; keys: readonly Sql[]; label?: Sql }
export type Source = Rows & {
  record: Pick<Listed, 'kind' | 'id'> & Partial<Listed>
  weights: Record<string, Weight>
  /** The same from what is counted already; the list is of the rows themselves. */
  counted?: Rows & { weights: Record<string, Sql> }
  /** Only in the total, under no key. */
  totalOnly?: true
  /** Rows of the highest rank come first: of its largest value, or of what a measure comes to. */
  rank?: Sql
  rankBy?: string
}

export type FactReport = {
  /** Groupings that it can be asked for, the usual one first; `null` is without one. */
  by: readonly (StandardQuestion['by'] | null)[]
  dimensions: (asked: Asked) => readonly Dimension[]
  measures: readonly Shown[]
  sources: (asked: Asked) => readonly Source[]
  picture: (asked: Asked) => ReportAnswer['picture']
  /** Parts of the question that are answered one after the other, where all at once takes long; no row may stand in two with the same person. */
  steps?: (db: ActorDb, asked: Asked) => Promise<readonly Asked[]>
  mostRows?: number
}

const none = sql`null`
const mostFetched = 5_000

type Found = { keys: (string | null)[]; label: string | null; total: boolean; rank: number | null; values: (number | null)[] }

/** Adds up one source: its rows by key and, beside them, everything. */
async function counted(db: ActorDb, source: Source): Promise<{ keys: readonly string[]; rows: Found[] }> {
  const { tables, where, keys, label } = source.counted ?? source
  const names = Object.keys(source.weights)
  const columns = names.map((name, nth) => {
    const weight = source.weights[name]
    const alreadyCounted = source.counted?.weights[name]
    const value = alreadyCounted ?? weight?.once ?? weight?.weighs ?? sql`1`
    return sql`${!alreadyCounted && weight?.when ? sql`case when ${weight.when} then ${value} end` : value} as ${sql.ref(`w${nth}`)}`
  })
  const sums = names.map((name, nth) => {
    const [weight, column] = [source.weights[name], sql.ref(`x.w${nth}`)]
    if (weight?.once && !source.counted) return sql`count(distinct ${column})::float8`
    return weight?.most ? sql`max(${column})::float8` : sql`coalesce(sum(${column}), 0)::float8`
  })
  const byMeasure = source.rankBy === undefined ? undefined : sums[names.indexOf(source.rankBy)]
  const rank = source.rank ? sql`max(x.rank)::float8` : (byMeasure ?? sql`null::float8`)
  const keyColumns = keys.map((key, nth) => sql`${key} as ${sql.ref(`k${nth}`)}`)
  const keyRefs = keys.map((_, nth) => sql.ref(`x.k${nth}`))
  const isTotal = source.totalOnly || keyRefs.length === 0 ? sql`true` : sql`grouping(${keyRefs[0] ?? none}) = 1`
  const grouping = source.totalOnly || keyRefs.length === 0 ? sql`` : sql`group by grouping sets ((${sql.join(keyRefs)}), ())`
  const { rows } = await sql<Found>`
    select ${isTotal} as total, ${source.totalOnly ? sql`'[]'::json` : sql`json_build_array(${sql.join(keyRefs)})`} as keys,
      ${label ? sql`max(x.label)` : sql`null::text`} as label, ${rank} as rank,
      json_build_array(${sql.join(sums)}) as values
    from (select ${sql.join([...(source.totalOnly ? [] : keyColumns), ...columns, ...(label ? [sql`${label} as label`] : []), ...(source.rank ? [sql`${source.rank} as rank`] : [])])}
      from ${tables} where ${allOf(where)}) x
    ${grouping}
    order by ${sql.join([sql`1 desc`, ...(source.rank || byMeasure ? [sql`4 desc nulls last`] : [])])} limit ${sql.lit(mostFetched)}`.execute(
    db,
  )
  return { keys: names, rows }
}

/** Everything that a part of a question comes to: each key with its values, and the total. */
async function counts(db: ActorDb, sources: readonly Source[], done: () => Promise<void>): Promise<Counts> {
  const cells = new Map<string, Cell>()
  const total: Cell = { keys: [], labels: [], rank: null, values: {} }
  const known = new Set<string>()
  for (const source of sources) {
    const { keys, rows } = await counted(db, source)
    for (const key of keys) known.add(key)
    for (const row of rows) {
      const at = JSON.stringify(row.keys)
      const cell = row.total ? total : (cells.get(at) ?? { keys: row.keys, labels: row.keys.map(() => null), rank: null, values: {} })
      keys.forEach((key, nth) => {
        cell.values[key] = (cell.values[key] ?? 0) + (row.values[nth] ?? 0)
      })
      if (row.label !== null) cell.labels = cell.labels.map((label, nth) => (nth === 0 ? row.label : label))
      cell.rank = row.rank ?? cell.rank
      if (!row.total) cells.set(at, cell)
    }
    await done()
  }
  return { cells: [...cells.values()], total, known }
}

/** Answers the questions one after the other, source by source, and tells how far it has come. Parts of one have no key in common, or add up under it. */
async function allCounts(db: ActorDb, report: FactReport, questions: readonly Asked[], step: ReportFrame['step']): Promise<Counts[][]> {
  const plans: Source[][][] = []
  for (const asked of questions) {
    const parts = report.steps ? await report.steps(db, asked) : [asked]
    plans.push(parts.map((part) => [...report.sources(part)]))
  }
  const total = plans.flat(2).length
  let done = 0
  const answers: Counts[][] = []
  for (const plan of plans) {
    const parts: Counts[] = []
    for (const sources of plan) parts.push(await counts(db, sources, () => step(++done, total)))
    answers.push(parts)
  }
  return answers
}

const tables: Record<Names, { from: Sql; name: Sql }> = {
  chapter: { from: sql`app.chapters`, name: sql`n.name` },
  membershipType: { from: sql`app.membership_types`, name: sql`n.name` },
  person: { from: sql`app.people`, name: sql`n.display_name` },
  fund: { from: sql`app.funds`, name: sql`n.name` },
  campaign: { from: sql`app.campaigns`, name: sql`n.name` },
}

async function namesOf(db: ActorDb, names: Names, values: readonly (string | null)[]): Promise<Map<string, string>> {
  const ids = [...new Set(values.filter((value) => value !== null && isId(value)))]
  if (ids.length === 0) return new Map()
  const { from, name } = tables[names]
  const { rows } = await sql<{ id: string; name: string }>`
    select n.id::text as id, ${name} as name from ${from} n where n.id = any (${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** Labels of what has a name of its own, written into the cells. */
async function label(db: ActorDb, dimensions: readonly Dimension[], cells: readonly Cell[]): Promise<void> {
  for (const [nth, { names }] of dimensions.entries()) {
    if (!names) continue
    const found = await namesOf(
      db,
      names,
      cells.map((cell) => cell.keys[nth] ?? null),
    )
    for (const cell of cells) cell.labels[nth] = found.get(cell.keys[nth] ?? '') ?? cell.labels[nth] ?? null
  }
}

const refused = (measure: string) =>
  problem(
    'UNPROCESSABLE_CONTENT',
    fault('measure', 'report_field_unknown', `This report has no rows behind “${measure}”.`, { params: { field: measure } }),
  )

/** The sources whose rows stand behind a measure, with what they weigh in it. */
function behind(report: FactReport, asked: Asked, measure: string): { source: Source; weight: Weight }[] {
  const shown = report.measures.find(({ key }) => key === measure)
  const found = report.sources(asked).flatMap((source) => {
    const weight = source.weights[shown?.behind ?? shown?.key ?? '']
    return weight && !source.totalOnly ? [{ source, weight }] : []
  })
  if (found.length === 0) throw refused(measure)
  return found
}

/** Rows behind a figure, before anything is looked up for them. */
const factsOf = (report: FactReport, asked: Asked, { keys, measure }: Figure): Sql =>
  sql.join(
    behind(report, asked, measure).map(({ source, weight }) => sql`(${factsIn(source, weight, keys)})`),
    sql` union all `,
  )

function factsIn(source: Source, weight: Weight, keys: Figure['keys']): Sql {
  const record = { ...source.record, ...weight.record }
  const matching = keys.slice(0, source.keys.length).map((value, nth): Condition => {
    const key = source.keys[nth] ?? none
    return value === null ? sql`${key} is null` : sql`${key} = ${value}`
  })
  const column = (value: Sql | undefined, type: Sql, name: string) => sql`(${value ?? none})::${type} as ${sql.ref(name)}`
  return sql`select ${weight.once ? sql`distinct on (${weight.once})` : sql``}
      ${sql.join([
        column(record.kind, sql`text`, 'kind'),
        column(record.id, sql`uuid`, 'id'),
        column(record.key ?? record.id, sql`text`, 'key'),
        column(record.person, sql`uuid`, 'person_id'),
        column(record.name, sql`text`, 'name'),
        column(record.chapter, sql`uuid`, 'chapter_id'),
        column(record.detail, sql`text`, 'detail'),
        column(record.on, sql`date`, 'on_day'),
        column(weight.money ? weight.weighs : none, sql`bigint`, 'amount'),
      ])}
    from ${source.tables} where ${allOf([...source.where, ...matching, ...(weight.when ? [weight.when] : [])])}
      ${weight.once ? sql`order by ${weight.once}` : sql``}`
}

/** Names are looked up for the rows of a page only, hence inside of what it shows. */
const item = (currency: string): RawBuilder<ReportRecord> => sql`json_build_object('kind', f.kind, 'id', f.id,
  'personId', (select p.id from app.people p where p.id = f.person_id),
  'name', coalesce(f.name, (select p.display_name from app.people p where p.id = f.person_id), ''),
  'chapter', (select ${chapterRef('c')} from app.chapters c where c.id = f.chapter_id),
  'detail', f.detail, 'on', f.on_day, 'amount', case when f.amount is not null then json_build_object('amount', f.amount, 'currency', ${currency}::text) end)`

export function answererOf(report: FactReport): StandardAnswerer {
  const understood = (question: StandardQuestion, frame: ReportFrame) => askedNow(question, frame, report.by)
  return {
    answer: async (db, question, frame) => {
      const asked = understood(question, frame)
      const previous = askedBefore(asked, question, frame)
      const [now = [], before = null] = await allCounts(db, report, previous ? [asked, previous] : [asked], frame.step)
      const dimensions = report.dimensions(asked)
      const parts = composed(report, dimensions, asked, now, before)
      await label(db, dimensions, parts.cells)
      return answerOf(frame, { ...parts.answer(frame.currency), picture: report.picture(asked) })
    },
    behind: (question, frame, figure): List<ReportRecord> => {
      const asked = understood(question, frame)
      return {
        key: ['standard report', question, asked, figure],
        item: item(frame.currency),
        from: sql`from (${factsOf(report, asked, figure)}) f`,
        where: [],
        order: [sql`coalesce(f.on_day, '0001-01-01')`, sql`f.key`],
        descending: true,
      }
    },
    listTotal: async (db, question, frame, figure) => {
      const shown = report.measures.find(({ key }) => key === figure.measure)
      if (!shown) throw refused(figure.measure)
      const asked = understood(question, frame)
      const overlaps = shown.adds === false && figure.keys.length === 0
      if (shown.of || overlaps || !behindAddsUp(report, asked, figure.measure)) return null
      const { rows } = await sql<{ n: number }>`
        select ${shown.unit === 'money' ? sql`coalesce(sum(f.amount), 0)` : sql`count(*)`}::float8 as n from (${factsOf(report, asked, figure)}) f`.execute(
        db,
      )
      return rows[0]?.n ?? 0
    },
  }
}

const behindAddsUp = (report: FactReport, asked: Asked, measure: string) =>
  report.sources(asked).some((source) => source.weights[measure] && !source.weights[measure].most && !source.totalOnly)
