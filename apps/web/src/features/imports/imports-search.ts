import { asId, asOneOf, searchParams } from '../../platform/search-params.ts'

/** Which import is open, and which kind a new one is to be: part of the address of account-management/imports. */
export const ImportsSearch = searchParams({
  file: asId,
  kind: asOneOf('chapters', 'people', 'positions', 'groups', 'group_members'),
})
export type ImportsSearch = ReturnType<typeof ImportsSearch>
