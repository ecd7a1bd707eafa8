import { asFlag, asId, asOneOf, asText, searchParams } from '../../platform/navigation/search-params.ts'
import { listSearch } from '../lists/list-search-public.ts'
import { filterFrom } from '../../ui/filter/filter.ts'
import type { Filter } from '../../ui/filter/filter.ts'

/** Whom the list of people shows, to make an audience of. */
function asPeople(value: unknown): { q?: string; filter?: Filter } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const q = 'q' in value ? asText(200)(value.q) : undefined
  const filter = 'filter' in value ? filterFrom(value.filter) : undefined
  return { ...(q && { q }), ...(filter && { filter }) }
}

/** Of communication: what is searched in the open tab, which record of it is open, and what a new audience begins with. */
export const CommunicationSearch = searchParams({
  ...listSearch,
  open: asText(40),
  state: asText(20),
  new: asFlag,
  announcement: asId,
  automation: asId,
  people: asPeople,
  message: asId,
  /** Of a message: whose mails ended so are listed beside it, and of those left out, why. */
  outcome: asOneOf(
    'all',
    'queued',
    'sent',
    'delivered',
    'soft_bounce',
    'hard_bounce',
    'complaint',
    'failed',
    'unknown',
    'skipped',
    'cancelled',
  ),
  reason: asText(60),
})
export type CommunicationSearch = ReturnType<typeof CommunicationSearch>
