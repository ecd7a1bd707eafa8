export {
  commonValue,
  columnKey,
  fieldCells,
  fieldFilters,
  fieldNamed,
  fieldOrder,
  fieldSortKey,
  fieldValues,
  fieldsAsked,
  fieldsOfFilter,
  listableFields,
  listedValues,
  saveFields,
  sortable,
  walkByField,
  withFields,
  withoutValue,
} from './fields.values.queries.ts'
export { choicesInUse, fieldTables, heldValues, peopleByNumber, removeUnusedChoices } from './fields.import.queries.ts'
export type { HeldValue } from './fields.import.queries.ts'
export { fieldsQuery, readFields } from './fields.queries.ts'
export { readValue as readFieldValue } from './fields.values.rules.ts'
export type { ValueForm } from './fields.values.queries.ts'
export { applyFieldChange, fieldTargets, mayChangeField, readFieldChange, revertFieldChange } from './fields.bulk.queries.ts'
