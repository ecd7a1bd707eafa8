import { FieldKey, fieldPrefix } from '@guildhall/contract/features/fields'
import type { Field, FieldChange, FieldValues, RecordType } from '@guildhall/contract/features/fields'
import type { Filter, FilterCondition, FilterOp } from '@guildhall/contract/shapes'
import type { FieldFault } from '@guildhall/contract/reasons'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { exportField } from '../../platform/lists/export-source.ts'
import type { ExportField } from '../../platform/lists/export-source.ts'
import { dateValue, idValues, refusing, textOps, textValue } from '../../platform/lists/filters.ts'
import type { FilterField, Refuse } from '../../platform/lists/filters.ts'
import { countLimit } from '../../platform/lists/keyset.ts'
import { personRef } from '../../platform/lists/json-refs.ts'
import type { CallerContext } from '../../platform/procedures/context.ts'
import { fault, problem } from '../../platform/procedures/problem.ts'
import { fieldsQuery, readFields } from './fields.queries.ts'
import { fieldRecords } from './fields.records.rules.ts'
import { isFault, missing, readValue } from './fields.values.rules.ts'
import type { Fault } from './fields.values.rules.ts'

type Condition = RawBuilder<SqlBool>

const table = (type: RecordType) => sql.table(`app.${fieldRecords[type].values}`)
/** In the text of a statement, not beside it, so that its plan is kept. */
const idOf = ({ id }: Pick<Field, 'id'>) => sql`${sql.lit(id)}::uuid`
const record = (type: RecordType, alias = 'v') => sql.ref(`${alias}.${fieldRecords[type].record}`)

// Reading ---------------------------------------------------------------------------------------------------------------------------

/** Values of a record as one JSON object by the keys of their fields: what the caller may read, and no archived fields. `id` is the record's key, next to `org` its organisation's. */
export const fieldValues = (type: RecordType, org: string, id: string): RawBuilder<FieldValues> =>
  sql`(select coalesce(json_object_agg(x.key, x.value) filter (where x.value is not null), '{}') from (
    select f.key, case f.type when 'number' then min(v.value)::json when 'flag' then min(v.value)::json
      when 'choices' then json_agg(v.value order by v.value)
      when 'person' then (select ${personRef('w')} from app.people w where w.org_id = f.org_id and w.id = min(v.value)::uuid)
      else to_json(min(v.value)) end as value
    from ${table(type)} v join app.fields f on f.org_id = v.org_id and f.id = v.field_id
    where v.org_id = ${sql.ref(org)} and ${record(type)} = ${sql.ref(id)} and f.archived_at is null
    group by f.org_id, f.id, f.key, f.type) x)`

/**
 * The same for rows of a list, of the fields with these keys. Which they are is asked once for all rows, and stands in the text, so that its plan is kept.
 * Of fields that tell only of the reader nothing is shown.
 */
export function listedValues(type: RecordType, org: string, id: string, keys: readonly string[]): RawBuilder<FieldValues> {
  const { kept, sensitive } = fieldRecords[type]
  const held = (permission: string) =>
    sql`((select app.everywhere(${sql.lit(permission)})) or (select app.scope(${sql.lit(permission)})) <> '{}' or (select app.group_scope(${sql.lit(permission)})) <> '{}')`
  const known = (part: 'ids' | 'keys' | 'types') => sql`(select a.${sql.raw(part)} from asked a)`
  return sql`(with asked as materialized (
      select array_agg(f.id) as ids, jsonb_object_agg(f.id, f.key) as keys, jsonb_object_agg(f.id, f.type) as types from app.fields f
      where f.record_type = ${sql.lit(type)} and f.key = any (array[${sql.join(keys.map((key) => sql.lit(key)))}]) and f.archived_at is null
        and case when f.audience = 'everyone' then true when f.sensitive then ${held(sensitive)} else ${held(kept)} end)
    select coalesce(json_object_agg(x.key, x.value) filter (where x.value is not null), '{}') from (
      select ${known('keys')} ->> v.field_id::text as key, case ${known('types')} ->> v.field_id::text
        when 'number' then min(v.value)::json when 'flag' then min(v.value)::json when 'choices' then json_agg(v.value order by v.value)
        when 'person' then (select ${personRef('w')} from app.people w where w.org_id = ${sql.ref(org)} and w.id = min(v.value)::uuid)
        else to_json(min(v.value)) end as value
      from ${table(type)} v where v.org_id = ${sql.ref(org)} and ${record(type)} = ${sql.ref(id)} and v.field_id = any (${known('ids')}::uuid[])
      group by v.field_id) x)`
}

