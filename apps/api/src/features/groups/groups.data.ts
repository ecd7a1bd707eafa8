import type { GroupChange } from '@guildhall/contract/features/groups'
import type { ActorDb } from '@guildhall/db'
import { readFilter } from '../../platform/lists/filters.ts'
import { mustSeeMentioned } from '../../platform/formatted-text/mentions.ts'
import { listPage } from '../../platform/lists/list-page.ts'
import { notify } from '../../platform/notify.ts'
import { readOne } from '../../platform/records/statement.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { mustSeeChapter } from '../chapters/chapters.references.public.ts'
import { fieldsAsked, saveFields } from '../fields/fields.public.ts'
import { groupsList } from './groups.list.queries.ts'
import { members } from './groups.members.data.ts'
import { membershipsList, membershipsReach } from './groups.members.queries.ts'
import { groupOf, groupQuery } from './groups.queries.ts'
import { whyNotJoin } from './groups.rules.ts'
import {
  acceptInvitation,
  codeTaken,
  findGroup,
  insertGroup,
  insertMyself,
  leaveGroup,
  referable,
  setArchived,
  updateGroup,
} from './groups.writes.queries.ts'

const { groups } = data

export const groupsData = groups.router({
  list: groups.list.handler(async ({ input, context }) => {
    const fields = await fieldsAsked(context, 'groups', [input.filter, input.sort])
    return listPage(context, groupsList({ ...input, filter: readFilter(input.filter), fields }), input)
  }),

  get: groups.get.handler(async ({ input, context }) => {
    return groupOf(await readOne(context, groupQuery(input.groupId)))
  }),

  create: groups.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await checkReferences(db, input, null)
      await mustSeeMentioned(db, 'about', input.about)
      const { fields = {}, ...facts } = input
      const groupId = await insertGroup(db, context.actor, facts)
      await saveFields(db, { type: 'groups', orgId: context.actor.orgId, recordId: groupId, isNew: true }, fields)
      return mustFind(await findGroup(db, groupId))
    }),
  ),

  update: groups.update.handler(({ input: { groupId, ...change }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findGroup(db, groupId))
      // A group that more people see from now on may meet one of its code.
      await checkReferences(db, { ...change, ...(change.visibility && change.code === undefined ? { code: before.code } : {}) }, groupId)
      await mustSeeMentioned(db, 'about', change.about, before.about)
      if (change.capacity && change.capacity < before.members) throw problem('CONFLICT', capacityFault(before.members))
      const { fields, ...facts } = change
      const after = await updateGroup(db, { groupId, version: context.ifMatch }, facts, fields !== undefined)
      if (!fields) return after
      await saveFields(db, { type: 'groups', orgId: context.actor.orgId, recordId: groupId }, fields)
      return mustFind(await findGroup(db, groupId))
    }),
  ),

  archive: groups.archive.handler(({ input: { groupId }, context }) =>
    context.inTx((db) => archiveOrRestore(db, { groupId, version: context.ifMatch }, true)),
  ),
  restore: groups.restore.handler(({ input: { groupId }, context }) =>
    context.inTx((db) => archiveOrRestore(db, { groupId, version: context.ifMatch }, false)),
  ),

  join: groups.join.handler(({ input: { groupId }, context }) =>
    context.inTx(async (db) => {
      const group = mustFind(await findGroup(db, groupId))
      if (group.may.join === null) throw problem('CONFLICT', whyNotJoin(group))
      if (group.may.join === 'accept') {
        const accepted = await acceptInvitation(db, groupId)
        if (!accepted)
          throw problem('CONFLICT', { reason: 'not_invited', detail: 'This invitation has already been answered or withdrawn.' })
      } else {
        const status = group.may.join === 'join' ? 'active' : 'requested'
        const personId = await insertMyself(db, context.actor.orgId, groupId, status)
        if (status === 'requested') await notify(db, { kind: 'group-request', to: { leadersOf: groupId }, about: { groupId, personId } })
      }
      return mustFind(await findGroup(db, groupId))
    }),
  ),

  leave: groups.leave.handler(({ input: { groupId }, context }) =>
    context.inTx(async (db) => {
      if (await leaveGroup(db, groupId)) return
      throw (await findGroup(db, groupId))
        ? problem('CONFLICT', { reason: 'not_in_group', detail: 'You are not in this group.' })
        : problem('NOT_FOUND')
    }),
  ),

  memberships: groups.memberships.handler(async ({ input, context }) =>
    listPage(context, membershipsList(input, await membershipsReach(context, input.q?.trim() ?? '')), input),
  ),
  members,
})

async function archiveOrRestore(db: ActorDb, group: { groupId: string; version: number }, archive: boolean) {
  const before = mustFind(await findGroup(db, group.groupId))
  if ((before.archivedAt !== null) === archive) {
    throw problem('CONFLICT', {
      reason: archive ? 'group_already_archived' : 'group_not_archived',
      detail: archive ? 'This group is already archived.' : 'This group is not archived.',
    })
  }
  return setArchived(db, group, archive)
}

/** What a group refers to must be there for the caller, and its code free. */
async function checkReferences(db: ActorDb, { chapterId, parentId, code }: GroupChange, groupId: string | null): Promise<void> {
  await mustSeeChapter(db, chapterId)
  if (parentId && (parentId === groupId || !(await referable(db, 'app.groups', parentId)))) {
    throw problem(
      'UNPROCESSABLE_CONTENT',
      parentId === groupId
        ? fault('parentId', 'group_own_parent', 'A group cannot be its own parent.')
        : fault('parentId', 'group_not_found', 'There is no such group.'),
    )
  }
  if (code && (await codeTaken(db, code, groupId)))
    throw problem('CONFLICT', fault('code', 'group_code_taken', `Another group has the code ${code}.`, { params: { code } }))
}

const capacityFault = (members: number) =>
  fault('capacity', 'capacity_in_use', `The group already has ${members} members.`, { params: { members } })
