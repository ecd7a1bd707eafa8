import * as z from 'zod/mini'
import { listSearch } from '../lists/list-search-public.ts'

export const GroupsSearch = z.object({
  ...listSearch,
  new: z.catch(z.optional(z.literal(1)), undefined),
  /** Titles over all groups in place of the groups: "who chairs what". */
  titles: z.catch(z.optional(z.literal(1)), undefined),
})
export type GroupsSearch = z.infer<typeof GroupsSearch>

/** A group has no tab in its path, so the tab is here. */
export const GroupPageSearch = z.object({
  view: z.catch(z.optional(z.string()), undefined),
  q: z.catch(z.optional(z.string().check(z.maxLength(200))), undefined),
  status: z.catch(z.optional(z.enum(['active', 'requested', 'invited', 'former'])), undefined),
})
export type GroupPageSearch = z.infer<typeof GroupPageSearch>
