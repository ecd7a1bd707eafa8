import type { Field, RecordType } from '@guildhall/contract/features/fields'
import type { NewExport } from '@guildhall/contract/features/lists'
import type { Filter } from '@guildhall/contract/shapes'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { List } from './list-page.ts'
import type { CellKind } from '../files/table-writer.ts'

/** A column of an export: SQL of one cell, in the terms of the source's `from`. What the caller may not see, it leaves empty. */
export type ExportField = { key: string; header: string; kind: CellKind; cell: RawBuilder<unknown> }
export type ExportRequest = Pick<NewExport, 'selection' | 'sort' | 'groupId'>
/** Which rows, in which order: pieces of one SELECT. `id` tells rows apart. */
export type ExportRows = {
  id: RawBuilder<unknown>
  from: RawBuilder<unknown>
  where: readonly RawBuilder<SqlBool>[]
  order: readonly RawBuilder<unknown>[]
  descending: boolean
}
/** A list that can be exported: what its feature says of it, and the lists feature writes to files. */
export type ExportSource = {
  /** The same with fields of the organisation, where its records have some. */
  withFields?: { of: RecordType; add(fields: readonly Field[]): ExportSource }
  fields: readonly ExportField[]
  /** Whether the caller may export this list at all; further limits stand in `rows`. */
  may(request: ExportRequest): RawBuilder<boolean>
  /** Refuses what cannot be asked for: an unknown filter field, a sort that is none. */
  rows(request: ExportRequest): ExportRows
}

/** A column of an export, text unless stated. */
export const exportField = (key: string, header: string, cell: RawBuilder<unknown>, kind: CellKind = 'text'): ExportField => ({
  key,
  header,
  kind,
  cell,
})

/** The rows that a list shows and no others: ticked ones, or all that match less some. */
export const exportRows = (
  { selection }: ExportRequest,
  id: RawBuilder<unknown>,
  { from, where, order, descending = false }: List<unknown>,
): ExportRows => {
  const chosen =
    'ids' in selection ? sql<SqlBool>`${id} = any (${selection.ids}::uuid[])` : sql<SqlBool>`${id} <> all (${selection.except}::uuid[])`
  return { id, from, where: [...where, chosen], order, descending }
}

/** Exports a list of records to those who hold people.export anywhere; `own` where its records have fields of the organisation. */
export function listExport(
  id: RawBuilder<unknown>,
  list: (question: {
    q?: string | undefined
    filter?: Filter | undefined
    sort?: string | undefined
    fields?: readonly Field[]
  }) => List<unknown>,
  fields: readonly ExportField[],
  own?: { of: RecordType; cells: (fields: readonly Field[]) => ExportField[] },
): ExportSource {
  const source = (further: readonly Field[]): ExportSource => ({
    fields: [...fields, ...(own?.cells(further) ?? [])],
    may: () => sql`((select app.everywhere('people.export')) or (select app.scope('people.export')) <> '{}')`,
    rows: (request) =>
      exportRows(request, id, list({ ...('all' in request.selection ? request.selection.all : {}), sort: request.sort, fields: further })),
  })
  return { ...source([]), ...(own && { withFields: { of: own.of, add: source } }) }
}
