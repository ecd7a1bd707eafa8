import { t } from '@lingui/core/macro'
import type { Import, ImportKind, ImportRow, ImportSummary } from './imports-api.ts'

export const kindWords = (): Record<ImportKind, string> => ({
  chapters: t`Chapters`,
  people: t`People`,
  positions: t`Offices and terms`,
  groups: t`Groups`,
  group_members: t`Group members`,
  memberships: t`Memberships`,
  invoices: t`Past invoices`,
  registrations: t`Event registrations`,
  gifts: t`Past gifts`,
  relationships: t`Relationships`,
})

/** What a row of each kind of file is about, as the head of a column. */
export const nameWords = (): Record<ImportKind, string> => ({
  chapters: t`Chapter`,
  people: t`Person`,
  positions: t`Office and term`,
  groups: t`Group`,
  group_members: t`Group member`,
  memberships: t`Term of a membership`,
  invoices: t`Invoice`,
  registrations: t`Registration`,
  gifts: t`Gift`,
  relationships: t`Relationship`,
})

/** What belongs into a file of each kind, for whoever has read nothing. */
export const kindHints = (): Record<ImportKind, string> => ({
  chapters: t`The tree: code, name, and the parent chapter's code`,
  people: t`Names, member numbers, contact data, chapter, tags`,
  positions: t`Who held which office in which chapter, from when to when`,
  groups: t`Committees, teams and interest groups`,
  group_members: t`Who sits in which group, with title and rank`,
  memberships: t`Who held which membership: one row per term, with its dates and what was paid`,
  invoices: t`Invoices of another system, with their numbers there and what was paid`,
  registrations: t`Who registered for which event, and who attended past ones`,
  gifts: t`Gifts that another system or a spreadsheet kept: who gave how much, when and for what`,
  relationships: t`Pairs of people: guardian and child, big and little, mentor and mentee`,
})

/** The order in which files find what they refer to. */
export const kindOrder: readonly ImportKind[] = [
  'chapters',
  'people',
  'positions',
  'groups',
  'group_members',
  'memberships',
  'invoices',
  'registrations',
  'gifts',
  'relationships',
]

export const statusWords = (): Record<ImportSummary['status'], string> => ({
  uploaded: t`Not checked yet`,
  checking: t`Checking`,
  checked: t`Checked`,
  running: t`Importing`,
  done: t`Imported`,
  failed: t`Failed`,
  cancelled: t`Stopped`,
  undoing: t`Being undone`,
  undone: t`Undone`,
  partly_undone: t`Partly undone`,
})

export const outcomeWords = (): Record<ImportRow['outcome'], string> => ({
  create: t`New`,
  update: t`Changed`,
  unchanged: t`Unchanged`,
  skip: t`Skipped`,
  reject: t`Rejected`,
  removed: t`Removed`,
  restored: t`Restored`,
  kept: t`Kept`,
})

/** What a column can stand for, in the reader's words. */
export const fieldWords = (): Record<string, string> => ({
  ignore: t`Leave out`,
  recordId: t`Record id of an export`,
  groupRecordId: t`Group record id of an export`,
  tag: t`Tag`,
  code: t`Code`,
  name: t`Name`,
  parentCode: t`Parent code`,
  level: t`Level`,
  status: t`Status`,
  about: t`About`,
  city: t`City`,
  contactEmail: t`E-mail`,
  website: t`Website`,
  timezone: t`Time zone`,
  charteredOn: t`Chartered on`,
  closedOn: t`Closed on`,
  memberNo: t`Member number`,
  externalId: t`External id`,
  externalIds: t`External ids, each as system:id`,
  link: t`Profile link`,
  fullName: t`Full name`,
  givenName: t`Given name`,
  middleName: t`Middle name`,
  familyName: t`Family name`,
  suffix: t`Suffix`,
  preferredName: t`Preferred name`,
  formerName: t`Former name`,
  pronouns: t`Pronouns`,
  email: t`E-mail`,
  phone: t`Telephone`,
  street: t`Street`,
  region: t`State or region`,
  postalCode: t`Postal code`,
  country: t`Country`,
  birthDate: t`Birth date`,
  gender: t`Gender`,
  deceasedOn: t`Died on`,
  note: t`Note`,
  lifecycle: t`Status`,
  joinedOn: t`Joined on`,
  gradYear: t`Graduation year`,
  employer: t`Employer`,
  jobTitle: t`Job title`,
  bio: t`About`,
  language: t`Language`,
  doNotContact: t`Do not contact`,
  chapterCode: t`Chapter code`,
  affiliationKind: t`Affiliation`,
  memberSince: t`Member since`,
  memberUntil: t`Member until`,
  title: t`Title`,
  startsOn: t`First day`,
  endsOn: t`Last day`,
  kind: t`Kind`,
  description: t`About`,
  visibility: t`Visibility`,
  joinPolicy: t`Join policy`,
  capacity: t`Capacity`,
  groupCode: t`Group code`,
  role: t`Role`,
  side: t`Side`,
  rank: t`Rank`,
  membershipType: t`Membership type`,
  membershipStatus: t`Status`,
  price: t`Price paid`,
  currency: t`Currency`,
  paidOn: t`Paid on`,
  debtorChapter: t`Chapter billed`,
  number: t`Invoice number`,
  issuedOn: t`Issued on`,
  dueOn: t`Due on`,
  text: t`Text`,
  lines: t`Lines, each with text and amount`,
  total: t`Total`,
  paidAmount: t`Amount paid`,
  method: t`Payment method`,
  autoRenew: t`Renews automatically`,
  eventId: t`Event id`,
  eventTitle: t`Event`,
  eventStartsOn: t`Date of the event`,
  ticketType: t`Ticket`,
  registrationStatus: t`Status`,
  registeredOn: t`Registered on`,
  checkedInAt: t`Check-in time`,
  giftRecordId: t`Gift record id of an export`,
  foreignId: t`Gift id in the other system`,
  donorName: t`Donor without a record`,
  amount: t`Amount`,
  receivedOn: t`Received on`,
  campaign: t`Campaign`,
  fund: t`Fund`,
  reference: t`Reference`,
  isAnonymous: t`Anonymous`,
  tributeKind: t`Kind of tribute`,
  tributeName: t`In honour or memory of`,
  message: t`Message of the donor`,
  relationshipRecordId: t`Relationship record id of an export`,
  relationshipType: t`Type of relationship`,
  relationshipState: t`Status`,
  fromRecordId: t`First person: record id of an export`,
  fromMemberNo: t`First person: member number`,
  fromEmail: t`First person: e-mail`,
  fromExternalId: t`First person: external id`,
  fromName: t`First person: full name`,
  toRecordId: t`Second person: record id of an export`,
  toMemberNo: t`Second person: member number`,
  toEmail: t`Second person: e-mail`,
  toExternalId: t`Second person: external id`,
  toName: t`Second person: full name`,
  field: t`Fields of the organisation`,
})

