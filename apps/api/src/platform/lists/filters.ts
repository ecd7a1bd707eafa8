import { fieldFault } from '@guildhall/contract/reasons'
import { Filter } from '@guildhall/contract/shapes'
import type { FilterCondition, FilterOp } from '@guildhall/contract/shapes'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { fault, problem } from '../procedures/problem.ts'

type Column = RawBuilder<unknown>
type Condition = RawBuilder<SqlBool>
type Value = FilterCondition['value']

/** One field of a list that can be filtered by: its operators, and the SQL of a condition whose value has been checked. */
export type FilterField = {
  ops: readonly FilterOp[]
  where(op: FilterOp, value: Value, refuse: Refuse): Condition
  /** For texts: that one of these is contained. Several asked one by one would each look at every row. */
  containsAny?(texts: readonly string[]): Condition
}
/** The allow-list of a list's fields; what is not in it is refused by name. */
export type FilterCatalogue = Readonly<Record<string, FilterField>>
export type Refuse = (message: string) => never
/** Refuses the value of the condition at a place of the filter. */
export const refusing =
  (at: string, field: string): Refuse =>
  (message) => {
    throw problem('UNPROCESSABLE_CONTENT', fault(`${at}.value`, 'filter_value', message, { detail: `${field}: ${message}` }))
  }

/** Reads the `filter` text of a query; malformed JSON is 400, too much or a wrong value is 422. */
export function readFilter(text: string | undefined): Filter | undefined {
  if (text === undefined || text === '') return undefined
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    throw problem('BAD_REQUEST', { reason: 'filter', detail: 'The filter is not valid JSON.' })
  }
  const parsed = Filter.safeParse(raw)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map((issue) => fieldFault({ ...issue, path: ['filter', ...issue.path] }))
  const tooMuch = errors.every(({ code }) => ['too_big', 'too_small', 'custom'].includes(code))
  throw problem(tooMuch ? 'UNPROCESSABLE_CONTENT' : 'BAD_REQUEST', {
    reason: 'filter',
    detail: errors[0]?.message ?? 'The filter is not valid.',
    errors,
  })
}

/** All groups hold, any condition of a group suffices. Null when there is nothing to filter. */
export function filterWhere(filter: Filter | undefined, catalogue: FilterCatalogue): Condition | null {
  if (!filter || filter.and.length === 0) return null
  const groups = filter.and.map(({ or }, g) => sql<SqlBool>`(${sql.join(anyWhere(or, catalogue, `filter.and.${g}.or`), sql` or `)})`)
  return sql<SqlBool>`(${sql.join(groups, sql` and `)})`
}

function anyWhere(conditions: readonly FilterCondition[], catalogue: FilterCatalogue, path: string): Condition[] {
  const texts = new Map<NonNullable<FilterField['containsAny']>, string[]>()
  const others: Condition[] = []
  for (const [c, { field, op, value }] of conditions.entries()) {
    const at = `${path}.${c}`
    const known = fieldOf(field, op, catalogue, at)
    const refuse = refusing(at, field)
    const { containsAny } = known
    if (op === 'contains' && containsAny) texts.set(containsAny, [...(texts.get(containsAny) ?? []), textValue(value, refuse)])
    else others.push(known.where(op, value, refuse))
  }
  return [...others, ...Array.from(texts, ([containsAny, wanted]) => containsAny(wanted))]
}

function fieldOf(field: string, op: FilterOp, catalogue: FilterCatalogue, path: string): FilterField {
  const known = Object.hasOwn(catalogue, field) ? catalogue[field] : undefined
  if (!known)
    throw problem(
      'BAD_REQUEST',
      fault(`${path}.field`, 'filter_field', `There is no field “${field}”.`, {
        detail: `There is no field “${field}” to filter by.`,
      }),
    )
  if (!known.ops.includes(op))
    throw problem(
      'BAD_REQUEST',
      fault(`${path}.op`, 'filter_op', `“${field}” cannot be compared with “${op}”; use one of ${known.ops.join(', ')}.`),
    )
  return known
}

// Values --------------------------------------------------------------------------------------------------------------------------------

const asList = (value: Value) => (Array.isArray(value) ? value : value === undefined || typeof value === 'boolean' ? [] : [value])

export function textValue(value: Value, refuse: Refuse): string {
  if (typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0')) return value
  return refuse('Enter a text.')
}

export function idValues(value: Value, refuse: Refuse): string[] {
  const ids = asList(value)
  if (ids.length === 0 || !ids.every((id) => typeof id === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)))
    return refuse('Give one or more ids.')
  return ids.map(String)
}

export function dateValue(value: Value | undefined, refuse: Refuse): string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return refuse('Enter a date as YYYY-MM-DD.')
  const date = new Date(`${value}T00:00:00Z`)
  // 30 February parses, but as another day.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) && date.getUTCFullYear() > 0
    ? value
    : refuse('There is no such day.')
}

function numberValue(value: Value | undefined, refuse: Refuse): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && Math.abs(value) <= 2_147_483_647
    ? value
    : refuse('Enter a whole number.')
}

function pair<T>(value: Value, refuse: Refuse, read: (value: Value | undefined, refuse: Refuse) => T): [T, T] {
  if (!Array.isArray(value) || value.length !== 2) return refuse('Give two values: from and to.')
  return [read(value[0], refuse), read(value[1], refuse)]
}

