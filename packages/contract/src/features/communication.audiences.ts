import * as z from 'zod'
import { act, get, patch, post } from '../base.ts'
import { refusal } from '../reasons.ts'
import { ChapterRef, Cursor, Filter, GroupRef, Id, Instant, Limit, PersonRef, Version, lines, page, text } from '../shapes.ts'
import { RegistrationStatus } from './events.ts'

const tag = 'Communication'

// Who is meant ----------------------------------------------------------------------------------------------------------------------

/** Filters and words of the people list. Neither of them is everybody. */
const PeoplePart = z.strictObject({
  kind: z.literal('people'),
  filter: Filter.optional(),
  q: z.string().max(200).optional(),
})
const PersonsPart = z.strictObject({ kind: z.literal('persons'), ids: z.array(Id).min(1).max(1000) })
const ChapterPart = z.strictObject({
  kind: z.literal('chapter'),
  id: Id,
  below: z.boolean().default(true).describe('With the chapters below it'),
})
const GroupPart = z.strictObject({ kind: z.literal('group'), id: Id })
const EventPart = z.strictObject({
  kind: z.literal('event'),
  id: Id,
  statuses: z.array(RegistrationStatus).min(1).max(8).describe('Of their registration'),
})
const SavedPart = z.strictObject({ kind: z.literal('audience'), id: Id })

export const AudiencePart = z
  .discriminatedUnion('kind', [PeoplePart, PersonsPart, ChapterPart, GroupPart, EventPart, SavedPart])
  .describe(
    'people: filters of the people list, and without any everybody; persons: these people; chapter: members, alumni, advisors and friends; group: its members; event: who registered; audience: a saved one',
  )
export type AudiencePart = z.infer<typeof AudiencePart>

const audienceIdLimit = 5_000
/** Everybody whom one part of `include` finds and no part of `exclude`. */
export const AudienceDefinition = z
  .strictObject({ include: z.array(AudiencePart).max(20), exclude: z.array(AudiencePart).max(20).default([]) })
  .refine(
    ({ include, exclude }) =>
      [...include, ...exclude].reduce((sum, part) => sum + (part.kind === 'persons' ? part.ids.length : 0), 0) <= audienceIdLimit,
    refusal('audience_people_many', 'Name at most 5,000 people; use a filter or a group for more.'),
  )
  .meta({ examples: [{ include: [{ kind: 'people', q: 'smith' }], exclude: [] }] })
export type AudienceDefinition = z.infer<typeof AudienceDefinition>

/** Whom the definition is bounded to: the organisation, a chapter with those below it, or the members of a group. */
const place = {
  chapterId: Id.nullable().default(null),
  groupId: Id.nullable().default(null),
}
const onePlace = refusal('audience_place', 'Choose a chapter or a group, not both.')
const inOnePlace = ({ chapterId, groupId }: { chapterId?: string | null | undefined; groupId?: string | null | undefined }) =>
  !chapterId || !groupId
export const AudienceScope = z.strictObject(place).refine(inOnePlace, onePlace)
export type AudienceScope = z.infer<typeof AudienceScope>

// Saved audiences -------------------------------------------------------------------------------------------------------------------

export const AudienceRow = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  chapter: ChapterRef.nullable().describe('Whom it is bounded to; with no chapter and no group the whole organisation'),
  group: GroupRef.nullable(),
  lastUsedAt: Instant.nullable().describe('When a message to it was last sent'),
  archivedAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  version: Version,
})
export type AudienceRow = z.infer<typeof AudienceRow>

/** A record that a part names, as the caller sees it. */
export const AudienceNamed = z.object({
  id: Id,
  kind: z.enum(['persons', 'chapter', 'group', 'event', 'audience']),
  name: z.string(),
  archived: z.boolean(),
})
export type AudienceNamed = z.infer<typeof AudienceNamed>

export const Audience = AudienceRow.extend({
  scope: z
    .object({ chapterId: Id.nullable(), groupId: Id.nullable() })
    .describe('Ids of chapter and group, also where you do not see the record'),
  definition: AudienceDefinition,
  names: z.array(AudienceNamed).describe('Records that its parts name; those you cannot see are missing'),
})
export type Audience = z.infer<typeof Audience>

const Facts = { name: text(100, 1), description: lines(1000), definition: AudienceDefinition }
const exampleDefinition = { include: [{ kind: 'people' as const, q: 'smith' }], exclude: [] }
export const NewAudience = z
  .strictObject({ ...Facts, description: Facts.description.default(''), ...place })
  .refine(inOnePlace, onePlace)
  .meta({ examples: [{ name: 'Everybody called Smith', definition: exampleDefinition }] })
export type NewAudience = z.infer<typeof NewAudience>
export const AudienceChange = z
  .strictObject(Facts)
  .partial()
  .meta({ examples: [{ name: 'The Smiths' }] })
export type AudienceChange = z.infer<typeof AudienceChange>
const OneAudience = z.strictObject({ audienceId: Id })

// Who is in one --------------------------------------------------------------------------------------------------------------------------

