import { asText, searchParams } from '../../platform/navigation/search-params.ts'

/** Of communication: what is searched in the open tab. */
export const CommunicationSearch = searchParams({
  q: asText(200),
})
export type CommunicationSearch = ReturnType<typeof CommunicationSearch>
