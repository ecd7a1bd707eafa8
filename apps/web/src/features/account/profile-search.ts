import * as z from 'zod/mini'

export const ProfileSearch = z.object({ section: z.catch(z.optional(z.string()), undefined) })
export type ProfileSearch = z.infer<typeof ProfileSearch>
