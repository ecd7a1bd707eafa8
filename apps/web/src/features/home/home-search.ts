import * as z from 'zod/mini'

export const HomeSearch = z.object({
  scope: z.catch(z.optional(z.enum(['me', 'chapter', 'organisation'])), undefined),
  chapter: z.catch(z.optional(z.uuid()), undefined),
})
export type HomeSearch = z.infer<typeof HomeSearch>
