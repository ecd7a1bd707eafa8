import * as z from 'zod'
import { del, get, patch, post, put } from '../base.ts'
import { fieldBulkChanges, FieldChange, FieldsOfRow, FieldValues } from './fields.ts'
import { DuesOfRow, DuesState } from './finance.ts'
import { GivingOfRow } from './fundraising.donors.ts'
import { MembershipOfRow, MembershipStanding } from './membership.ts'
import { refusal } from '../reasons.ts'
import {
  CalendarDate,
  ChapterRef,
  Cursor,
  EmailAddress,
  GroupRef,
  Id,
  Instant,
  Limit,
  ListInput,
  PersonRef,
  TagRef,
  Version,
  lines,
  page,
  text,
} from '../shapes.ts'
import { bulkProcedures } from '../bulk.ts'

const tag = 'People'

export const Lifecycle = z.enum(['prospect', 'active', 'alumni', 'former', 'deceased', 'merged', 'erased'])
export type Lifecycle = z.infer<typeof Lifecycle>
/** What someone may set by hand; `merged` and `erased` come out of a merge and an erasure. */
export const SettableLifecycle = z.enum(['prospect', 'active', 'alumni', 'former', 'deceased'])
export const AffiliationKind = z.enum(['member', 'alumni', 'advisor', 'friend', 'applicant'])
/** Whether members see it in the directory, or officers only. */
export const VisibleTo = z.enum(['officers', 'members'])

// Filters and columns ---------------------------------------------------------------------------------------------------------------

/** What people can be filtered by; the kind says which operators apply (see `filterOps`). */
export const peopleFilterFields = {
  lifecycle: { kind: 'choice', options: Lifecycle.options },
  chapter: { kind: 'id', of: 'chapter' },
  homeChapter: { kind: 'id', of: 'chapter' },
  affiliationKind: { kind: 'choice', options: AffiliationKind.options },
  tag: { kind: 'id', of: 'tag' },
  position: { kind: 'text' },
  positionEver: { kind: 'text' },
  group: { kind: 'id', of: 'group' },
  groupTitle: { kind: 'text' },
  name: { kind: 'text' },
  memberNo: { kind: 'text' },
  employer: { kind: 'text' },
  jobTitle: { kind: 'text' },
  city: { kind: 'text' },
  country: { kind: 'text' },
  email: { kind: 'text' },
  joinedOn: { kind: 'date' },
  createdAt: { kind: 'date' },
  updatedAt: { kind: 'date' },
  gradYear: { kind: 'number' },
  hasEmail: { kind: 'flag' },
  hasPhone: { kind: 'flag' },
  doNotContact: { kind: 'flag' },
  archived: { kind: 'flag' },
  membershipType: { kind: 'id', of: 'membershipType' },
  membershipStatus: { kind: 'choice', options: MembershipStanding.options },
  termStart: { kind: 'date' },
  termEnd: { kind: 'date' },
  autoRenew: { kind: 'flag' },
  dues: { kind: 'choice', options: DuesState.options },
  givenLifetime: { kind: 'number' },
  givenThisYear: { kind: 'number' },
  lastGiftOn: { kind: 'date' },
} as const satisfies Record<
  string,
  { kind: 'choice' | 'id' | 'text' | 'date' | 'number' | 'flag'; options?: readonly string[]; of?: string }
>
export type PeopleFilterField = keyof typeof peopleFilterFields

/** Columns of the people list that come only when asked for, since they look at other tables. */
export const PeopleColumn = z.enum([
  'primaryEmail',
  'primaryPhone',
  'city',
  'country',
  'tags',
  'positions',
  'groups',
  'chapters',
  'membership',
  'dues',
  'giving',
])
export type PeopleColumn = z.infer<typeof PeopleColumn>
/** What the list can be sorted by; termEnd is the end of the membership that counts, match (best match for q, by name without q); put "-" in front to reverse the order. */
export const PeopleSort = z.enum(['name', 'givenName', 'joinedOn', 'createdAt', 'updatedAt', 'termEnd', 'match'])
export type PeopleSort = z.infer<typeof PeopleSort>

