import type { ImportKind } from '@guildhall/contract/features/imports'
import { isId } from '../../../platform/records/is-id.ts'

/**
 * Columns of our own exports, exactly as they are headed, and what an import takes them for. Null: calculated, or kept by another list, and left
 * out on the way in. A test compares this with the columns that each list has.
 */
export const exportedColumns: Record<ImportKind, Record<string, string | null>> = {
  people: {
    'Display name': null,
    'Given name': 'givenName',
    'Middle name': 'middleName',
    'Family name': 'familyName',
    Suffix: 'suffix',
    'Preferred name': 'preferredName',
    'Former name': 'formerName',
    Pronouns: 'pronouns',
    'Member number': 'memberNo',
    Lifecycle: 'lifecycle',
    Chapter: 'chapterCode',
    'Chapter code': 'chapterCode',
    Affiliation: 'affiliationKind',
    'Member since': 'memberSince',
    'Member until': 'memberUntil',
    'All chapters': null,
    'Joined on': 'joinedOn',
    'Graduation year': 'gradYear',
    Employer: 'employer',
    'Job title': 'jobTitle',
    Email: 'email',
    'All e-mails': 'email',
    Phone: 'phone',
    'All phones': 'phone',
    'External ids': 'externalIds',
    Street: 'street',
    'Postal code': 'postalCode',
    City: 'city',
    Region: 'region',
    Country: 'country',
    Website: 'website',
    Tags: 'tag',
    Offices: null,
    Groups: null,
    // Memberships and invoices have files of their own.
    'Type of membership': null,
    'Status of membership': null,
    'Term start': null,
    'Term end': null,
    'Auto-renewal': null,
    'Open dues': null,
    'Lifetime giving': null,
    'Given this year': null,
    'Last gift': null,
    'Birth date': 'birthDate',
    Gender: 'gender',
    'Deceased on': 'deceasedOn',
    'Office note': 'note',
    Bio: 'bio',
    Language: 'language',
    'Do not contact': 'doNotContact',
    'Archived at': null,
    'Created at': null,
    'Updated at': null,
    'Record id': 'recordId',
  },
  chapters: {
    Name: 'name',
    Code: 'code',
    Parent: 'parentCode',
    'Parent code': 'parentCode',
    Level: 'level',
    Status: 'status',
    Members: null,
    City: 'city',
    'Contact email': 'contactEmail',
    Website: 'website',
    Timezone: 'timezone',
    Tags: 'tag',
    'Chartered on': 'charteredOn',
    'Closed on': 'closedOn',
    About: 'about',
    'Record id': null,
  },
  positions: {},
  groups: {
    Name: 'name',
    Code: 'code',
    Kind: 'kind',
    Chapter: 'chapterCode',
    'Chapter code': 'chapterCode',
    'Parent code': 'parentCode',
    Description: 'description',
    Visibility: 'visibility',
    'Join policy': 'joinPolicy',
    Members: null,
    Capacity: 'capacity',
    Website: 'website',
    Phone: 'phone',
    Tags: 'tag',
    'Archived at': null,
    'Created at': null,
    'Record id': 'recordId',
  },
  group_members: {
    Name: null,
    'Given name': null,
    'Family name': null,
    'Member number': 'memberNo',
    Chapter: null,
    Role: 'role',
    Title: 'title',
    Side: 'side',
    Rank: 'rank',
    From: 'startsOn',
    Until: 'endsOn',
    'Group code': 'groupCode',
    Email: null,
    Phone: null,
    'Group record id': 'groupRecordId',
    'Person record id': 'recordId',
  },
  memberships: {
    'Member number': 'memberNo',
    'Display name': null,
    Email: null,
    'Type of membership': 'membershipType',
    Chapter: 'chapterCode',
    'Chapter code': 'chapterCode',
    'Status of membership': 'membershipStatus',
    'Term start': 'startsOn',
    'Term end': 'endsOn',
    'Status of term': null,
    'Paid on': 'paidOn',
    Price: 'price',
    Currency: 'currency',
    'Auto-renewal': 'autoRenew',
    'Membership id': null,
    'Person record id': 'recordId',
  },
  invoices: {
    Number: 'number',
    Kind: null,
    State: null,
    'Billed to': null,
    'Billed chapter': 'debtorChapter',
    'Member number': 'memberNo',
    'Chapter code': null,
    For: 'text',
    'Issued on': 'issuedOn',
    Due: 'dueOn',
    'Paid on': 'paidOn',
    Line: null,
    Text: null,
    Net: null,
    'Tax rate': null,
    Tax: null,
    Gross: null,
    Currency: 'currency',
    'Chapter share': null,
    'Share of chapter': null,
    'Total of invoice': 'total',
    'Balance of invoice': null,
    'Invoice id': null,
    'Person record id': 'recordId',
  },
  registrations: {
    Name: 'fullName',
    Email: 'email',
    Status: 'registrationStatus',
    Ticket: null,
    Price: null,
    Currency: null,
    'To refund': null,
    Answers: null,
    'Guest of': null,
    Source: null,
    'Waiting list': null,
    'Registered at': null,
    'Checked in at': null,
    Reason: null,
    'Member number': 'memberNo',
    Event: 'eventTitle',
    'Event starts at': null,
    'Registration id': null,
    'Event record id': 'eventId',
    'Person record id': 'recordId',
  },
  gifts: {
    Donor: 'donorName',
    'Donor email': 'email',
    'Member number': 'memberNo',
    Amount: 'amount',
    Refunded: null,
    Counted: null,
    'Fee covered': null,
    Currency: 'currency',
    Status: null,
    Method: 'method',
    Source: null,
    'Received on': 'receivedOn',
    Reference: 'reference',
    Campaign: 'campaign',
    Fund: 'fund',
    Recurring: null,
    Anonymous: 'isAnonymous',
    Tribute: 'tributeKind',
    'Tribute name': 'tributeName',
    Message: 'message',
    Note: 'note',
    Receipt: null,
    'Thanked at': null,
    Chapter: null,
    'Chapter code': null,
    Test: null,
    'Foreign id': 'foreignId',
    'Created at': null,
    'Gift record id': 'giftRecordId',
    'Person record id': 'recordId',
  },
  relationships: {
    Type: null,
    'Type key': 'relationshipType',
    First: null,
    'First member number': 'fromMemberNo',
    'First chapter': null,
    Second: null,
    'Second member number': 'toMemberNo',
    'Second chapter': null,
    Status: 'relationshipState',
    'First day': 'startsOn',
    'Last day': 'endsOn',
    Note: 'note',
    'Verified at': null,
    'Created at': null,
    'Relationship record id': 'relationshipRecordId',
    'First record id': 'fromRecordId',
    'Second record id': 'toRecordId',
  },
}

