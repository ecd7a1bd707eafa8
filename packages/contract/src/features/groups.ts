import * as z from 'zod'
import { act, del, get, patch, post } from '../base.ts'
import { bulkProcedures } from '../bulk.ts'
import { FormattedText, formattedText } from '../formatted-text.ts'
import { refusal } from '../reasons.ts'
import {
  CalendarDate,
  ChapterRef,
  Cursor,
  GroupRef,
  Id,
  Instant,
  Limit,
  ListInput,
  PersonRef,
  TagRef,
  Version,
  page,
  text,
} from '../shapes.ts'
import { fieldBulkChanges, FieldChange, FieldColumns, FieldsOfRow, FieldValues } from './fields.ts'
import { When } from './people.ts'

const tag = 'Groups'

export const GroupKind = z.enum(['committee', 'subcommittee', 'interest', 'cohort', 'team', 'list'])
export type GroupKind = z.infer<typeof GroupKind>
export const GroupVisibility = z
  .enum(['public', 'members', 'private', 'secret'])
  .describe(
    'public: everybody signed in; members: every member; private: members see it, its roster visible to the group only; secret: group members only',
  )
export type GroupVisibility = z.infer<typeof GroupVisibility>
export const JoinPolicy = z.enum(['open', 'request', 'invite'])
export type JoinPolicy = z.infer<typeof JoinPolicy>
export const GroupRole = z.enum(['leader', 'moderator', 'member'])
export type GroupRole = z.infer<typeof GroupRole>
export const GroupMemberStatus = z.enum(['invited', 'requested', 'active', 'declined', 'removed'])
export type GroupMemberStatus = z.infer<typeof GroupMemberStatus>

// Lists -----------------------------------------------------------------------------------------------------------------------------

/** What groups can be filtered by. `mine` are those the caller is in, asked to join or is invited to; archived ones come only with `archived`; `messages` are those that the caller writes messages for. */
export const groupsFilterFields = {
  kind: { kind: 'choice', options: GroupKind.options },
  chapter: { kind: 'id', of: 'chapter' },
  parent: { kind: 'id', of: 'group' },
  visibility: { kind: 'choice', options: GroupVisibility.options },
  joinPolicy: { kind: 'choice', options: JoinPolicy.options },
  tag: { kind: 'id', of: 'tag' },
  name: { kind: 'text' },
  code: { kind: 'text' },
  mine: { kind: 'flag' },
  archived: { kind: 'flag' },
  messages: { kind: 'flag' },
} as const satisfies Record<
  string,
  { kind: 'choice' | 'id' | 'text' | 'date' | 'number' | 'flag'; options?: readonly string[]; of?: string }
>
export type GroupsFilterField = keyof typeof groupsFilterFields

export const GroupSort = z.enum(['name', 'members', 'createdAt', 'match'])
export type GroupSort = z.infer<typeof GroupSort>

export const GroupsListInput = ListInput.extend({
  sort: z
    .string()
    .max(40)
    .optional()
    .describe(
      'name (default), members, createdAt, match (best match for q, by name without q) or fields.key; put "-" in front to reverse the order',
    ),
  columns: FieldColumns,
}).meta({ examples: [{ q: 'energy', filter: '{"and":[{"or":[{"field":"kind","op":"is","value":"committee"}]}]}' }] })

/** How the caller stands to a group. */
export const MyGroupMembership = z.object({
  memberId: Id,
  role: GroupRole,
  status: GroupMemberStatus,
  title: z.string(),
  startsOn: CalendarDate.nullable(),
})
export type MyGroupMembership = z.infer<typeof MyGroupMembership>

export const GroupRow = z.object({
  id: Id,
  name: z.string(),
  code: z.string().nullable(),
  kind: GroupKind,
  chapter: ChapterRef.nullable(),
  parent: GroupRef.nullable(),
  visibility: GroupVisibility,
  joinPolicy: JoinPolicy,
  members: z.int(),
  capacity: z.int().nullable(),
  tags: z.array(TagRef).describe('Those you see'),
  mine: MyGroupMembership.nullable(),
  archivedAt: Instant.nullable(),
  createdAt: Instant,
  version: Version,
  fields: FieldsOfRow,
})
export type GroupRow = z.infer<typeof GroupRow>

// One group -------------------------------------------------------------------------------------------------------------------------

/** What the caller may do with this group; screens offer nothing else. */
export const GroupMay = z.object({
  edit: z.boolean(),
  manageMembers: z.boolean().describe('Add, change and remove members, answer requests'),
  archive: z.boolean(),
  addSubgroup: z.boolean(),
  place: z.boolean().describe('Change chapter, parent group and code, and let more people see it; leaders alone do not'),
  seeMembers: z.boolean(),
  seeHistory: z.boolean(),
  join: z
    .enum(['join', 'request', 'accept', 'wait'])
    .nullable()
    .describe('What joining would be: at once, on approval, accepting an invitation, waiting for a free place'),
  leave: z.boolean().describe('Leave, withdraw a request or decline an invitation'),
})

