import { asId, asOneOf, asText, searchParams } from '../../platform/search-params.ts'

/** Of account-management: what is searched, which account is open, which import. */
export const AccountSearch = searchParams({
  q: asText(200),
  account: asId,
  file: asId,
  kind: asOneOf('chapters', 'people', 'positions', 'groups', 'group_members'),
})
export type AccountSearch = ReturnType<typeof AccountSearch>
