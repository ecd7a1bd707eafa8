import { fieldFault } from '@guildhall/contract/reasons'
import type * as z from 'zod'
import { reasonText } from './reason-text.ts'

/** What the contract says against the values of a form, by field and in the reader's language. */
export const faultsOf = (shape: z.ZodType, values: unknown): Record<string, string> => {
  const parsed = shape.safeParse(values)
  if (parsed.success) return {}
  // The first of several faults of a field is the one to say.
  return Object.fromEntries(
    parsed.error.issues
      .toReversed()
      .map(fieldFault)
      .flatMap(({ path, code, params, message }) => (path === '' ? [] : [[path, reasonText(code, params) ?? message]])),
  )
}

/** The contract's rules as those of a form. */
export const formRules = (shape: z.ZodType) => (values: unknown) => faultsOf(shape, values)
