import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type Values = { [column: string]: Json }
/** One row that was or is to be written. `before` and `after` hold the changed columns of an update and are null for a new row. */
export type RowChange = { table: string; key: Record<string, string>; before: Values | null; after: Values | null }

type ColumnType = 'text' | 'uuid' | 'date' | 'int' | 'boolean' | 'text[]' | 'jsonb'
/** A table as set-based writes see it: its key besides org_id and the columns they may set, with what stands there when nothing is given. */
export type TableShape = {
  table: string
  key: readonly string[]
  columns: Record<string, { type: ColumnType; empty?: Json }>
  /** Functions of the database that write rows which nobody may write by themselves: each takes a list of rows, or of keys. */
  through?: { insert: string; remove: string }
}

/** Fewer rows were written than asked for: row-level security held some back. */
export class RowsHeldBack extends Error {
  readonly table: string
  constructor(table: string) {
    super(`rows of ${table} are not this actor's to change`)
    this.table = table
  }
}

const name = (shape: TableShape) => sql.table(`app.${shape.table}`)

function read(json: RawBuilder<unknown>, column: string, type: ColumnType): RawBuilder<unknown> {
  if (type === 'jsonb') return sql`${json} -> ${sql.lit(column)}`
  if (type === 'text[]') return sql`array(select jsonb_array_elements_text(${json} -> ${sql.lit(column)}))`
  if (type === 'text') return sql`${json} ->> ${sql.lit(column)}`
  return sql`(${json} ->> ${sql.lit(column)})::${sql.raw(type)}`
}

/** Inserts many rows with one statement, in the order given; columns that a row leaves out take the shape's empty value. */
export async function insertRows(db: ActorDb, orgId: string, shape: TableShape, rows: readonly Values[]): Promise<void> {
  if (rows.length === 0) return
  if (shape.through) {
    await sql`select ${sql.raw(shape.through.insert)}(${JSON.stringify(rows)}::jsonb)`.execute(db)
    return
  }
  const columns = [...shape.key.filter((column) => !(column in shape.columns)), ...Object.keys(shape.columns)]
  const complete = rows.map((row) =>
    Object.fromEntries(columns.map((column) => [column, row[column] ?? shape.columns[column]?.empty ?? null])),
  )
  const json = sql`x.v`
  const values = columns.map((column) => read(json, column, shape.columns[column]?.type ?? 'uuid'))
  await sql`
    insert into ${name(shape)} (org_id, ${sql.join(columns.map((column) => sql.ref(column)))})
    select ${orgId}::uuid, ${sql.join(values)}
    from jsonb_array_elements(${JSON.stringify(complete)}::jsonb) with ordinality x (v, place) order by x.place`.execute(db)
}

/** Sets the given columns of many rows with one statement; columns that a row leaves out stay. */
export async function updateRows(
  db: ActorDb,
  orgId: string,
  shape: TableShape,
  rows: readonly { key: Record<string, string>; after: Values }[],
) {
  if (rows.length === 0) return
  const columns = Object.keys(shape.columns).filter((column) => rows.some(({ after }) => column in after))
  const sets = columns.map((column) => {
    const next = read(sql`(x.v -> 'after')`, column, shape.columns[column]?.type ?? 'text')
    return sql`${sql.ref(column)} = case when x.v -> 'after' ? ${sql.lit(column)} then ${next} else ${sql.ref(`t.${column}`)} end`
  })
  const { numAffectedRows } = await sql`
    update ${name(shape)} t set ${sql.join(sets)}
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) x (v)
    where t.org_id = ${orgId}::uuid and ${sameKey(shape)}`.execute(db)
  if (Number(numAffectedRows ?? 0) < rows.length) throw new RowsHeldBack(shape.table)
}

/** Removes rows by key; those that are gone already do not matter. */
export async function deleteRows(db: ActorDb, orgId: string, shape: TableShape, keys: readonly Record<string, string>[]): Promise<number> {
  if (keys.length === 0) return 0
  if (shape.through) {
    const { rows } = await sql<{ removed: number }>`
      select ${sql.raw(shape.through.remove)}(${JSON.stringify(keys.map((key) => ({ key })))}::jsonb) as removed`.execute(db)
    return rows[0]?.removed ?? 0
  }
  const { numAffectedRows } = await sql`
    delete from ${name(shape)} t using jsonb_array_elements(${JSON.stringify(keys.map((key) => ({ key })))}::jsonb) x (v)
    where t.org_id = ${orgId}::uuid and ${sameKey(shape)}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Rows as they are now, beside their keys; missing or hidden ones are left out. */
export async function readRows(db: ActorDb, orgId: string, shape: TableShape, keys: readonly Record<string, string>[]) {
  if (keys.length === 0) return []
  const { rows } = await sql<{ key: Record<string, string>; row: Values }>`
    select x.v -> 'key' as key, to_jsonb(t) as row
    from ${name(shape)} t join jsonb_array_elements(${JSON.stringify(keys.map((key) => ({ key })))}::jsonb) x (v) on ${sameKey(shape)}
    where t.org_id = ${orgId}::uuid`.execute(db)
  return rows
}

const sameKey = (shape: TableShape) =>
  sql.join(
    shape.key.map((column) => sql`${sql.ref(`t.${column}`)} = ${read(sql`(x.v -> 'key')`, column, shape.columns[column]?.type ?? 'uuid')}`),
    sql` and `,
  )

/** Writes changes table by table in the order of the shapes: parents come before what refers to them. */
export async function writeChanges(
  db: ActorDb,
  orgId: string,
  shapes: readonly TableShape[],
  changes: readonly RowChange[],
): Promise<void> {
  for (const shape of shapes) {
    const mine = changes.filter((change) => change.table === shape.table)
    await insertRows(
      db,
      orgId,
      shape,
      mine.flatMap(({ key, before, after }) => (before === null && after ? [{ ...after, ...key }] : [])),
    )
    // A row that is changed twice in one statement would keep only one of the changes.
    const merged = new Map<string, { key: Record<string, string>; after: Values }>()
    for (const { key, before, after } of mine) {
      if (before === null || after === null) continue
      const id = JSON.stringify(key)
      merged.set(id, { key, after: { ...merged.get(id)?.after, ...after } })
    }
    await updateRows(db, orgId, shape, [...merged.values()])
  }
}

/** What the ledger keeps of a change: a new row needs no content to be taken back. */
export const remembered = (change: RowChange): RowChange => (change.before === null ? { ...change, after: null } : change)
