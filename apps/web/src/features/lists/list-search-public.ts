import { asOneOf, asText, asTexts } from '../../platform/navigation/search-params.ts'
import { filterFrom } from '../../ui/filter/filter.ts'

/** Columns that were drawn wider or narrower, in pixels. */
function asWidths(value: unknown): Record<string, number> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const known = Object.entries(value).filter(
    (entry): entry is [string, number] => Number.isInteger(entry[1]) && entry[1] >= 40 && entry[1] <= 1200,
  )
  return known.length > 0 ? Object.fromEntries(known) : undefined
}

/**
 * What the address says about a list; whatever makes no sense is dropped instead of failing the page. A value that is absent is the
 * chosen view's own, so `?view=…` alone is the view as saved, and an empty text or filter overrides one the view has.
 */
export const listSearch = {
  view: asText(100),
  q: asText(200),
  filter: filterFrom,
  sort: asText(40),
  columns: asTexts,
  layout: asOneOf('table', 'cards'),
  widths: asWidths,
}
export type ListSearch = { [Key in keyof typeof listSearch]?: ReturnType<(typeof listSearch)[Key]> | undefined }