export function targetWord(target: string): string {
  const service = /^link:(.+)$/.exec(target)?.[1]
  const system = /^externalId:(.+)$/.exec(target)?.[1]
  const field = /^field:(.+)$/.exec(target)?.[1]
  if (field) return t`Field: ${field}`
  if (system) return t`External id (${system})`
  return service ? t`Link: ${service}` : (fieldWords()[target] ?? target)
}

/** A field in what a row changes: there is no column any more, so it is called after what it holds. */
export function changedFieldWord(kind: ImportKind, field: string): string {
  if (field === 'parentCode') return kind === 'chapters' ? t`Parent chapter` : t`Parent group`
  if (field === 'chapterCode') return t`Chapter`
  if (field === 'seats') return t`Seats`
  if (field === 'link') return t`Link`
  return targetWord(field)
}

/** A kind of change, such as `email:add`. */
export function changeWord(kind: ImportKind, change: string): string {
  const [field = '', how] = change.split(':')
  if (change === 'parentCode:change') return kind === 'chapters' ? t`Chapter moved` : t`Group moved`
  const word = changedFieldWord(kind, field)
  return how === 'add' ? t`${word} added` : how === 'remove' ? t`${word} removed` : t`${word} changed`
}

/** Words for values that come from a list. */
export function valueWord(kind: ImportKind, field: string, value: string): string {
  const lists: Record<string, Record<string, string>> = {
    lifecycle: { prospect: t`Prospect`, active: t`Active`, alumni: t`Alumni`, former: t`Former`, deceased: t`Deceased` },
    affiliationKind: { member: t`Member`, alumni: t`Alumni`, advisor: t`Advisor`, friend: t`Friend`, applicant: t`Applicant` },
    doNotContact: { true: t`Yes`, false: t`No` },
    level: { national: t`National body`, region: t`Region`, district: t`District`, chapter: t`Chapter`, club: t`Club` },
    status: {
      prospective: t`Prospective`,
      active: t`Active`,
      probation: t`On probation`,
      suspended: t`Suspended`,
      dormant: t`Dormant`,
      closed: t`Closed`,
    },
    kind: {
      committee: t`Committee`,
      subcommittee: t`Subcommittee`,
      interest: t`Interest group`,
      cohort: t`Cohort`,
      team: t`Team`,
      list: t`List`,
    },
    role: { leader: t`Leader`, moderator: t`Moderator`, member: t`Member` },
    joinPolicy: { open: t`Open to join`, request: t`On request`, invite: t`By invitation` },
    membershipStatus: { active: t`Active`, grace: t`In grace`, lapsed: t`Lapsed`, cancelled: t`Cancelled`, lifetime: t`Lifetime` },
    autoRenew: { true: t`Yes`, false: t`No` },
    method: { bank_transfer: t`Bank transfer`, cash: t`Cash`, cheque: t`Cheque`, card: t`Card`, other: t`Other` },
    isAnonymous: { true: t`Yes`, false: t`No` },
    tributeKind: { honour: t`In honour of`, memory: t`In memory of` },
    relationshipState: { active: t`Active`, ended: t`Ended`, proposed: t`Proposed`, rejected: t`Rejected` },
    registrationStatus: { registered: t`Registered`, waiting: t`On the waiting list`, cancelled: t`Cancelled`, attended: t`Attended` },
    visibility: { public: t`Everybody signed in`, members: t`Members`, private: t`Private`, secret: t`Secret` },
  }
  return lists[kind === 'people' && field === 'status' ? 'lifecycle' : field]?.[value] ?? value
}

export const dateOrderWords = (): Record<NonNullable<Import['format']['dateOrder']>, string> => ({
  ymd: t`Year, month, day (2026-03-04)`,
  dmy: t`Day, month, year (04.03.2026)`,
  mdy: t`Month, day, year (03/04/2026)`,
})