export const Group = GroupRow.extend({
  about: FormattedText.describe('What the group says of itself'),
  website: z.string(),
  phone: z.string(),
  leaders: z
    .array(PersonRef.extend({ memberId: Id, role: GroupRole, title: z.string() }))
    .describe('Leaders and everybody with a title, by rank; empty when the roster is not yours to see; at most 50'),
  subgroups: z.array(GroupRef.extend({ kind: GroupKind, members: z.int() })),
  requests: z.int().nullable().describe('People waiting for an answer; null when it is not yours to give'),
  fields: FieldValues.describe('Fields of the organisation, those with a value that is yours to see'),
  may: GroupMay,
  updatedAt: Instant,
})
export type Group = z.infer<typeof Group>

const aboutExample = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Keeps the minutes since 1901.' }] }] }
const OneGroup = z.strictObject({ groupId: Id })
const Facts = {
  name: text(150, 1),
  code: text(40, 1).nullable(),
  kind: GroupKind,
  chapterId: Id.nullable(),
  parentId: Id.nullable(),
  about: formattedText(),
  visibility: GroupVisibility,
  joinPolicy: JoinPolicy,
  capacity: z.int().min(1).max(1_000_000).nullable(),
  website: text(500).refine(
    (value) => value === '' || /^https?:\/\/\S+$/i.test(value),
    refusal('not_a_web_address', 'Enter an address that starts with https://.'),
  ),
  phone: text(40),
}
export const NewGroup = z
  .strictObject({ ...z.strictObject(Facts).partial().shape, name: Facts.name, fields: FieldChange.optional() })
  .meta({ examples: [{ name: 'Archive committee', kind: 'committee', visibility: 'members', joinPolicy: 'request' }] })
export type NewGroup = z.infer<typeof NewGroup>
export const GroupChange = z
  .strictObject({ ...Facts, fields: FieldChange })
  .partial()
  .meta({ examples: [{ about: aboutExample, capacity: 12 }] })
export type GroupChange = z.infer<typeof GroupChange>

// Members ---------------------------------------------------------------------------------------------------------------------------

export const GroupMember = z.object({
  id: Id.describe('Of the membership'),
  person: PersonRef.extend({ homeChapter: ChapterRef.nullable() }),
  role: GroupRole,
  title: z.string(),
  side: z.string().describe('Bench or party within the group, such as majority'),
  rank: z.int().nullable(),
  status: GroupMemberStatus,
  startsOn: CalendarDate.nullable(),
  endsOn: CalendarDate.nullable(),
  when: When,
  version: Version,
})
export type GroupMember = z.infer<typeof GroupMember>

/** A membership with its group: what "who chaired what" is answered with. */
export const MembershipInGroup = GroupMember.extend({
  group: GroupRef.extend({ code: z.string().nullable(), kind: GroupKind, parent: GroupRef.nullable() }),
})
export type MembershipInGroup = z.infer<typeof MembershipInGroup>

export const GroupMembersInput = z.strictObject({
  groupId: Id,
  q: z.string().max(200).optional().describe('Part of a name or title'),
  status: z.enum(['active', 'requested', 'invited', 'former']).optional().describe('active when left out; former are those who left'),
  role: GroupRole.optional(),
  side: z.string().max(60).optional(),
  sort: z
    .enum(['rank', '-rank', 'name', '-name', 'startsOn', '-startsOn'])
    .optional()
    .describe('rank when left out; name in groups of several thousand'),
  cursor: Cursor.optional(),
  limit: Limit.optional(),
})

export const MembershipsInput = z
  .strictObject({
    q: z.string().max(200).optional().describe('Part of the title, the person’s or the group’s name'),
    title: z.string().max(150).optional().describe('Part of the title, such as chair'),
    titled: z.boolean().optional().describe('Only people with a title'),
    personId: Id.optional(),
    groupId: Id.optional(),
    kind: GroupKind.optional(),
    when: z.enum(['current', 'former']).optional().describe('Both when left out'),
    cursor: Cursor.optional(),
    limit: Limit.optional(),
  })
  .meta({ examples: [{ title: 'chair', kind: 'committee' }] })

const MemberFacts = {
  role: GroupRole,
  title: text(150),
  side: text(60),
  rank: z.int().min(0).max(100_000).nullable(),
  startsOn: CalendarDate.nullable(),
}
export const NewGroupMember = z
  .strictObject({
    ...z.strictObject(MemberFacts).partial().shape,
    personId: Id,
    status: z.enum(['active', 'invited']).default('active'),
  })
  .meta({ examples: [{ personId: '01920000-0000-7000-8000-000000000002', role: 'leader', title: 'Chair' }] })
