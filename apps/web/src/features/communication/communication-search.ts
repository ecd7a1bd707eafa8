import { asFlag, asId, asText, searchParams } from '../../platform/navigation/search-params.ts'
import { listSearch } from '../lists/list-search-public.ts'

/** Of communication: what is searched in the open tab, and which record of it is open. */
export const CommunicationSearch = searchParams({
  ...listSearch,
  open: asText(40),
  state: asText(20),
  new: asFlag,
  announcement: asId,
  automation: asId,
})
export type CommunicationSearch = ReturnType<typeof CommunicationSearch>
