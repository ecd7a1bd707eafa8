type Reader = (value: unknown) => unknown
type Shape = Readonly<Record<string, Reader>>

/**
 * What an address says about a page. Each reader gives the value, or undefined for what makes no sense: a mistyped or old link
 * still opens its page. Small and by hand, because every route's description is part of the first page.
 */
export const searchParams =
  <Known extends Shape>(shape: Known) =>
  (given: Record<string, unknown>): { [Name in keyof Known]?: ReturnType<Known[Name]> } => {
    const read: { [Name in keyof Known]?: ReturnType<Known[Name]> } = {}
    // Every name, also what is undefined: the router lays this over the raw address, where the nonsense would otherwise stay.
    for (const name in shape) Reflect.set(read, name, shape[name]?.(given[name]))
    return read
  }

/** Numbers and booleans too: an unquoted `?q=42` reaches us as a number. */
export const asText =
  (longest = 1000) =>
  (value: unknown): string | undefined => {
    const text = typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
    return text !== undefined && text.length <= longest ? text : undefined
  }

export const asTexts = (value: unknown): string[] | undefined =>
  isArray(value) && value.every((part) => typeof part === 'string') ? value : undefined

/** `?new=1` */
export const asFlag = (value: unknown): 1 | undefined => (value === 1 || value === '1' || value === true ? 1 : undefined)

export const asOneOf =
  <const Known extends string>(...known: Known[]) =>
  (value: unknown): Known | undefined =>
    known.find((candidate) => candidate === value)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
export const asId = (value: unknown): string | undefined => (typeof value === 'string' && uuid.test(value) ? value : undefined)

/** A day that exists: 2026-11-30. */
export const asDay = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00Z`).getUTCDate() === Number(value.slice(8))
    ? value
    : undefined

const isArray = (value: unknown): value is unknown[] => Array.isArray(value)
