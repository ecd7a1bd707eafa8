import * as z from 'zod/mini'

/** Dialogs and the roster's filter, in the address of a chapter. */
export const ChapterSearch = z.object({
  new: z.catch(z.optional(z.literal(1)), undefined),
  q: z.catch(z.optional(z.string().check(z.maxLength(200))), undefined),
  kind: z.catch(z.optional(z.enum(['member', 'alumni', 'advisor', 'friend', 'applicant'])), undefined),
  below: z.catch(z.optional(z.literal(1)), undefined),
})
export type ChapterSearch = z.infer<typeof ChapterSearch>
