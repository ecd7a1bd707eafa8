import * as z from 'zod/mini'

const asText = z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String))
const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])
const Condition = z.object({
  field: z.string(),
  op: z.enum(['is', 'isNot', 'in', 'notIn', 'contains', 'startsWith', 'before', 'after', 'between', 'empty', 'notEmpty']),
  value: z.optional(Value),
})
const Filter = z.object({ and: z.array(z.object({ or: z.array(Condition).check(z.minLength(1)) })) })

/**
 * What the address says about a list; whatever makes no sense is dropped instead of failing the page. A value that is absent is the
 * chosen view's own, so `?view=…` alone is the view as saved, and an empty text or filter overrides one the view has.
 */
export const listSearch = {
  view: z.catch(z.optional(asText), undefined),
  q: z.catch(z.optional(asText), undefined),
  filter: z.catch(z.optional(Filter), undefined),
  sort: z.catch(z.optional(z.string()), undefined),
  columns: z.catch(z.optional(z.array(z.string())), undefined),
  layout: z.catch(z.optional(z.enum(['table', 'cards'])), undefined),
}
export type ListSearch = { [Key in keyof typeof listSearch]?: z.infer<(typeof listSearch)[Key]> | undefined }