export const PeopleListInput = ListInput.extend({
  columns: z
    .string()
    .max(2000)
    .optional()
    .describe(
      'Further columns, separated by commas: primaryEmail, primaryPhone, city, country, tags, positions, groups, chapters, membership, dues, giving, and fields.key for fields of the organisation',
    ),
  sort: z
    .string()
    .max(40)
    .optional()
    .describe('name (default), givenName, joinedOn, createdAt, updatedAt, termEnd or fields.key; put "-" in front to reverse the order'),
}).meta({
  examples: [
    {
      q: 'smith',
      filter: '{"and":[{"or":[{"field":"lifecycle","op":"in","value":["active"]}]}]}',
      columns: 'primaryEmail,tags',
      sort: '-joinedOn',
      limit: 50,
    },
  ],
})
export type PeopleListInput = z.infer<typeof PeopleListInput>

const HeldNow = z.object({ positionId: Id, title: z.string(), chapter: ChapterRef })

export const PersonRow = z.object({
  id: Id,
  displayName: z.string(),
  givenName: z.string(),
  familyName: z.string(),
  preferredName: z.string(),
  suffix: z.string(),
  memberNo: z.string().nullable(),
  lifecycle: Lifecycle,
  homeChapter: ChapterRef.nullable(),
  joinedOn: CalendarDate.nullable(),
  gradYear: z.int().nullable(),
  employer: z.string(),
  jobTitle: z.string(),
  archivedAt: Instant.nullable(),
  version: Version,
  createdAt: Instant,
  updatedAt: Instant,
  pictureId: Id.nullable(),
  primaryEmail: z.string().nullable().optional().describe('Null when there is none or it is not yours to see'),
  primaryPhone: z.string().nullable().optional(),
  city: z.string().optional(),
  country: z.string().optional(),
  tags: z.array(TagRef).optional(),
  positions: z.array(HeldNow).optional().describe('Offices held today'),
  groups: z
    .array(GroupRef.extend({ title: z.string() }))
    .optional()
    .describe('Groups of today'),
  chapters: z
    .array(ChapterRef.extend({ kind: AffiliationKind }))
    .optional()
    .describe('Chapters of today'),
  membership: MembershipOfRow.nullable().optional().describe('Null when there is none or it is not yours to see'),
  dues: DuesOfRow.nullable().optional().describe('Null when nothing was invoiced or it is not yours to see'),
  giving: GivingOfRow.nullable().optional().describe('Null when they gave nothing or it is not yours to see'),
  fields: FieldsOfRow,
})
export type PersonRow = z.infer<typeof PersonRow>

// One person ------------------------------------------------------------------------------------------------------------------------

export const PersonEmail = z.object({ id: Id, address: z.string(), label: z.string(), isPrimary: z.boolean(), visibleTo: VisibleTo })
export const PersonPhone = z.object({ id: Id, number: z.string(), label: z.string(), isPrimary: z.boolean(), visibleTo: VisibleTo })
/** Which system an id of a person is from; "default" where nobody said. */
export const ExternalSystem = z
  .string()
  .regex(/^[a-z0-9_-]{1,40}$/)
  .meta({ examples: ['civicrm'] })
export const ExternalId = z.object({ system: ExternalSystem, externalId: z.string() })
export const PersonContact = z.object({
  street: z.string(),
  city: z.string(),
  region: z.string(),
  postalCode: z.string(),
  country: z.string(),
  website: z.string(),
  links: z.record(z.string(), z.string()).describe('Name of a service to a handle or address'),
  visibleTo: VisibleTo,
})
export const PersonPrivate = z.object({
  birthDate: CalendarDate.nullable(),
  gender: z.string(),
  deceasedOn: CalendarDate.nullable(),
})

