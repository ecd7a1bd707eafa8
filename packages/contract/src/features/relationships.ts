import * as z from 'zod'
import { act, get, patch, post } from '../base.ts'
import { refusal } from '../reasons.ts'
import { CalendarDate, ChapterRef, Cursor, Id, Instant, Limit, PersonRef, Version, formed, lines, page, text } from '../shapes.ts'

const tag = 'Relationships'

// Types -----------------------------------------------------------------------------------------------------------------------------

/** What a relationship of a type allows the first person to do with the record of the second. */
export const RelationshipGrant = z.enum(['none', 'view', 'manage'])
export type RelationshipGrant = z.infer<typeof RelationshipGrant>
/** Who has to agree before a relationship that somebody proposes is active. */
export const RelationshipApproval = z
  .enum(['none', 'other', 'office'])
  .describe('none: active at once; other: the other of the two agrees; office: an officer with relationships.manage agrees')
export type RelationshipApproval = z.infer<typeof RelationshipApproval>
export const relationshipPresets = ['guardian', 'lineage', 'mentor', 'recruiter', 'household'] as const

const typeFields = {
  name: text(60, 1).describe('Guardian and child'),
  forwardLabel: text(40, 1).describe('What the first is to the second: Guardian'),
  inverseLabel: text(40, 1).describe('What the second is to the first: Child'),
  acyclic: z.boolean().describe('Nobody can come below themselves'),
  maxParents: z.int().min(1).max(20).nullable().describe('How many first persons somebody may have at a time; null for any number'),
  grants: RelationshipGrant,
  approval: RelationshipApproval,
  isMinorsOnly: z.boolean().describe('Ends when the second person comes of age, after a notice; its rows need the right to see minors'),
}
export const RelationshipType = z.object({
  id: Id,
  key: z.string().describe('Named in imports and addresses; never changes'),
  ...z.object(typeFields).shape,
  active: z.int().nullable().describe('Active relationships of this type; null for those who do not decide about types'),
  archivedAt: Instant.nullable(),
  version: Version,
})
export type RelationshipType = z.infer<typeof RelationshipType>

const TypeKey = formed(/^[a-z][a-z0-9-]{1,39}$/, refusal('not_a_type_key', 'Use small letters, digits and hyphens.'))
export const NewRelationshipType = z
  .strictObject({
    key: TypeKey,
    name: typeFields.name,
    forwardLabel: typeFields.forwardLabel,
    inverseLabel: typeFields.inverseLabel,
    acyclic: typeFields.acyclic.default(true),
    maxParents: typeFields.maxParents.default(null),
    grants: typeFields.grants.default('none'),
    approval: typeFields.approval.default('none'),
    isMinorsOnly: typeFields.isMinorsOnly.default(false),
  })
  .meta({ examples: [{ key: 'godparent', name: 'Godparent and godchild', forwardLabel: 'Godparent', inverseLabel: 'Godchild' }] })
export type NewRelationshipType = z.infer<typeof NewRelationshipType>
export const RelationshipTypeChange = z
  .strictObject(typeFields)
  .partial()
  .meta({ examples: [{ maxParents: 2 }] })
export type RelationshipTypeChange = z.infer<typeof RelationshipTypeChange>
const OneType = z.strictObject({ relationshipTypeId: Id })

// Relationships ---------------------------------------------------------------------------------------------------------------------

export const RelationshipState = z.enum(['proposed', 'active', 'ended', 'rejected'])
export type RelationshipState = z.infer<typeof RelationshipState>
export const RelationshipTypeRef = z.object({
  id: Id,
  key: z.string(),
  name: z.string(),
  forwardLabel: z.string(),
  inverseLabel: z.string(),
})
export type RelationshipTypeRef = z.infer<typeof RelationshipTypeRef>

