import * as z from 'zod/mini'

/** Which import is open, and which kind a new one is to be: part of the address of account-management/imports. */
export const ImportsSearch = z.object({
  import: z.catch(z.optional(z.uuid()), undefined),
  kind: z.catch(z.optional(z.enum(['chapters', 'people', 'positions', 'groups', 'group_members'])), undefined),
})
export type ImportsSearch = z.infer<typeof ImportsSearch>