/** A field of the organisation, as a column is headed. */
export type OwnColumn = { key: string; label: string }
export const ownTarget = (own: readonly OwnColumn[], header: string): string | undefined => {
  const found = own.filter(({ label, key }) => [label, key].some((word) => word.toLowerCase() === header.trim().toLowerCase()))
  return found.length === 1 && found[0] ? `field:${found[0].key}` : undefined
}

/** A name that only says again what a code beside it says. */
const namesOfCodes: Record<string, string> = { Chapter: 'Chapter code', Parent: 'Parent code' }

/**
 * What each column is in a file that one of our exports wrote: all its headers are ours, but for the fields of the organisation, which stand after the
 * record's id; null for a file of another kind.
 */
export function exportedTargets(kind: ImportKind, headers: readonly string[], own: readonly OwnColumn[] = []): (string | null)[] | null {
  const columns = exportedColumns[kind]
  const last = headers.findLastIndex((header) => header.endsWith('ecord id'))
  const built = headers.slice(0, last + 1)
  const named = (built.length > 0 ? built : headers).filter((header) => header !== '')
  if (named.length === 0 || !named.every((header) => Object.hasOwn(columns, header))) return null
  return headers.map((header, index) =>
    index > last && last >= 0
      ? (ownTarget(own, header) ?? null)
      : named.includes(namesOfCodes[header] ?? '\0')
        ? null
        : (columns[header] ?? null),
  )
}

/** Whether a file names records as only an export does; its texts are then what is stored, however odd they look. */
export const namesRecords = (headers: readonly string[]) =>
  headers.some((header) => /^(?:Person r|Group r|Gift r|First r|R)ecord id$/.test(header))

/** Headers of an export of ours that are left out on the way in. */
export const leftOut = (kind: ImportKind, headers: readonly string[], own: readonly OwnColumn[]): string[] =>
  exportedTargets(kind, headers, own)?.flatMap((target, index) => (target === null && headers[index] ? [headers[index]] : [])) ?? []

/** The id of a record as an export gives it; anything else means nothing here. */
export const recordId = (text: string | undefined): string | null => (text !== undefined && isId(text) ? text.toLowerCase() : null)