export const When = z.enum(['past', 'current', 'future'])
export const Membership = z.object({
  id: Id,
  chapter: ChapterRef,
  kind: AffiliationKind,
  startsOn: CalendarDate,
  endsOn: CalendarDate.nullable(),
  isPrimary: z.boolean(),
  when: When,
  mayEdit: z.boolean(),
  version: Version,
})
export type Membership = z.infer<typeof Membership>
export const Holding = z.object({
  id: Id,
  positionId: Id,
  title: z.string(),
  chapter: ChapterRef,
  startsOn: CalendarDate,
  endsOn: CalendarDate.nullable(),
  when: When,
  note: z.string(),
  version: Version,
})
export const GroupMembership = z.object({
  id: Id,
  group: GroupRef,
  role: z.enum(['leader', 'moderator', 'member']),
  title: z.string(),
  side: z.string(),
  rank: z.int().nullable(),
  status: z.enum(['invited', 'requested', 'active', 'declined', 'removed']),
  startsOn: CalendarDate.nullable(),
  endsOn: CalendarDate.nullable(),
  when: When,
})

/** What the caller may do with this person; screens offer nothing else. */
export const PersonMay = z.object({
  edit: z.boolean().describe('Change names, dates, lifecycle and everything below'),
  editSelf: z.boolean().describe('This is the caller: preferred name, pronouns, work, bio and own contact data'),
  seeContact: z.boolean(),
  editContact: z.boolean(),
  seeSensitive: z.boolean(),
  editSensitive: z.boolean(),
  setMemberNo: z.boolean().describe('Assign the member number and external ids: the office only'),
  decide: z.boolean().describe('Set the status to former or deceased, or take a death back: in the home chapter'),
  setDeath: z.boolean().describe('Set or clear the day of death'),
  seeOfficeNote: z.boolean().describe('Never about oneself'),
  editOfficeNote: z.boolean(),
  keepNotes: z.boolean().describe('Read and write notes about the person; never about oneself'),
  archive: z.boolean().describe('Archive and restore: in the home chapter'),
  appoint: z.boolean().describe('Appoint to offices somewhere'),
  seeHistory: z.boolean(),
})

export const PeopleSummary = z.object({
  lifecycles: z.array(z.object({ lifecycle: Lifecycle, people: z.int() })).describe('The most frequent first'),
  joins: z.array(z.object({ month: z.string().describe('2026-11'), people: z.int() })).describe('Oldest first, this month last'),
})
export type PeopleSummary = z.infer<typeof PeopleSummary>

export const Person = PersonRow.omit({
  primaryEmail: true,
  primaryPhone: true,
  city: true,
  country: true,
  chapters: true,
  positions: true,
  groups: true,
  tags: true,
  membership: true,
  dues: true,
  giving: true,
  fields: true,
}).extend({
  fields: FieldValues.describe('Fields of the organisation, those with a value that is yours to see'),
  middleName: z.string(),
  formerNames: z.array(z.string()),
  pronouns: z.string(),
  bio: z.string(),
  language: z.string().nullable(),
  doNotContact: z.boolean(),
  isMinor: z.boolean(),
  restorableUntil: Instant.nullable().describe('Archived people can be restored until then'),
  mergedInto: PersonRef.nullable().describe(
    'The record that stands for this person since they were merged; null as well when it is not yours to see',
  ),
  emails: z.array(PersonEmail).describe('Those that are yours to see; the primary one first'),
  phones: z.array(PersonPhone),
  externalIds: z.array(ExternalId).describe('Ids in other systems, those that are yours to see; by the system'),
  contact: PersonContact.nullable().describe('Null when there is none or it is not yours to see'),
  private: PersonPrivate.nullable().describe('Null when there is none or it is not yours to see'),
  officeNote: z
    .string()
    .nullable()
    .describe('What officers note about the person. Null when it is not yours to see: nobody sees what is noted about them'),
  memberships: z.array(Membership),
  positions: z.array(Holding),
  groups: z.array(GroupMembership),
  tags: z.array(TagRef),
  may: PersonMay,
})
export type Person = z.infer<typeof Person>