export const Relationship = z.object({
  id: Id,
  type: RelationshipTypeRef,
  from: PersonRef.extend({ chapter: ChapterRef.nullable() }).describe('The first: guardian, big, mentor, recruiter'),
  to: PersonRef.extend({ chapter: ChapterRef.nullable() }).describe('The second: child, little, mentee, recruit'),
  state: RelationshipState,
  startsOn: CalendarDate.nullable().describe('Null where the day is not known'),
  endsOn: CalendarDate.nullable().describe('Last day; null while it goes on'),
  note: z.string(),
  proposedBy: z.string().nullable().describe('By name; null where the name may not be seen'),
  verifiedBy: z.string().nullable().describe('Officer who verified it'),
  verifiedAt: Instant.nullable(),
  lapsesOn: CalendarDate.nullable().describe('Day on which the second person comes of age, of a type for minors'),
  createdAt: Instant,
  version: Version,
  may: z.object({
    answer: z.boolean().describe('Agree to it or reject it'),
    verify: z.boolean(),
    edit: z.boolean(),
    end: z.boolean().describe('Withdraw, where it is a proposal'),
    reopen: z.boolean(),
  }),
})
export type Relationship = z.infer<typeof Relationship>

const relationshipFields = { startsOn: CalendarDate.nullable(), note: lines(500) }
export const NewRelationship = z
  .strictObject({
    typeId: Id,
    fromPersonId: Id,
    toPersonId: Id,
    startsOn: relationshipFields.startsOn.default(null),
    note: relationshipFields.note.default(''),
  })
  .meta({
    examples: [
      {
        typeId: '01920000-0000-7000-8000-000000000071',
        fromPersonId: '01920000-0000-7000-8000-000000000002',
        toPersonId: '01920000-0000-7000-8000-000000000003',
        startsOn: '2025-10-01',
      },
    ],
  })
export type NewRelationship = z.infer<typeof NewRelationship>
export const RelationshipChange = z
  .strictObject(relationshipFields)
  .partial()
  .meta({ examples: [{ startsOn: '2024-10-01' }] })
export type RelationshipChange = z.infer<typeof RelationshipChange>
const OneRelationship = z.strictObject({ relationshipId: Id })

export const RelationshipListInput = z
  .strictObject({
    personId: Id.optional().describe('On either side'),
    typeId: Id.optional(),
    state: RelationshipState.optional(),
    mineToAnswer: z.boolean().optional().describe('Only proposals that you may answer'),
    cursor: Cursor.optional(),
    limit: Limit.optional(),
  })
  .meta({ examples: [{ state: 'proposed' }] })

// Family ----------------------------------------------------------------------------------------------------------------------------

/** Somebody for whom the caller may act, since a relationship grants it. */
export const ManagedPerson = z.object({
  person: PersonRef,
  chapter: ChapterRef.nullable(),
  relationshipId: Id,
  label: z.string().describe('What the caller is to them: Guardian'),
  grants: RelationshipGrant.exclude(['none']),
  birthDate: CalendarDate.nullable(),
  lapsesOn: CalendarDate.nullable().describe('From this day on the caller may no longer act for them'),
  hasAccount: z.boolean(),
})
export type ManagedPerson = z.infer<typeof ManagedPerson>

/** The people around one person, for a small picture. */
export const RelationshipGraph = z.object({
  people: z.array(z.object({ person: PersonRef, isCentre: z.boolean() })).describe('At most 60'),
  links: z.array(z.object({ relationshipId: Id, fromPersonId: Id, toPersonId: Id, typeId: Id, label: z.string(), isActive: z.boolean() })),
  isCut: z.boolean().describe('There are more than are shown'),
})
export type RelationshipGraph = z.infer<typeof RelationshipGraph>

const found = z.strictObject({ personId: Id })