/** The fields that a list request filters or sorts by; none of them costs nothing. */
export async function fieldsAsked(
  context: Pick<CallerContext, 'read'>,
  type: RecordType,
  texts: readonly (string | undefined)[],
): Promise<Field[]> {
  if (!texts.some((text) => text?.includes(fieldPrefix))) return []
  const rows = await context.read(fieldsQuery(type))
  return listable(rows.map((row) => row.item))
}

/** The key of a field that is named as a column; a view may name one that was archived since, or that is not the reader's, which shows nothing. */
export function columnKey(name: string): string | undefined {
  const key = name.startsWith(fieldPrefix) ? FieldKey.safeParse(name.slice(fieldPrefix.length)) : undefined
  return key?.success ? key.data : undefined
}

/** The row of a list, which is JSON, with the values of the fields that `columns` names. */
export function withFields<Row>(
  row: RawBuilder<Row>,
  type: RecordType,
  org: string,
  id: string,
  columns: string | undefined,
): RawBuilder<Row> {
  const names = [...new Set((columns ?? '').split(',').map((name) => name.trim()))].filter(Boolean).sort()
  const keys = names.map((name) => {
    const key = columnKey(name)
    if (key === undefined)
      throw problem('BAD_REQUEST', fault('columns', 'columns', `There is no further column “${name}”; name fields as fields.key.`))
    return key
  })
  return keys.length === 0 ? row : sql`(${row}::jsonb || jsonb_build_object('fields', ${listedValues(type, org, id, keys)}))`
}

/** The same within a transaction, for what a filter speaks of. */
export const fieldsOfFilter = async (db: ActorDb, type: RecordType, asked: unknown): Promise<Field[]> =>
  JSON.stringify(asked ?? null).includes(fieldPrefix) ? listable(await readFields(db, type)) : []

/** What only one's own record tells cannot be asked of a list. */
const listable = (fields: readonly Field[]) => fields.filter((field) => !field.archivedAt && field.reach !== 'own')
export const listableFields = async (db: ActorDb, type: RecordType) => listable(await readFields(db, type))

export const fieldNamed = (fields: readonly Field[], name: string): Field | undefined =>
  name.startsWith(fieldPrefix) ? fields.find((field) => `${fieldPrefix}${field.key}` === name) : undefined

/** Who only reads the values of some records starts from these, instead of asking of every value whether it is theirs. */
const within = (type: RecordType, { reach, sensitive }: Field): RawBuilder<unknown> =>
  reach === 'some' && type === 'people'
    ? sql` and ${record(type)} in (select w.person_id from app.people_within(${sql.lit(sensitive ? fieldRecords[type].sensitive : fieldRecords[type].kept)}) w)`
    : sql``

const cellKinds: Partial<Record<Field['type'], ExportField['kind']>> = { number: 'number', date: 'date', flag: 'flag', choices: 'words' }

/** Cells of exports, each under the label of its field, which an import knows again. */
export const fieldCells = (type: RecordType, fields: readonly Field[], org: string, id: string): ExportField[] =>
  fields.map((field) => {
    const shown =
      field.type === 'choice' || field.type === 'choices' ? sql`c.label` : field.type === 'person' ? sql`w.display_name` : sql`v.value`
    const rows = sql`from ${table(type)} v
      left join app.field_choices c on c.org_id = v.org_id and c.field_id = v.field_id and c.id::text = v.value
      ${field.type === 'person' ? sql`left join app.people w on w.org_id = v.org_id and w.id = v.value::uuid` : sql``}
      where ${ofRecord(type, field, org, id)}`
    const cell =
      field.type === 'choices'
        ? sql`(select coalesce(json_agg(${shown} order by c.place), '[]') ${rows})`
        : field.type === 'number' || field.type === 'flag'
          ? sql`(select v.value::json ${rows})`
          : sql`(select ${shown} ${rows})`
    return exportField(`${fieldPrefix}${field.key}`, field.label, cell, cellKinds[field.type] ?? 'text')
  })