/** Others as somebody they know of may look at a person: a member of another chapter, a member and an officer of an own one. */
export const Audience = z.enum(['elsewhere', 'chapter', 'officer'])
export type Audience = z.infer<typeof Audience>
export const AudienceView = z.object({
  audience: Audience,
  seesPerson: z.boolean().describe('Whether they find the person at all'),
  sees: z.array(VisibleTo).describe('Contact data of which visibility they see'),
})
export type AudienceView = z.infer<typeof AudienceView>

// Writing ---------------------------------------------------------------------------------------------------------------------------

const NameFields = {
  givenName: text(100),
  middleName: text(100),
  familyName: text(100),
  suffix: text(30),
  preferredName: text(100),
  formerNames: z.array(text(200, 1)).max(10, 'Keep at most 10 former names.'),
  pronouns: text(40),
}
const Facts = {
  ...NameFields,
  memberNo: text(50).nullable(),
  lifecycle: SettableLifecycle,
  joinedOn: CalendarDate.nullable(),
  gradYear: z.int().min(1900, 'Enter a year from 1900.').max(2100, 'Enter a year up to 2100.').nullable(),
  employer: text(150),
  jobTitle: text(150),
  bio: lines(2000),
  language: text(35).nullable(),
  doNotContact: z.boolean(),
}
/** A telephone number as people write it; stored as E.164 when it starts with + or the organisation's country is known. */
const PhoneNumber = text(40, 3).refine(
  (value) => /\d{3}/.test(value.replace(/[^\d]/g, '')),
  refusal('not_a_phone_number', 'Enter a telephone number.'),
)

export const NewEmail = z.strictObject({
  address: EmailAddress,
  label: text(40).default(''),
  isPrimary: z.boolean().optional(),
  visibleTo: VisibleTo.default('officers'),
})
export const NewPhone = z.strictObject({
  number: PhoneNumber,
  label: text(40).default(''),
  isPrimary: z.boolean().optional(),
  visibleTo: VisibleTo.default('officers'),
})
const ContactFields = {
  street: lines(300),
  city: text(100),
  region: text(100),
  postalCode: text(20),
  country: text(100),
  website: text(500).refine(
    (value) => value === '' || /^https?:\/\/[^\s]+$/i.test(value),
    refusal('not_a_web_address', 'Enter an address that starts with https://.'),
  ),
  links: z
    .record(text(40, 1), text(300, 1))
    .refine((links) => Object.keys(links).length <= 20, refusal('links_limit', 'Keep at most 20 links.', { max: 20 })),
  visibleTo: VisibleTo,
}
export const ContactChange = z.strictObject(ContactFields).partial()
export const PrivateChange = z
  .strictObject({ birthDate: CalendarDate.nullable(), gender: text(40), deceasedOn: CalendarDate.nullable() })
  .partial()

export const OfficeNote = z.strictObject({ note: lines(5000) })

export const NewPerson = z
  .strictObject({
    ...z.strictObject(Facts).partial().shape,
    chapterId: Id.optional().describe('The person becomes a member of this chapter today, or from startsOn'),
    affiliationKind: AffiliationKind.optional(),
    startsOn: CalendarDate.optional(),
    emails: z.array(NewEmail).max(10).optional(),
    phones: z.array(NewPhone).max(10).optional(),
    contact: ContactChange.optional(),
    private: PrivateChange.optional(),
    officeNote: OfficeNote.shape.note.optional(),
    tagIds: z.array(Id).max(50).optional(),
    fields: FieldChange.optional(),
  })
  .refine((person) => person.givenName || person.familyName, {
    path: ['familyName'],
    ...refusal('name_needed', 'Enter a given or a family name.'),
  })
  .meta({
    examples: [
      {
        givenName: 'Ada',
        familyName: 'Lovelace',
        chapterId: '01920000-0000-7000-8000-000000000001',
        emails: [{ address: 'ada@example.org', isPrimary: true }],
      },
    ],
  })
