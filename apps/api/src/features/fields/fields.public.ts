export {
  commonValue,
  fieldCells,
  fieldFilters,
  fieldNamed,
  fieldOrder,
  fieldSortKey,
  fieldValues,
  fieldsAsked,
  fieldsOfFilter,
  listableFields,
  saveFields,
  sortable,
  walkByField,
  withoutValue,
} from './fields.values.queries.ts'
export type { ValueForm } from './fields.values.queries.ts'