// Filtering -------------------------------------------------------------------------------------------------------------------------

/** How records with a value are found: `join` leaves it to the planner, `walk` looks at each record on the way, `set` collects them first. */
export type ValueForm = 'join' | 'walk' | 'set'

/** Values of one record, by the whole key where it has one value: so it is found without any statistics, as after an import. */
const ofRecord = (type: RecordType, field: Field, org: string, id: string): Condition =>
  sql`v.org_id = ${sql.ref(org)} and ${record(type)} = ${sql.ref(id)} and v.field_id = ${idOf(field)} and v.slot ${field.type === 'choices' ? sql`>=` : sql`=`} ''`

/** Conditions on the record whose key is `id`, by the fields' names in lists. */
export const fieldFilters = (
  type: RecordType,
  fields: readonly Field[],
  org: string,
  id: string,
  form: ValueForm = 'join',
): Record<string, FilterField> =>
  Object.fromEntries(fields.map((field) => [`${fieldPrefix}${field.key}`, filterOf(type, field, org, id, form)]))

/** What a value's key is to be: any of these, or between two ends, which count unless it is `beyond` them. Nothing said: any value. */
type Keys = { any?: RawBuilder<unknown>; from?: RawBuilder<unknown>; until?: RawBuilder<unknown>; beyond?: boolean }

const keyIn = ({ any, from, until, beyond = false }: Keys): Condition =>
  sql`${any ? sql`v.key = any (${any})` : sql`true`}${from ? sql` and v.key ${beyond ? sql`>` : sql`>=`} ${from}` : sql``}${
    until ? sql` and v.key ${beyond ? sql`<` : sql`<=`} ${until}` : sql``
  }`

const compared = ['is', 'isNot', 'before', 'after', 'between', 'empty', 'notEmpty'] as const
const chosen = ['is', 'isNot', 'in', 'notIn', 'empty', 'notEmpty'] as const
const opsOf: Record<Field['type'], FilterField['ops']> = {
  text: textOps,
  url: textOps,
  number: compared,
  date: compared.filter((op) => op !== 'isNot'),
  flag: ['is', 'empty', 'notEmpty'],
  choice: chosen,
  choices: chosen,
  person: chosen,
}
/** Who does not have a value: everybody but those who do. */
const opposites: Partial<Record<FilterOp, FilterOp>> = { isNot: 'is', notIn: 'in', empty: 'notEmpty' }

/** The keys that a condition asks for, which their index finds; null for any other condition. */
function keysOf(field: Field, op: FilterOp, value: FilterCondition['value'], refuse: Refuse): Keys | null {
  if (op === 'notEmpty') return {}
  const keyOf = (one: string) => sql`app.field_key(${sql.lit(field.type)}, ${one})`
  const only = (key: RawBuilder<unknown>): Keys => ({ any: sql`array[${key}]` })
  switch (field.type) {
    case 'text':
    case 'url': {
      if (op !== 'is' && op !== 'startsWith') return null
      // Blind to case and accents.
      const key = keyOf(textValue(value, refuse))
      return op === 'is' ? only(key) : { from: key, until: sql`${key} || ${sql.lit(String.fromCodePoint(0x10ffff))}` }
    }
    case 'number':
    case 'date': {
      const read = (one: unknown): RawBuilder<unknown> => {
        if (field.type === 'date') return sql`${dateValue(typeof one === 'string' ? one : undefined, refuse)}`
        const [number = '', ...others] = stored(field, typeof one === 'number' ? one : null)
        return number && others.length === 0 ? keyOf(number) : refuse('Enter a number with up to 4 decimals.')
      }
      if (op === 'is') return only(read(value))
      if (op === 'before') return { until: read(value), beyond: true }
      if (op === 'after') return { from: read(value), beyond: true }
      if (op !== 'between') return null
      if (!Array.isArray(value) || value.length !== 2) return refuse('Give two values: from and to.')
      return { from: read(value[0]), until: read(value[1]) }
    }
    case 'flag':
      if (op !== 'is') return null
      return value === true || value === 'true' || value === false || value === 'false'
        ? only(sql`${String(value)}`)
        : refuse('Choose true or false.')
    case 'choice':
    case 'choices':
    case 'person':
      return op === 'is' || op === 'in' ? { any: sql`${idValues(value, refuse).map((one) => one.toLowerCase())}::text[]` } : null
  }
}

