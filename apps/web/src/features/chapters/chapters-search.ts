import { asFlag, asOneOf, asText, searchParams } from '../../platform/navigation/search-params.ts'

/** Dialogs and the roster's filter, in the address of a chapter. */
export const ChapterSearch = searchParams({
  new: asFlag,
  q: asText(200),
  kind: asOneOf('member', 'alumni', 'advisor', 'friend', 'applicant'),
  below: asFlag,
})
export type ChapterSearch = ReturnType<typeof ChapterSearch>