export type NewPerson = z.infer<typeof NewPerson>

export const PublicName = z
  .strictObject({
    shown: z.boolean().describe('Whether the name is shown'),
    withPicture: z.boolean().default(false).describe('Whether the picture is shown as well, beside a shown name'),
  })
  .meta({ examples: [{ shown: true, withPicture: false }] })

export const MemberCard = z.object({
  organisation: z.object({ name: z.string(), color: z.string(), onColor: z.string().describe('Black or white, readable on the colour') }),
  holder: z.object({ displayName: z.string(), memberNo: z.string().nullable(), pictureId: Id.nullable() }),
  membership: z
    .object({ chapter: ChapterRef, until: CalendarDate.nullable() })
    .nullable()
    .describe('What entitles the person to a card today; null for somebody who is no member'),
  card: z
    .object({
      id: Id,
      state: z.enum(['eligible', 'ended', 'revoked']).describe('ended: replaced, past its last day, or its holder is no member any more'),
      address: z.url().nullable().describe('What its code says: the public page that shows whether the card is valid. Null when it is not'),
      validUntil: CalendarDate,
      issuedAt: Instant,
      reason: z.string().describe('Why it was revoked; empty otherwise'),
    })
    .nullable()
    .describe('The last card issued'),
  may: z.object({ issue: z.boolean(), revoke: z.boolean() }),
})
export type MemberCard = z.infer<typeof MemberCard>
const OnePerson = z.strictObject({ personId: Id })
export const PersonChange = z
  .strictObject({ ...Facts, fields: FieldChange })
  .partial()
  .meta({ examples: [{ preferredName: 'Countess', gradYear: 1835 }] })
export type PersonChange = z.infer<typeof PersonChange>

export const NewMembership = z.strictObject({
  chapterId: Id,
  kind: AffiliationKind.default('member'),
  startsOn: CalendarDate.optional().describe('Today when left out'),
  endsOn: CalendarDate.nullable().optional(),
  isPrimary: z.boolean().optional().describe('True moves the home chapter here; left out, the first membership becomes primary'),
})

/** People who may be the one about to be entered, likeliest first. */
export const DuplicateQuery = z.strictObject({
  givenName: text(100).optional(),
  familyName: text(100).optional(),
  email: z.string().trim().max(320).optional(),
  phone: z.string().trim().max(40).optional(),
  memberNo: text(50).optional(),
  exceptId: Id.optional().describe('The person being edited'),
})
export const Duplicate = z.object({
  person: PersonRef.extend({
    memberNo: z.string().nullable(),
    lifecycle: Lifecycle,
    homeChapter: ChapterRef.nullable(),
    archived: z.boolean(),
  }),
  reasons: z.array(z.enum(['email', 'phone', 'memberNo', 'name'])),
  score: z.number().min(0).max(1),
})

export const HistoryEntry = z.object({
  seq: z.int(),
  at: Instant,
  actor: z.object({ accountId: Id, name: z.string(), personId: Id.nullable() }).nullable().describe('Null for work of the system itself'),
  actingFor: z
    .string()
    .nullable()
    .describe('For whom the actor acted, by name, which is empty where you may not see it; null for themselves'),
  action: z.enum(['create', 'update', 'delete', 'export', 'import', 'undo', 'sign_in']),
  entity: z.string().describe('What was changed: people, person_emails, affiliations, …'),
  entityId: Id.nullable(),
  subject: z.string().nullable().describe('Name of the chapter, group or office that the change is about, where there is one'),
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  via: z.string().nullable().describe('What it came through, such as import:{id} or bulk:{id}'),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

const changesOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ ...OnePerson.shape, ...z.strictObject(shape).partial().shape })

