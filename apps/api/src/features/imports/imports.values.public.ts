// How a text of another system is read for a field of ours: the same for files and for connections.
export { ownRule } from './planning/imports.drafts.rules.ts'
export { detectDateOrder, parseDate } from './mapping/imports.dates.rules.ts'
export { fieldRules } from './mapping/imports.fields.rules.ts'
export { cellFault, cleanCell, readValue, saysNothing } from './mapping/imports.values.rules.ts'
export type { FieldRule } from './mapping/imports.values.rules.ts'
export { isRowFault, isPassing, rowFault } from './running/imports.faults.rules.ts'
export { createSniffer } from './reading/imports.encoding.rules.ts'
export { csvOptions, detectSeparator } from './reading/imports.table.rules.ts'
