import * as z from 'zod/mini'

export const GroupsSearch = z.object({
  q: z.catch(z.optional(z.string()), undefined),
  new: z.catch(z.optional(z.literal(1)), undefined),
})
export type GroupsSearch = z.infer<typeof GroupsSearch>

/** A group has no tab in its path, so the tab is here. */
export const GroupPageSearch = z.object({ view: z.catch(z.optional(z.string()), undefined) })
export type GroupPageSearch = z.infer<typeof GroupPageSearch>