function filterOf(type: RecordType, field: Field, org: string, id: string, form: ValueForm): FilterField {
  const rows = (condition: Condition) => sql`from ${table(type)} v where v.field_id = ${idOf(field)} and ${condition}${within(type, field)}`
  const own = sql`from ${table(type)} v where ${ofRecord(type, field, org, id)}`
  // offset 0 has the values of each record looked up by the record, and then compared: the index of keys would be gone through for each.
  const holds = (condition: Condition): Condition => sql`exists (select from (select v.key, v.value ${own} offset 0) v where ${condition})`
  const some = (condition: Condition): Condition =>
    form === 'walk'
      ? holds(condition)
      : form === 'set'
        ? sql`${sql.ref(id)} = any (array(select ${record(type)} ${rows(condition)}))`
        : sql`${sql.ref(id)} in (select ${record(type)} ${rows(condition)})`
  const containsAny = (texts: readonly string[]) =>
    some(sql`v.key like any (array(select app.like_pattern(app.fold(x)) from unnest(${texts}::text[]) x))`)
  return {
    ops: opsOf[field.type],
    ...((field.type === 'text' || field.type === 'url') && { containsAny }),
    where(op, value, refuse) {
      const positive = opposites[op]
      const keys = keysOf(field, positive ?? op, value, refuse)
      if (!keys) return containsAny([textValue(value, refuse)])
      const asked = keyIn(keys)
      // Who does not have a value is met on the way, mostly soon.
      return positive ? sql`not ${holds(asked)}` : some(asked)
    },
  }
}

const stored = (field: Field, given: FieldChange[string]): readonly string[] => {
  const read = readValue({ ...field, required: false }, given)
  return isFault(read) ? [] : read
}

export type CommonValue = {
  /** Whether so many records have such a value that meeting them on the way is quicker than collecting them. */
  many: Condition
  /** Rows of values that meet the condition, called `v`, in which no record stands twice; null where one may. */
  rows: RawBuilder<unknown> | null
  /** How those few are found whom no index of keys finds; `rest` is asked of them then. */
  few: Condition | null
  /** What else the filter asks for. */
  rest: Filter
}

/** A value that everybody in the list has, or lacks, as far as the filter says so in a group of its own; null where it does not. What keys answer comes first. */
export function commonValue(type: RecordType, fields: readonly Field[], filter: Filter | undefined, id: string): CommonValue | null {
  const alone = (filter?.and ?? []).flatMap(({ or }, nth) => {
    const [only] = or
    const field = only && or.length === 1 ? fieldNamed(fields, only.field) : undefined
    if (!filter || !only || !field || !opsOf[field.type].includes(only.op)) return []
    return [{ only, field, refuse: refusing(`filter.and.${nth}.or.0`, only.field), rest: { and: filter.and.toSpliced(nth, 1) } }]
  })
  for (const { only, field, refuse, rest } of alone) {
    const keys = keysOf(field, only.op, only.value, refuse)
    if (!keys) continue
    const { any = sql`null`, from = sql`null`, until = sql`null` } = keys
    const single = field.type !== 'choices' || only.op === 'is'
    return {
      many: sql`(select app.field_common(${sql.lit(type)}, ${idOf(field)}, ${any}::text[], ${from}::text, ${until}::text))`,
      rows: single ? sql`${table(type)} v where v.field_id = ${idOf(field)}${within(type, field)} and ${keyIn(keys)}` : null,
      few: null,
      rest,
    }
  }
  if (type !== 'people') return null
  for (const { only, field, refuse, rest } of alone) {
    if (only.op === 'contains') return commonText(field, textValue(only.value, refuse), rest, id)
    if (only.op === 'empty') {
      return {
        many: sql`(select app.people_lack_common(${idOf(field)}))`,
        rows: null,
        few: sql`${sql.ref(id)} = any (array(select app.people_without(${idOf(field)})))`,
        rest,
      }
    }
  }
  return null
}