export const peopleData = {
  list: get('/people', 'listPeople', {
    needs: 'people.directory',
    whileActing: true,
    tag,
    summary: 'People that you may see, a page at a time',
    description:
      'Searches names, former names, member number, e-mail and telephone anywhere in the word. Archived people come only with the filter `archived`.',
    readsPeople: 50,
  })
    .input(PeopleListInput)
    .output(page(PersonRow)),
  summary: get('/people/summary', 'summarisePeople', {
    needs: 'people.directory',
    whileActing: true,
    tag,
    summary: 'How the people of a list divide by status, and how many of them joined in each of the last twelve months',
  })
    .input(PeopleListInput.pick({ q: true, filter: true }))
    .output(PeopleSummary),
  duplicates: post('/people/duplicates', 'findDuplicatePeople', {
    needs: 'people.write',
    tag,
    status: 200,
    idempotent: false,
    summary: 'People who may be the one you are about to enter',
    readsPeople: 10,
  })
    .input(DuplicateQuery)
    .output(z.object({ items: z.array(Duplicate) })),
  create: post('/people', 'createPerson', { needs: 'people.write', tag, summary: 'Enter a person with everything known of them' })
    .input(NewPerson)
    .output(Person),
  get: get('/people/{personId}', 'getPerson', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'A whole person, as far as you may see them',
    readsPeople: 1,
  })
    .input(OnePerson)
    .output(Person),
  overview: get('/people/{personId}/overview', 'getPersonOverview', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'The person with their latest changes, in one trip',
    readsPeople: 1,
  })
    .input(OnePerson)
    .output(
      z.object({
        person: Person,
        recentChanges: z.array(HistoryEntry).describe('The last ten, newest first; empty when history is not yours to see'),
      }),
    ),
  update: patch('/people/{personId}', 'updatePerson', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Change any of a person’s facts; what is left out stays',
  })
    .input(changesOf({ ...Facts, fields: FieldChange }))
    .output(Person),
  archive: del('/people/{personId}', 'archivePerson', {
    needs: 'people.write',
    tag,
    summary: 'Archive a person; can be restored for 30 days',
  })
    .input(OnePerson)
    .output(z.void()),
  restore: post('/people/{personId}/restore', 'restorePerson', {
    needs: 'people.write',
    tag,
    status: 200,
    summary: 'Bring an archived person back',
  })
    .input(OnePerson)
    .output(Person),
  neighbours: get('/people/{personId}/neighbours', 'getPersonNeighbours', {
    needs: 'people.directory',
    whileActing: true,
    tag,
    summary: 'Who stands before and after this person in a list',
    readsPeople: 2,
  })
    .input(PeopleListInput.omit({ cursor: true, limit: true, columns: true }).extend(OnePerson.shape))
    .output(z.object({ previous: PersonRef.nullable(), next: PersonRef.nullable() })),
  audiences: get('/me/audiences', 'listMyAudiences', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'What others see of your own contact data, whichever visibility it is given',
    description:
      'For members of other chapters and, where you belong to a chapter, its members and its officers. Empty for an account without a person. ' +
      'Who has a role for the whole organisation may see more.',
  }).output(z.object({ items: z.array(AudienceView) })),
  history: get('/people/{personId}/history', 'listPersonHistory', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'What was changed about a person, by whom and when; newest first',
  })
    .input(z.strictObject({ personId: Id, cursor: Cursor.optional(), limit: Limit.optional(), entity: z.string().max(40).optional() }))
    .output(z.object({ items: z.array(HistoryEntry), nextCursor: z.string().nullable() })),

  memberships: get('/people/{personId}/memberships', 'listMemberships', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Chapters a person belongs or belonged to',
  })
    .input(OnePerson)
    .output(z.object({ items: z.array(Membership) })),
  addMembership: post('/people/{personId}/memberships', 'addMembership', {
    needs: 'people.write',
    tag,
    summary: 'Let a person belong to a chapter',
  })
    .input(NewMembership.extend(OnePerson.shape))
    .output(Membership),
  updateMembership: patch('/people/{personId}/memberships/{membershipId}', 'updateMembership', {
    needs: 'people.write',
    tag,
    summary: 'Change or end a membership; ending is setting endsOn',
  })
    .input(
      z.strictObject({
        personId: Id,
        membershipId: Id,
        kind: AffiliationKind.optional(),
        startsOn: CalendarDate.optional(),
        endsOn: CalendarDate.nullable().optional(),
        isPrimary: z.boolean().optional(),
      }),
    )
    .output(Membership),
  removeMembership: del('/people/{personId}/memberships/{membershipId}', 'removeMembership', {
    needs: 'people.write',
    tag,
    summary: 'Remove a membership that was entered by mistake',
  })
    .input(z.strictObject({ personId: Id, membershipId: Id }))
    .output(z.void()),
  positions: get('/people/{personId}/positions', 'listPersonPositions', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Offices a person holds, held or will hold',
  })
    .input(OnePerson)
    .output(z.object({ items: z.array(Holding) })),

  addEmail: post('/people/{personId}/emails', 'addPersonEmail', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Add an e-mail address',
  })
    .input(NewEmail.extend(OnePerson.shape))
    .output(PersonEmail),
  updateEmail: patch('/people/{personId}/emails/{emailId}', 'updatePersonEmail', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    ifMatch: false,
    summary: 'Change an e-mail address or make it the primary one',
  })
    .input(
      z.strictObject({
        personId: Id,
        emailId: Id,
        address: EmailAddress.optional(),
        label: text(40).optional(),
        isPrimary: z.literal(true).optional(),
        visibleTo: VisibleTo.optional(),
      }),
    )
    .output(PersonEmail),
  removeEmail: del('/people/{personId}/emails/{emailId}', 'removePersonEmail', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Remove an e-mail address; another becomes primary',
  })
    .input(z.strictObject({ personId: Id, emailId: Id }))
    .output(z.void()),
  addPhone: post('/people/{personId}/phones', 'addPersonPhone', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Add a telephone number',
  })
    .input(NewPhone.extend(OnePerson.shape))
    .output(PersonPhone),
  updatePhone: patch('/people/{personId}/phones/{phoneId}', 'updatePersonPhone', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    ifMatch: false,
    summary: 'Change a telephone number or make it the primary one',
  })
    .input(
      z.strictObject({
        personId: Id,
        phoneId: Id,
        number: PhoneNumber.optional(),
        label: text(40).optional(),
        isPrimary: z.literal(true).optional(),
        visibleTo: VisibleTo.optional(),
      }),
    )
    .output(PersonPhone),
  removePhone: del('/people/{personId}/phones/{phoneId}', 'removePersonPhone', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Remove a telephone number; another becomes primary',
  })
    .input(z.strictObject({ personId: Id, phoneId: Id }))
    .output(z.void()),
  updateContact: patch('/people/{personId}/contact', 'updatePersonContact', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    ifMatch: false,
    summary: 'Change the postal address, website or links; what is left out stays',
  })
    .input(changesOf(ContactFields))
    .output(PersonContact),
  updatePrivate: patch('/people/{personId}/private', 'updatePersonPrivate', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    ifMatch: false,
    summary: 'Change birth date, gender or day of death',
  })
    .input(changesOf(PrivateChange.shape))
    .output(PersonPrivate),
  setOfficeNote: put('/people/{personId}/office-note', 'setPersonOfficeNote', {
    needs: 'people.sensitive',
    tag,
    summary: 'Note something about a person that they do not see',
  })
    .input(OfficeNote.extend(OnePerson.shape))
    .output(OfficeNote),
  publicName: get('/people/{personId}/public-name', 'getPublicName', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Whether you agreed to be named on public pages',
  })
    .input(OnePerson)
    .output(PublicName),
  setPublicName: put('/people/{personId}/public-name', 'setPublicName', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Agree to be named on public pages, in your offices and on your member card, or withdraw that',
    description: 'Only the person themselves. Minors are never named.',
  })
    .input(PublicName.extend(OnePerson.shape))
    .output(PublicName),
  card: get('/people/{personId}/card', 'getMemberCard', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'The member card of a person',
    description: 'For the person, and for those who may change their record.',
    readsPeople: 1,
  })
    .input(OnePerson)
    .output(MemberCard),
  issueCard: post('/people/{personId}/card', 'issueMemberCard', {
    needs: 'signed-in',
    perHour: 60,
    tag,
    summary: 'Issue a member card; the code of the one before stops working',
  })
    .input(OnePerson)
    .output(MemberCard),
  revokeCard: post('/people/{personId}/card/revoke', 'revokeMemberCard', {
    needs: 'people.write',
    status: 200,
    tag,
    summary: 'Revoke a member card; its holder sees the reason and cannot issue another one',
  })
    .input(OnePerson.extend({ reason: text(500, 1) }).meta({ examples: [{ reason: 'The card was lent to somebody else.' }] }))
    .output(MemberCard),
  setExternalId: put('/people/{personId}/external-ids/{system}', 'setPersonExternalId', {
    needs: 'people.write',
    tag,
    summary: 'Assign the id that a person has in another system; replaces the one from that system',
  })
    .input(z.strictObject({ personId: Id, system: ExternalSystem, externalId: text(120, 1) }))
    .output(ExternalId),
  removeExternalId: del('/people/{personId}/external-ids/{system}', 'removePersonExternalId', {
    needs: 'people.write',
    tag,
    summary: 'Remove the id that a person has in another system',
  })
    .input(z.strictObject({ personId: Id, system: ExternalSystem }))
    .output(z.void()),
  setTags: put('/people/{personId}/tags', 'setPersonTags', { needs: 'people.write', tag, summary: 'Let a person carry exactly these tags' })
    .input(z.strictObject({ personId: Id, tagIds: z.array(Id).max(50) }))
    .output(z.object({ tags: z.array(TagRef) })),
}

