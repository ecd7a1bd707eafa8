import { fault, problem } from '../procedures/problem.ts'

/** Reads `name` or `-name`; a field that a list cannot be sorted by is refused by name. */
export function readSort<Field extends string>(
  sort: string | undefined,
  fields: readonly Field[],
  usual: Field,
): { by: Field; descending: boolean } {
  if (!sort) return { by: usual, descending: false }
  const descending = sort.startsWith('-')
  const by = fields.find((field) => field === (descending ? sort.slice(1) : sort))
  if (by) return { by, descending }
  throw problem('BAD_REQUEST', fault('sort', 'sort', `This list cannot be sorted by “${sort}”; use one of ${fields.join(', ')}.`))
}
