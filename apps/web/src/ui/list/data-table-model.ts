import {
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
} from '@tanstack/react-table'
import type { ReactTable } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import type { Selection } from './selection.ts'

export type TableColumn<Row> = {
  id: string
  /** Its name, in the head, the column picker and the sort. */
  label: string
  cell: (row: Row) => ReactNode
  width?: number
  align?: 'start' | 'end'
  sortable?: boolean
  /** Tablets show only 1 (the default) and 2. */
  priority?: 1 | 2 | 3
}

export type Sort = { column: string; direction: 'asc' | 'desc' }

export type DataTableProps<Row extends object> = {
  /** Names the table for those who hear it: "Members". */
  label: string
  /** Keep this reference stable (module scope or useMemo), as the rows too. */
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  rowLabel: (row: Row) => string
  /** All that match, when known; the rows are only what was fetched. */
  total?: number | undefined
  /** Which columns, in which order; the first is pinned. All when left out. */
  shown?: readonly string[] | undefined
  widths?: Readonly<Record<string, number>> | undefined
  onWidthsChange?: ((widths: Record<string, number>) => void) | undefined
  sort?: Sort | undefined
  onSort?: ((sort: Sort) => void) | undefined
  selection?: Selection | undefined
  /** Enter, or a click on the row. */
  onOpen?: ((row: Row) => void) | undefined
  /** Space: look at it beside the list. Without it, Space does what Enter does. */
  onPeek?: ((row: Row) => void) | undefined
  /** The row whose record is open in the panel. */
  activeId?: string | undefined
  /** No rows yet: shows their shape. */
  loading?: boolean | undefined
  /** Rows of the former question while the next answer is on its way. */
  stale?: boolean | undefined
  hasMore?: boolean | undefined
  onMore?: (() => void) | undefined
  /** The last attempt to fetch more did not work: why, in a sentence, where that is known. */
  moreFailed?: boolean | string | undefined
  /** Two lines on a phone. */
  renderCard: (row: Row) => ReactNode
  /** In place of the rows when there are none: an EmptyState or ErrorState. */
  empty: ReactNode
}

export const features = tableFeatures({ columnOrderingFeature, columnResizingFeature, columnSizingFeature, columnVisibilityFeature })
export type TableModel = ReactTable<typeof features, object>
