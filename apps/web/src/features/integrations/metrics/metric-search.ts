import { asDay, asFlag, asOneOf, asText, searchParams } from '../../../platform/navigation/search-params.ts'

const spans = ['7', '30', '90', '365'] as const
export type Span = (typeof spans)[number]
/** Written unquoted in an address, a span arrives as a number. */
const asSpan = (value: unknown): Span | undefined => spans.find((span) => span === asText(3)(value))

/** Of the page of a metric: the last so many days or two days, how it is drawn, and the open dialog. */
export const MetricSearch = searchParams({
  days: asSpan,
  from: asDay,
  to: asDay,
  bucket: asOneOf('hour', 'week'),
  compare: asFlag,
  split: asFlag,
  open: asOneOf('alert', 'note'),
})
export type MetricSearch = ReturnType<typeof MetricSearch>
