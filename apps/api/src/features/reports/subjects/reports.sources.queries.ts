import { reportSubjects } from '@guildhall/contract/features/reports.subjects'
import type { ReportField, ReportSubject } from '@guildhall/contract/features/reports.subjects'
import type { ReportRecord } from '@guildhall/contract/features/reports'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { choiceField, dateField, flagField, idField, numberField, relationField, textField } from '../../../platform/lists/filters.ts'
import type { FilterField } from '../../../platform/lists/filters.ts'
import { chapterRef, orNull } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { chapterField } from '../../chapters/chapters.references.public.ts'

// A subject of own questions is a FROM under the policies of who asks, with an expression for each field and measure of the contract.

export type Sql = RawBuilder<unknown>
export type Condition = RawBuilder<SqlBool>
/** What the SQL of a subject depends on. */
export type SourceFrame = { today: string; timezone: string; currency: string; asOf: string | null }

export type SourceField = {
  kind: ReportField['kind']
  /** What rows are grouped by: a date for days, an id for records and chapters. Null where nothing is known. */
  column: Sql
  filter: FilterField
  /** Of records: the name of the one with this id, as far as the reader sees it. */
  label?: (id: Sql) => RawBuilder<string | null>
  /** A row may have several: joined only where it is grouped by, with measures of its own where the row is divided among them. */
  join?: Sql
  measures?: Record<string, SourceMeasure>
}

/** `counts`: the rows that count in it, all of them unless stated. */
export type SourceMeasure = { counts?: Condition } & (
  | { of: 'rows' }
  /** `list`: people where the list behind it is of people, each once. */
  | { of: 'different'; column: Sql; list?: 'people' }
  | { of: 'sum'; value: Sql }
  | { of: 'average'; value: Sql }
  | { of: 'share'; part: Sql; whole: Sql }
)

export type Source<S extends ReportSubject = ReportSubject> = {
  from: Sql
  where: readonly Condition[]
  /** Unique, and what the list behind is ordered by. */
  id: RawBuilder<string>
  /** The chapter that a question about a chapter means. */
  chapter: Sql
  /** The person whom a row is about, for small cells and lists of people. */
  person?: Sql
  day: Sql
  fields: { [F in keyof (typeof reportSubjects)[S]['fields']]: SourceField }
  measures: { [M in keyof (typeof reportSubjects)[S]['measures']]: SourceMeasure }
  /** What the record needs joined besides. */
  joins: Sql
  record: RawBuilder<ReportRecord>
}
export type Sources<S extends ReportSubject> = { [Subject in S]: (frame: SourceFrame) => Source<Subject> }

// Fields ------------------------------------------------------------------------------------------------------------------------------

const optionsOf = (subject: ReportSubject, field: string): readonly string[] => {
  const fields: Record<string, ReportField> = reportSubjects[subject].fields
  return fields[field]?.options ?? []
}
export const choice = (subject: ReportSubject, field: string, column: Sql): SourceField => ({
  kind: 'choice',
  column,
  filter: choiceField(column, optionsOf(subject, field)),
})
export const chapterOf = (column: Sql): SourceField => ({ kind: 'chapter', column, filter: chapterField(column), label: names.chapter })
export const day = (column: Sql): SourceField => ({ kind: 'day', column, filter: dateField(column) })
export const number = (column: Sql, filter = numberField(column)): SourceField => ({ kind: 'number', column, filter })
/** Empty and null are the same. */
export const words = (column: Sql): SourceField => ({ kind: 'text', column: sql`nullif(${column}, '')`, filter: textField(column) })
/** Null where it cannot be told, which is neither yes nor no. */
export const yesNo = (condition: Condition): SourceField => ({ kind: 'yesNo', column: condition, filter: flagField(condition) })

const nameIn =
  (table: string, column = 'name') =>
  (id: Sql): RawBuilder<string | null> =>
    sql`(select x.${sql.ref(column)} from ${sql.table(`app.${table}`)} x where x.org_id = (select app.org_id()) and x.id = ${id})`
