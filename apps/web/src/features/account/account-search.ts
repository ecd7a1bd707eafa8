import { asDay, asId, asOneOf, asText, searchParams } from '../../platform/navigation/search-params.ts'

/** Of account-management: what is searched, which account is open, which import, what is asked of the audit log or of outgoing mail. */
export const AccountSearch = searchParams({
  q: asText(200),
  account: asId,
  file: asId,
  kind: asOneOf('chapters', 'people', 'positions', 'groups', 'group_members'),
  by: asId,
  person: asId,
  chapter: asId,
  group: asId,
  record: asText(40),
  action: asOneOf('create', 'update', 'delete', 'export', 'import', 'undo', 'sign_in'),
  state: asOneOf('queued', 'sending', 'sent', 'failed', 'suppressed', 'unknown'),
  mail: asOneOf('access-request', 'charge-failed', 'contact', 'digest', 'invitation', 'notification', 'term-ending'),
  to: asText(320),
  from: asDay,
  until: asDay,
})
export type AccountSearch = ReturnType<typeof AccountSearch>
