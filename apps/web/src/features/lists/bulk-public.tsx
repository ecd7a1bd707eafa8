// Changing many records of a list at once: the toolbar of whatever is selected.
export { BulkBar } from './bulk/bulk-actions.tsx'
export type { BulkAction, BulkOf } from './bulk/bulk-actions.tsx'
export { toSelection } from './bulk/bulk-selection.ts'
export { useBulkRun } from './bulk/use-bulk-run.ts'
