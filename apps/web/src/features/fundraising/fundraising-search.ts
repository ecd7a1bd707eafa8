import { asFlag, asId, asOneOf, asText, searchParams } from '../../platform/navigation/search-params.ts'
import { listSearch } from '../lists/list-search-public.ts'

export const CampaignsSearch = searchParams({
  ...listSearch,
  new: asFlag,
  /** Of the figures; this year unless stated. */
  period: asOneOf('months', 'last'),
})
export type CampaignsSearch = ReturnType<typeof CampaignsSearch>

/** Of a campaign, and of the tabs across campaigns. */
export const FundraisingSearch = searchParams({
  ...listSearch,
  /** What the open tab narrows its list by, which record of it is open beside the list, and which of its dialogs. */
  open: asId,
  state: asText(40),
  segment: asText(40),
  person: asId,
  chapter: asId,
  new: asFlag,
  batch: asFlag,
  archived: asFlag,
  /** Dialogs of the campaign itself. */
  give: asFlag,
  start: asFlag,
  share: asFlag,
  /** Of the giving page: which field to begin with, and the page in place of the form. */
  field: asText(40),
  preview: asFlag,
  /** Back from the payment page: the gift, and whether its payer has left that page without paying. */
  given: asId,
  cancelled: asFlag,
})
export type FundraisingSearch = ReturnType<typeof FundraisingSearch>
