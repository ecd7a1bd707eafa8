import { asFlag, asOneOf, asText, searchParams } from '../../platform/navigation/search-params.ts'
import { listSearch } from '../lists/list-search-public.ts'

export const GroupsSearch = searchParams({
  ...listSearch,
  new: asFlag,
  /** Titles over all groups in place of the groups: "who chairs what". */
  titles: asFlag,
})
export type GroupsSearch = ReturnType<typeof GroupsSearch>

/** A group has no tab in its path, so the tab is here. */
export const GroupPageSearch = searchParams({
  view: asText(40),
  q: asText(200),
  status: asOneOf('active', 'requested', 'invited', 'former'),
})
export type GroupPageSearch = ReturnType<typeof GroupPageSearch>
