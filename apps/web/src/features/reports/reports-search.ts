import { asDay, asFlag, asId, asText, asTexts, searchParams } from '../../platform/navigation/search-params.ts'
import { filterFrom } from '../../ui/filter/filter.ts'

/** Values of a row's dimensions; null is the row where nothing is known. */
const asKeys = (value: unknown): (string | null)[] | undefined =>
  Array.isArray(value) ? value.map((key) => asText()(key) ?? null) : undefined

/** A day; `ever` is everything that was ever recorded. */
const asDayOrEver = (value: unknown): string | undefined => (value === 'ever' ? value : asDay(value))

/** Of all pages of reports: what is asked, and which panel is open. reports-question.ts says what of it makes sense for a report. */
export const ReportsSearch = searchParams({
  q: asText(200),
  category: asText(20),
  subject: asText(20),
  filter: filterFrom,
  group: asTexts,
  measure: asTexts,
  picture: asText(20),
  span: asText(20),
  since: asDay,
  until: asDay,
  compare: asFlag,
  chapter: asId,
  asOf: asDayOrEver,
  by: asText(20),
  /** The question of a saved report is another one than was saved. */
  changed: asFlag,
  /** The figure whose list is open: the keys of its row, and its measure. */
  keys: asKeys,
  of: asText(40),
  /** Which measure the picture shows. */
  shown: asText(40),
  run: asId,
  /** The open dialog or panel. */
  open: asText(20),
})
export type ReportsSearch = ReturnType<typeof ReportsSearch>
