import { asFlag, asId, asOneOf, searchParams } from '../../platform/navigation/search-params.ts'
import { listSearch } from '../lists/list-search-public.ts'

/** Dialogs, the roster's filter the list of chapters below, invoices and payments, in the address of a chapter. */
export const ChapterSearch = searchParams({
  ...listSearch,
  new: asFlag,
  kind: asOneOf('member', 'alumni', 'advisor', 'friend', 'applicant'),
  below: asFlag,
  invoice: asId,
  payment: asId,
})
export type ChapterSearch = ReturnType<typeof ChapterSearch>