// Many at once ----------------------------------------------------------------------------------------------------------------------

export const BulkChange = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('tag'), tagId: Id }),
  z.strictObject({ do: z.literal('untag'), tagId: Id }),
  z.strictObject({ do: z.literal('addToGroup'), groupId: Id }),
  z.strictObject({ do: z.literal('lifecycle'), lifecycle: SettableLifecycle }),
  z.strictObject({ do: z.literal('affiliate'), chapterId: Id, kind: AffiliationKind.default('member'), startsOn: CalendarDate.optional() }),
  z.strictObject({ do: z.literal('archive') }),
  z.strictObject({ do: z.literal('stopAutoRenew') }),
  z.strictObject({ do: z.literal('renew') }).describe('Opens the next term of the membership that counts, with its invoice'),
  ...fieldBulkChanges,
])
export type BulkChange = z.infer<typeof BulkChange>

export const peopleActions = {
  printCard: post('/people/{personId}/card/pdf', 'printMemberCard', {
    needs: 'signed-in',
    whileActing: true,
    status: 200,
    idempotent: false,
    perHour: 60,
    tag,
    summary: 'The member card as PDF, of the size of a bank card',
  })
    .input(OnePerson)
    .output(z.file()),
  bulk: bulkProcedures({
    path: '/people',
    name: '',
    tag,
    records: 'people',
    change: BulkChange,
    example: { do: 'lifecycle', lifecycle: 'alumni' },
    readsPeople: 20,
  }),
}
