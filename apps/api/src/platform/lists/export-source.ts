import type { NewExport } from '@guildhall/contract/features/lists'
import type { RawBuilder, SqlBool } from 'kysely'
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
  fields: readonly ExportField[]
  /** Whether the caller may export this list at all; further limits stand in `rows`. */
  may(request: ExportRequest): RawBuilder<boolean>
  /** Refuses what cannot be asked for: an unknown filter field, a sort that is none. */
  rows(request: ExportRequest): ExportRows
}