/** Below a policy no index finds parts of texts: functions of the database do. */
function commonText(field: Field, text: string, rest: Filter, id: string): CommonValue {
  const patterns = sql`array[app.like_pattern(app.fold(${text}))]`
  const found = (most: RawBuilder<unknown>) => sql`app.people_with_text(${idOf(field)}, ${patterns}, ${most})`
  return {
    many: sql`(select app.people_text_common(${idOf(field)}, ${patterns}))`,
    // Some of them are archived, or otherwise not in the list.
    rows:
      rest.and.length === 0
        ? sql`(select (select app.org_id()) as org_id, x as person_id from ${found(sql.lit(2 * countLimit))} x) v`
        : null,
    few: sql`${sql.ref(id)} = any (array(select ${found(sql`null`)}))`,
    rest,
  }
}

// Sorting ---------------------------------------------------------------------------------------------------------------------------

/** Types that a list can be sorted by. */
export const sortable = ({ type }: Field) => type !== 'choices' && type !== 'person'

const placed = sql`lpad(c.place::text, 3, '0')`

/** What a record is sorted by, of one record; null without a value. */
export const fieldSortKey = (type: RecordType, field: Field, org: string, id: string): RawBuilder<unknown> =>
  field.type === 'choice'
    ? sql`(select ${placed} from ${table(type)} v join app.field_choices c on c.org_id = v.org_id and c.field_id = v.field_id and c.id = v.value::uuid
        where ${ofRecord(type, field, org, id)})`
    : sql`(select v.key from ${table(type)} v where ${ofRecord(type, field, org, id)})`

/** The order of a short list by a field, records without a value last; undefined where the sort names no field. */
export function fieldOrder(type: RecordType, fields: readonly Field[], sort: string | undefined, org: string, id: string) {
  const descending = sort?.startsWith('-') ?? false
  const field = fieldNamed(fields.filter(sortable), sort?.slice(descending ? 1 : 0) ?? '')
  const last = sql.lit(descending ? '' : String.fromCodePoint(0x10ffff))
  return field && { key: sql`coalesce(${fieldSortKey(type, field, org, id)}, ${last} collate "C")`, descending }
}

type Walk = {
  /** A record of the feature's own: a table that is called `p` in its conditions. */
  from: RawBuilder<unknown>
  where: Condition
  /** Where the page before ended. */
  after: readonly [key: unknown, id: unknown] | null
  descending: boolean
  limit: number
}

/**
 * Records with a value in the order of a field, as `id` and `key`: along the index of values, which ends early. Choices go one after the other in their
 * own order, so that putting them in another order writes no value.
 */
export function walkByField(type: RecordType, field: Field, { from, where, after, descending, limit }: Walk): RawBuilder<unknown> {
  const direction = descending ? sql`desc` : sql`asc`
  const beyond = descending ? sql`<` : sql`>`
  // offset 0: from the values to their records, never the other way round.
  const joined = sql`${table(type)} v cross join lateral (select p.id from ${from} p where p.org_id = v.org_id and p.id = ${record(type)} and ${where} offset 0) p`
  const rows = sql`v.field_id = ${idOf(field)}${within(type, field)}`
  const most = sql.lit(limit)
  if (field.type !== 'choice') {
    const onward = after ? sql`(v.key, ${record(type)}) ${beyond} (${after[0]}::text, ${after[1]}::uuid)` : sql`true`
    return sql`(select p.id, v.key as key from ${joined} where ${rows} and ${onward} order by v.key ${direction}, ${record(type)} ${direction} limit ${most})`
  }
  const onward = after
    ? sql`(${placed} ${beyond} ${after[0]} or (${placed} = ${after[0]} and ${record(type)} ${beyond} ${after[1]}::uuid))`
    : sql`true`
  return sql`(select o.id, o.key from app.field_choices c cross join lateral (
      select p.id, ${placed} as key from ${joined} where v.key = c.id::text and ${rows} and ${onward} order by ${record(type)} ${direction} limit ${most}) o
    where c.field_id = ${idOf(field)} order by o.key ${direction}, o.id ${direction} limit ${most})`
}