const Asked = z.strictObject({ definition: AudienceDefinition, scope: AudienceScope })
const exampleAsked = { definition: exampleDefinition, scope: {} }
const reading = { needs: 'messages.write' as const, tag, status: 200 as const, idempotent: false }

/** Why somebody gets no mail: the first rule that keeps it from them. */
export const AudienceRefusal = z.enum([
  'no_address',
  'do_not_contact',
  'suspended',
  'deceased',
  'erased',
  'archived',
  'merged',
  'unsubscribed',
  'not_subscribed',
  'pending',
  'opted_out',
  'paused',
  'hard_bounce',
  'complaint',
  'manual',
])
export type AudienceRefusal = z.infer<typeof AudienceRefusal>
const topic = {
  topicId: Id.nullable().default(null).describe('Whose subscriptions count; without one, only what keeps essential mail away'),
}

export const AudienceCount = z.object({
  total: z.int().describe('People in it whom you see'),
  reachable: z.int().describe('Of these, those whom a mail reaches'),
  refused: z
    .array(z.object({ reason: AudienceRefusal, people: z.int() }))
    .describe('Why no mail is sent to the others, the most frequent reason first'),
})
export type AudienceCount = z.infer<typeof AudienceCount>

export const AudiencePerson = z.object({
  person: PersonRef,
  chapter: ChapterRef.nullable().describe('Their home chapter'),
  email: z.string().nullable().describe('Their e-mail address, where it is yours to see'),
  refusal: AudienceRefusal.nullable().describe('Why they get no mail'),
})
export type AudiencePerson = z.infer<typeof AudiencePerson>

export const AudienceWhy = z.object({
  person: PersonRef,
  isIn: z.boolean(),
  inScope: z.boolean().describe('Whether the audience reaches them at all: of the chapter or group it is for'),
  included: z.array(z.int()).describe('Parts of include that find them, counted from 0'),
  excluded: z.array(z.int()).describe('Parts of exclude that find them'),
  refusal: AudienceRefusal.nullable().describe('Why they would get no mail'),
})
export type AudienceWhy = z.infer<typeof AudienceWhy>

export const audiences = {
  list: get('/audiences', 'listAudiences', {
    needs: 'messages.write',
    tag,
    summary: 'Saved audiences of the organisation, chapters and groups for which you write messages, by name',
  })
    .input(
      z
        .strictObject({
          q: z.string().max(200).optional(),
          archived: z.boolean().optional().describe('Archived ones instead'),
          cursor: Cursor.optional(),
          limit: Limit.optional(),
        })
        .meta({ examples: [{ q: 'smith' }] }),
    )
    .output(page(AudienceRow)),
  create: post('/audiences', 'createAudience', { needs: 'messages.write', tag, summary: 'Save an audience' })
    .input(NewAudience)
    .output(Audience),
  get: get('/audiences/{audienceId}', 'getAudience', { needs: 'messages.write', tag, summary: 'A saved audience' })
    .input(OneAudience)
    .output(Audience),
  update: patch('/audiences/{audienceId}', 'updateAudience', {
    needs: 'messages.write',
    tag,
    summary: 'Change a saved audience; what is left out stays. Messages that are being sent keep their recipients',
  })
    .input(AudienceChange.extend(OneAudience.shape))
    .output(Audience),
  archive: act('/audiences/{audienceId}/archive', 'archiveAudience', {
    needs: 'messages.write',
    tag,
    summary: 'Archive a saved audience: no new message or audience can use it',
  })
    .input(OneAudience)
    .output(Audience),
  restore: act('/audiences/{audienceId}/restore', 'restoreAudience', {
    needs: 'messages.write',
    tag,
    summary: 'Restore an archived audience',
  })
    .input(OneAudience)
    .output(Audience),
  count: post('/audiences/count', 'countAudience', {
    ...reading,
    summary: 'How many people are in an audience, saved or not, and how many of them a mail reaches; changes nothing',
  })
    .input(Asked.extend(topic).meta({ examples: [exampleAsked] }))
    .output(AudienceCount),
  people: post('/audiences/people', 'listAudiencePeople', {
    ...reading,
    summary: 'People in an audience by name, with why somebody gets no mail; changes nothing',
    readsPeople: 50,
  })
    .input(
      Asked.extend({
        ...topic,
        show: z
          .union([z.literal('reachable'), AudienceRefusal])
          .optional()
          .describe('Only those whom a mail reaches, or does not for this reason'),
        cursor: Cursor.optional(),
        limit: Limit.optional(),
      }).meta({ examples: [exampleAsked] }),
    )
    .output(page(AudiencePerson)),
  why: post('/audiences/why', 'explainAudience', {
    ...reading,
    summary: 'Why a person is in an audience or not; changes nothing',
    readsPeople: 1,
  })
    .input(
      Asked.extend({ ...topic, personId: Id }).meta({ examples: [{ ...exampleAsked, personId: '01920000-0000-7000-8000-000000000000' }] }),
    )
    .output(AudienceWhy),
  size: get('/audiences/{audienceId}/size', 'sizeOfAudience', {
    needs: 'messages.write',
    tag,
    summary: 'How many people are in a saved audience whom you see',
  })
    .input(OneAudience)
    .output(z.object({ total: z.int() })),
}