const names = {
  chapter: nameIn('chapters'),
  tag: nameIn('tags'),
  membershipType: nameIn('membership_types'),
  group: nameIn('groups'),
  event: nameIn('events', 'title'),
  campaign: nameIn('campaigns'),
  fund: nameIn('funds'),
  topic: nameIn('topics'),
  relationshipType: nameIn('relationship_types'),
} as const satisfies Record<NonNullable<ReportField['of']> | 'chapter', unknown>

export const record = (of: keyof typeof names, column: Sql): SourceField => ({
  kind: 'record',
  column,
  filter: idField(column),
  label: names[of],
})
type Several = {
  of: keyof typeof names
  /** A left join, so that rows without any stay. */
  join: Sql
  column: Sql
  /** That the row has one of which the condition holds. */
  has: (which: Condition) => Condition
  /** The column within `has`. */
  within: Sql
  measures?: Record<string, SourceMeasure>
}
export const several = ({ of, join, column, has, within, measures }: Several): SourceField => ({
  kind: 'record',
  column,
  join,
  label: names[of],
  filter: relationField(
    (which) => has(which ?? sql`true`),
    (ids) => sql`${within} = any (${ids}::uuid[])`,
  ),
  ...(measures && { measures }),
})

// Records -----------------------------------------------------------------------------------------------------------------------------

type RecordParts = {
  kind: ReportRecord['kind']
  id: Sql
  name: Sql
  personId?: Sql
  /** The alias of a left joined chapter. */
  chapter?: string
  detail?: Sql
  on?: Sql
  amount?: { amount: Sql; currency: Sql }
}
const nothing = sql`null`
export const recordOf = ({ kind, id, name, personId, chapter, detail, on, amount }: RecordParts): RawBuilder<ReportRecord> =>
  sql`json_build_object('kind', ${sql.lit(kind)}, 'id', ${id}, 'personId', ${personId ?? nothing}, 'name', coalesce(${name}, ''),
    'chapter', ${chapter ? orNull(chapter, chapterRef) : nothing}, 'detail', ${detail ?? nothing}, 'on', ${on ?? nothing},
    'amount', ${amount ? sql`json_build_object('amount', ${amount.amount}, 'currency', ${amount.currency})` : nothing})`

/** Of people, whichever subject they are counted in: `p` is the person, `h` their home chapter. */
export const peopleFrom = sql`from app.people p`
export const peopleJoins = sql`left join app.chapters h on h.org_id = p.org_id and h.id = p.home_chapter_id`
export const personRecord = recordOf({
  kind: 'person',
  id: sql`p.id`,
  personId: sql`p.id`,
  name: sql`p.display_name`,
  chapter: 'h',
  detail: sql`p.lifecycle`,
  on: sql`p.joined_on`,
})
/** Of rows about somebody, `p`: them, with what they are in the chapter `h`. */
export const aboutPerson = (id: Sql, { detail, on }: Required<Pick<RecordParts, 'detail' | 'on'>>): RawBuilder<ReportRecord> =>
  recordOf({ kind: 'person', id, personId: id, name: sql`p.display_name`, chapter: 'h', detail, on })
/** Each person once, however many rows are about them. */
export const differentPeople = (id: Sql) => ({ of: 'different', column: id, list: 'people' }) as const
/** A list of people, each once, by ids that are found once. */
export const heldByPeople = (key: readonly unknown[], ids: Sql): List<ReportRecord> => ({
  key,
  item: personRecord,
  from: sql`from (select distinct x.id from (${ids}) x (id)) i join app.people p on p.org_id = (select app.org_id()) and p.id = i.id ${peopleJoins}`,
  where: [isThere],
  order: [sql`p.id`],
})
/** People who are there: neither archived, nor erased, nor merged into another. */
export const isThere = sql<SqlBool>`(p.deleted_at is null and p.lifecycle not in ('merged', 'erased'))`
/** A day of the calendar of the organisation. */
export const dayIn = (instant: Sql, timezone: string) => sql`(${instant} at time zone ${timezone}::text)::date`
export const on = (value: string) => sql`${value}::date`
/** Its first and last day include this one. */
export const heldOn = (alias: string, at: string): Condition =>
  sql`(${sql.ref(`${alias}.starts_on`)} <= ${on(at)} and (${sql.ref(`${alias}.ends_on`)} is null or ${sql.ref(`${alias}.ends_on`)} >= ${on(at)}))`
