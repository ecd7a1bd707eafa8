import * as z from 'zod/mini'
import { listSearch } from '../lists/list-search-public.ts'

/** Everything the list shows is in its address; a value that makes no sense is dropped instead of failing the page. */
export const PeopleSearch = z.object({
  ...listSearch,
  panel: z.catch(z.optional(z.string()), undefined),
  new: z.catch(z.optional(z.literal(1)), undefined),
  import: z.catch(z.optional(z.literal(1)), undefined),
})
export type PeopleSearch = z.infer<typeof PeopleSearch>