/** Records without a value, as far as the caller may read. */
export const withoutValue = (type: RecordType, field: Field, org: string, id: string): Condition =>
  sql`not exists (select from ${table(type)} v where ${ofRecord(type, field, org, id)})`

// Writing ---------------------------------------------------------------------------------------------------------------------------

type Target = { type: RecordType; orgId: string; recordId: string; isNew?: boolean }

const unknownField: Fault = { code: 'unknown_field', message: 'There is no such field.' }

/** Sets values of a record; what is left out stays. Every fault of every field is said at once. */
export async function saveFields(db: ActorDb, { type, orgId, recordId, isNew = false }: Target, change: FieldChange): Promise<void> {
  const fields = (await readFields(db, type)).filter((field) => !field.archivedAt)
  const named = Object.entries(change).map(([key, given]) => ({ key, given, field: fields.find((one) => one.key === key) }))
  const { rows } = await sql<{ fieldId: string; value: string }>`select v.field_id as "fieldId", v.value from ${table(type)} v
    where v.org_id = ${orgId} and ${record(type)} = ${recordId}`.execute(db)
  const present = Map.groupBy(rows, (row) => row.fieldId)
  const faults: FieldFault[] = []
  const wanted: { field: Field; before: string[]; after: readonly string[] }[] = []
  for (const { key, given, field } of named) {
    const before = field ? (present.get(field.id) ?? []).map((row) => row.value) : []
    const read = field ? readValue(field, given, before) : unknownField
    if (isFault(read)) faults.push({ path: `fields.${key}`, ...read })
    else if (field) wanted.push({ field, before, after: read })
  }
  if (isNew) {
    for (const field of fields)
      if (field.required && field.reach !== 'own' && !Object.hasOwn(change, field.key))
        faults.push({ path: `fields.${field.key}`, ...missing(field) })
  }
  const people = [...new Set(wanted.flatMap(({ field, after }) => (field.type === 'person' ? after : [])))]
  if (people.length > 0) {
    const seen = await sql<{ id: string }>`select id from app.people where id = any (${people}::uuid[])`.execute(db)
    for (const { field, after } of wanted)
      if (field.type === 'person' && after.some((id) => !seen.rows.some((row) => row.id === id)))
        faults.push({ path: `fields.${field.key}`, code: 'field_person', message: 'Choose a person.' })
  }
  const [first] = faults
  if (first) {
    const { code, message, params } = first
    throw problem('UNPROCESSABLE_CONTENT', { reason: code, detail: message, ...(params && { params }), errors: faults })
  }
  for (const one of wanted) await writeValue(db, { type, orgId, recordId }, one)
}

async function writeValue(
  db: ActorDb,
  { type, orgId, recordId }: Target,
  { field, before, after }: { field: Field; before: readonly string[]; after: readonly string[] },
): Promise<void> {
  const refused = () =>
    problem(
      'FORBIDDEN',
      fault(`fields.${field.key}`, 'field_kept', `“${field.label}” is not yours to change.`, { params: { label: field.label } }),
    )
  const at = sql`v.org_id = ${orgId} and ${record(type)} = ${recordId} and v.field_id = ${field.id}`
  const gone = before.filter((value) => !after.includes(value))
  const fresh = after.filter((value) => !before.includes(value))
  const [old] = gone
  const [next] = fresh
  if (field.type !== 'choices' && old !== undefined && next !== undefined) {
    const { rows } = await sql`update ${table(type)} v set value = ${next} where ${at} returning 1`.execute(db)
    if (rows.length === 0) throw refused()
    return
  }
  if (gone.length > 0) {
    const { rows } = await sql`delete from ${table(type)} v where ${at} and v.value = any (${gone}) returning 1`.execute(db)
    if (rows.length < gone.length) throw refused()
  }
  if (fresh.length === 0) return
  await sql`insert into ${table(type)} (org_id, ${sql.ref(fieldRecords[type].record)}, field_id, value)
    select ${orgId}, ${recordId}, ${field.id}, x from unnest(${fresh}::text[]) x`
    .execute(db)
    .catch((error: unknown) => {
      throw error instanceof Error && 'code' in error && error.code === '42501' ? refused() : error
    })
}
