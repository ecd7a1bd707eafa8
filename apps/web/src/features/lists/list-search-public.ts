import { asOneOf, asText, asTexts } from '../../platform/search-params.ts'
import { filterFrom } from '../../ui/filter.ts'

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
}
export type ListSearch = { [Key in keyof typeof listSearch]?: ReturnType<(typeof listSearch)[Key]> | undefined }