export const relationshipsData = {
  types: get('/relationship-types', 'listRelationshipTypes', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Kinds of relationships of the organisation; at most 100',
  })
    .input(z.strictObject({ archived: z.boolean().default(false) }))
    .output(z.object({ items: z.array(RelationshipType) })),
  createType: post('/relationship-types', 'createRelationshipType', {
    needs: 'organisation.manage',
    tag,
    summary: 'Create a kind of relationship',
  })
    .input(NewRelationshipType)
    .output(RelationshipType),
  updateType: patch('/relationship-types/{relationshipTypeId}', 'updateRelationshipType', {
    needs: 'organisation.manage',
    tag,
    summary: 'Change a kind of relationship; refused where relationships that exist would break the new rule',
  })
    .input(OneType.extend(RelationshipTypeChange.shape).meta({ examples: [{ maxParents: 2 }] }))
    .output(RelationshipType),
  archiveType: act('/relationship-types/{relationshipTypeId}/archive', 'archiveRelationshipType', {
    needs: 'organisation.manage',
    tag,
    summary: 'Archive a kind of relationship: nothing new is added to it',
  })
    .input(OneType)
    .output(RelationshipType),
  restoreType: act('/relationship-types/{relationshipTypeId}/restore', 'restoreRelationshipType', {
    needs: 'organisation.manage',
    tag,
    summary: 'Restore an archived kind of relationship',
  })
    .input(OneType)
    .output(RelationshipType),
  list: get('/relationships', 'listRelationships', {
    needs: 'signed-in',
    readsPeople: 50,
    whileActing: true,
    tag,
    summary: 'Relationships that you may see, the newest first; guardians only with the right to see minors, or your own',
  })
    .input(RelationshipListInput)
    .output(page(Relationship)),
  get: get('/relationships/{relationshipId}', 'getRelationship', {
    needs: 'signed-in',
    whileActing: true,
    readsPeople: 2,
    tag,
    summary: 'One relationship',
  })
    .input(OneRelationship)
    .output(Relationship),
  graph: get('/people/{personId}/relationship-graph', 'getRelationshipGraph', {
    needs: 'signed-in',
    whileActing: true,
    readsPeople: 60,
    tag,
    summary: 'The people around one person, two steps far',
  })
    .input(found)
    .output(RelationshipGraph),
  create: post('/relationships', 'createRelationship', {
    needs: 'signed-in',
    tag,
    summary: 'Record or propose a relationship: active at once for officers and where the type asks nobody, else proposed',
  })
    .input(NewRelationship)
    .output(Relationship),
  update: patch('/relationships/{relationshipId}', 'updateRelationship', {
    needs: 'signed-in',
    tag,
    summary: 'Change first day or note of a relationship',
  })
    .input(OneRelationship.extend(RelationshipChange.shape).meta({ examples: [{ note: 'Met at the summer camp' }] }))
    .output(Relationship),
  accept: act('/relationships/{relationshipId}/accept', 'acceptRelationship', {
    needs: 'signed-in',
    tag,
    summary: 'Agree to a proposed relationship',
  })
    .input(OneRelationship)
    .output(Relationship),
  reject: act('/relationships/{relationshipId}/reject', 'rejectRelationship', {
    needs: 'signed-in',
    tag,
    summary: 'Reject a proposed relationship',
  })
    .input(OneRelationship)
    .output(Relationship),
  verify: act('/relationships/{relationshipId}/verify', 'verifyRelationship', {
    needs: 'relationships.manage',
    tag,
    summary: 'Note that an officer verified an active relationship',
  })
    .input(OneRelationship)
    .output(Relationship),
  end: act('/relationships/{relationshipId}/end', 'endRelationship', {
    needs: 'signed-in',
    tag,
    summary: 'End a relationship on a day; a proposal is withdrawn',
  })
    .input(
      OneRelationship.extend({ endsOn: CalendarDate.optional().describe('Today unless stated') }).meta({
        examples: [{ endsOn: '2026-11-20' }],
      }),
    )
    .output(Relationship),
  reopen: act('/relationships/{relationshipId}/reopen', 'reopenRelationship', {
    needs: 'signed-in',
    tag,
    summary: 'Undo the end or the rejection of a relationship; all rules are checked again',
  })
    .input(OneRelationship)
    .output(Relationship),
  family: get('/family', 'listManagedPeople', {
    needs: 'signed-in',
    readsPeople: 50,
    tag,
    summary: 'People for whom you may act, or whose record you may see, through a relationship; at most 50',
  })
    .input(z.strictObject({}))
    .output(z.object({ items: z.array(ManagedPerson) })),
}
