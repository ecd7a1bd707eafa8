import * as z from 'zod'

const Procedure = z.object({
  '~orpc': z.object({
    route: z.object({ operationId: z.string(), summary: z.string(), successStatus: z.int() }),
    meta: z.object({
      needs: z.string(),
      ifMatch: z.boolean().optional(),
      recentSignIn: z.boolean().optional(),
      upload: z.boolean().optional(),
      idempotent: z.boolean().optional(),
      perHour: z.int().optional(),
      readsPeople: z.int().optional(),
    }),
  }),
})
export type Declared = { path: string; procedure: z.infer<typeof Procedure>['~orpc'] }

/** Every procedure of a contract with its place. */
export function proceduresOf(part: unknown, path: string): Declared[] {
  const parsed = Procedure.safeParse(part)
  if (parsed.success) return [{ path, procedure: parsed.data['~orpc'] }]
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, inner]) => proceduresOf(inner, `${path}.${key}`))
}