export type NewGroupMember = z.infer<typeof NewGroupMember>
export const GroupMemberChange = z.strictObject({ ...MemberFacts, endsOn: CalendarDate.nullable() }).partial()
export type GroupMemberChange = z.infer<typeof GroupMemberChange>
const OneMember = z.strictObject({ groupId: Id, memberId: Id })

export const groupsData = {
  list: get('/groups', 'listGroups', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Groups that you may see, a page at a time; searches name and code',
  })
    .input(GroupsListInput)
    .output(page(GroupRow)),
  create: post('/groups', 'createGroup', {
    needs: 'groups.manage',
    tag,
    summary: 'Make a group, in a chapter of yours or for the whole organisation',
  })
    .input(NewGroup)
    .output(Group),
  get: get('/groups/{groupId}', 'getGroup', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'A group with its leaders and how you stand to it',
  })
    .input(OneGroup)
    .output(Group),
  update: patch('/groups/{groupId}', 'updateGroup', { needs: 'groups.manage', tag, summary: 'Change a group; what is left out stays' })
    .input(GroupChange.extend(OneGroup.shape))
    .output(Group),
  archive: act('/groups/{groupId}/archive', 'archiveGroup', {
    needs: 'groups.manage',
    tag,
    summary: 'Archive a group: it keeps its history and accepts no new members',
  })
    .input(OneGroup)
    .output(Group),
  restore: act('/groups/{groupId}/restore', 'restoreGroup', {
    needs: 'groups.manage',
    tag,
    summary: 'Bring an archived group back',
  })
    .input(OneGroup)
    .output(Group),
  join: post('/groups/{groupId}/join', 'joinGroup', {
    needs: 'signed-in',
    tag,
    status: 200,
    summary: 'Join, ask to join, or accept an invitation, as the group allows',
    description: 'In an open group that is full you wait: the answer’s `mine.status` is `requested`.',
  })
    .input(OneGroup)
    .output(Group),
  leave: post('/groups/{groupId}/leave', 'leaveGroup', {
    needs: 'signed-in',
    tag,
    status: 204,
    summary: 'Leave a group, withdraw a request or decline an invitation',
    description: '422 `group_members_last_leader` for the only leader: name another first.',
  })
    .input(OneGroup)
    .output(z.void()),
  memberships: get('/group-memberships', 'listGroupMemberships', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Who is or was what in which group, over all groups whose roster you may see',
    readsPeople: 50,
  })
    .input(MembershipsInput)
    .output(page(MembershipInGroup)),
  members: {
    list: get('/groups/{groupId}/members', 'listGroupMembers', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'Members of a group as far as you may see them',
      readsPeople: 50,
    })
      .input(GroupMembersInput)
      .output(page(GroupMember)),
    add: post('/groups/{groupId}/members', 'addGroupMember', { needs: 'groups.manage', tag, summary: 'Add or invite a person' })
      .input(NewGroupMember.extend(OneGroup.shape))
      .output(GroupMember),
    update: patch('/groups/{groupId}/members/{memberId}', 'updateGroupMember', {
      needs: 'groups.manage',
      tag,
      summary: 'Change role, title, side, rank or dates of a member',
    })
      .input(GroupMemberChange.extend(OneMember.shape))
      .output(GroupMember),
    remove: del('/groups/{groupId}/members/{memberId}', 'removeGroupMember', {
      needs: 'groups.manage',
      tag,
      summary: 'End a membership today; it stays among the former members',
    })
      .input(OneMember)
      .output(z.void()),
    approve: post('/groups/{groupId}/members/{memberId}/approve', 'approveGroupRequest', {
      needs: 'groups.manage',
      tag,
      status: 200,
      summary: 'Let someone in who asked to join',
    })
      .input(OneMember)
      .output(GroupMember),
    decline: post('/groups/{groupId}/members/{memberId}/decline', 'declineGroupRequest', {
      needs: 'groups.manage',
      tag,
      status: 200,
      summary: 'Turn a request down; the person may ask again',
    })
      .input(OneMember)
      .output(GroupMember),
  },
}

// Many at once ----------------------------------------------------------------------------------------------------------------------

export const GroupBulkChange = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('tag'), tagId: Id }),
  z.strictObject({ do: z.literal('untag'), tagId: Id }),
  z.strictObject({ do: z.literal('archive') }),
  z.strictObject({ do: z.literal('restore') }),
  z.strictObject({ do: z.literal('chapter'), chapterId: Id.nullable().describe('Null for the whole organisation') }),
  z.strictObject({ do: z.literal('visibility'), visibility: GroupVisibility }),
  ...fieldBulkChanges,
])
export type GroupBulkChange = z.infer<typeof GroupBulkChange>

export const groupsActions = {
  bulk: bulkProcedures({ path: '/groups', name: 'Groups', tag, records: 'groups', change: GroupBulkChange, example: { do: 'archive' } }),
}