// Kinds of fields -----------------------------------------------------------------------------------------------------------------------

/** A pattern for LIKE with the wildcards of the value taken literally, in lower case. */
const pattern = (before: string, value: string, after: string) => before + value.toLowerCase().replace(/[\\%_]/g, '\\$&') + after

/** Whether a text contains another, blind to case. */
export const contains = (column: Column, value: string): Condition => sql<SqlBool>`lower(${column}) like ${pattern('%', value, '%')}`

export const textOps = ['is', 'isNot', 'contains', 'startsWith', 'empty', 'notEmpty'] as const
export type TextField = FilterField & Required<Pick<FilterField, 'containsAny'>>

/** A text column; empty and null are the same. `lowered`: the same in lower case, where the database keeps it. */
export const textField = (column: Column, lowered: Column = sql`lower(${column})`): TextField => {
  const containsAny = (texts: readonly string[]) =>
    sql<SqlBool>`${lowered} like any (${texts.map((text) => pattern('%', text, '%'))}::text[])`
  return {
    ops: textOps,
    containsAny,
    where(op, value, refuse) {
      if (op === 'empty') return sql`coalesce(${column}, '') = ''`
      if (op === 'notEmpty') return sql`coalesce(${column}, '') <> ''`
      const wanted = textValue(value, refuse)
      if (op === 'is') return sql`${lowered} = ${wanted.toLowerCase()}`
      if (op === 'isNot') return sql`${lowered} is distinct from ${wanted.toLowerCase()}`
      return op === 'contains' ? containsAny([wanted]) : sql`${lowered} like ${pattern('', wanted, '%')}`
    },
  }
}

/** A column with a fixed set of words. */
export const choiceField = (column: Column, options: readonly string[]): FilterField => ({
  ops: ['is', 'isNot', 'in', 'notIn'],
  where(op, value, refuse) {
    const wanted = asList(value).map(String)
    const stranger = wanted.find((word) => !options.includes(word))
    if (wanted.length === 0 || stranger !== undefined) return refuse(`Choose from ${options.join(', ')}.`)
    return op === 'is' || op === 'in' ? sql`${column} = any (${wanted}::text[])` : sql`${column} <> all (${wanted}::text[])`
  },
})

/** A day or an instant; days are whole, `between` includes both. */
export const dateField = (column: Column): FilterField => ({
  ops: ['is', 'before', 'after', 'between', 'empty', 'notEmpty'],
  where(op, value, refuse) {
    if (op === 'empty') return sql`${column} is null`
    if (op === 'notEmpty') return sql`${column} is not null`
    if (op === 'before') return sql`${column} < ${dateValue(value, refuse)}::date`
    if (op === 'after') return sql`${column} >= ${dateValue(value, refuse)}::date + 1`
    const [from, to] = op === 'between' ? pair(value, refuse, dateValue) : [dateValue(value, refuse), dateValue(value, refuse)]
    return sql`(${column} >= ${from}::date and ${column} < ${to}::date + 1)`
  },
})

export const numberField = (column: Column): FilterField => ({
  ops: ['is', 'isNot', 'before', 'after', 'between', 'empty', 'notEmpty'],
  where(op, value, refuse) {
    if (op === 'empty') return sql`${column} is null`
    if (op === 'notEmpty') return sql`${column} is not null`
    if (op === 'between') {
      const [from, to] = pair(value, refuse, numberValue)
      return sql`${column} between ${from}::int and ${to}::int`
    }
    const wanted = numberValue(value, refuse)
    if (op === 'isNot') return sql`${column} is distinct from ${wanted}::int`
    return op === 'is'
      ? sql`${column} = ${wanted}::int`
      : op === 'before'
        ? sql`${column} < ${wanted}::int`
        : sql`${column} > ${wanted}::int`
  },
})

/** Yes or no. */
export const flagField = (condition: Condition): FilterField => ({
  ops: ['is'],
  where: (_op, value, refuse) =>
    value === true || value === 'true'
      ? condition
      : value === false || value === 'false'
        ? sql`not ${condition}`
        : refuse('Choose true or false.'),
})

/** Rows of another table that stand in a relation to this one: in any of the given ones, in none, in no or in some at all. */
export const relationField = (
  related: (ids: Condition | null, from: string[]) => Condition,
  idsWhere: (ids: string[]) => Condition,
): FilterField => ({
  ops: ['is', 'isNot', 'in', 'notIn', 'empty', 'notEmpty'],
  where(op, value, refuse) {
    if (op === 'empty') return sql`not ${related(null, [])}`
    if (op === 'notEmpty') return related(null, [])
    const ids = idValues(value, refuse)
    const found = related(idsWhere(ids), ids)
    return op === 'is' || op === 'in' ? found : sql`not ${found}`
  },
})

/** A column with the id of another record; `matches` where one stands for more than itself. */
export const idField = (
  column: Column,
  matches: (ids: string[]) => Condition = (ids) => sql`${column} = any (${ids}::uuid[])`,
): FilterField => ({
  ops: ['is', 'isNot', 'in', 'notIn', 'empty', 'notEmpty'],
  where(op, value, refuse) {
    if (op === 'empty') return sql`${column} is null`
    if (op === 'notEmpty') return sql`${column} is not null`
    const found = matches(idValues(value, refuse))
    return op === 'is' || op === 'in' ? found : sql`(${column} is null or not ${found})`
  },
})
