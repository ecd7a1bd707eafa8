import type { GroupMember } from '@guildhall/contract/features/groups'
import type { ActorDb } from '@guildhall/db'
import { listPage } from '../../platform/lists/list-page.ts'
import { reachOf } from '../../platform/lists/people-search.ts'
import { problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { untouched } from '../../platform/procedures/stale.ts'
import { findMember, groupMembersList, groupSizeQuery } from './groups.members.queries.ts'
import { answerRequest, findGroup, insertMember, personThere, removeMember, updateMember } from './groups.writes.queries.ts'

const { members: procedures } = data.groups

export const members = procedures.router({
  list: procedures.list.handler(async ({ input, context, errors }) => {
    const [group] = await context.read(groupSizeQuery(input.groupId))
    // An empty page of a group that is not there would look like an empty group.
    if (!group) throw errors.NOT_FOUND()
    return listPage(context, groupMembersList(input, group.size, await reachOf(context, input.q?.trim() ?? '')), input)
  }),

  add: procedures.add.handler(({ input: { groupId, ...member }, context, errors }) =>
    context.inTx(async (db) => {
      const group = await findGroup(db, groupId)
      if (!group) throw errors.NOT_FOUND()
      if (!group.may.manageMembers) throw errors.FORBIDDEN()
      if (group.archivedAt)
        throw errors.CONFLICT({ data: { reason: 'archived', detail: 'This group is archived and accepts no new members.' } })
      if (!(await personThere(db, member.personId))) {
        const message = 'There is no such person.'
        throw errors.UNPROCESSABLE_CONTENT({
          data: { reason: 'person_not_found', detail: message, errors: [{ path: 'personId', code: 'person_not_found', message }] },
        })
      }
      const memberId = await insertMember(db, context.actor.orgId, groupId, member)
      if (!memberId) {
        throw errors.CONFLICT({ data: { reason: 'already_member', detail: 'This person is in the group, invited or waiting already.' } })
      }
      return found(db, { groupId, memberId })
    }),
  ),

  update: procedures.update.handler(({ input: { groupId, memberId, ...change }, context, errors }) =>
    context.inTx(async (db) => {
      const before = await findMember(db, { groupId, memberId })
      if (!before) throw errors.NOT_FOUND()
      const startsOn = change.startsOn === undefined ? before.startsOn : change.startsOn
      const endsOn = change.endsOn === undefined ? before.endsOn : change.endsOn
      if (startsOn && endsOn && endsOn < startsOn) {
        const message = 'The last day cannot be before the first.'
        throw errors.UNPROCESSABLE_CONTENT({
          data: { reason: 'dates', detail: message, errors: [{ path: 'endsOn', code: 'dates', message }] },
        })
      }
      if (Object.keys(change).length > 0 && !(await updateMember(db, { groupId, memberId }, context.ifMatch, change))) {
        throw untouched(await findMember(db, { groupId, memberId }), context.ifMatch)
      }
      return found(db, { groupId, memberId })
    }),
  ),

  remove: procedures.remove.handler(({ input, context, errors }) =>
    context.inTx(async (db) => {
      if (await removeMember(db, input)) return
      const member = await findMember(db, input)
      if (!member) throw errors.NOT_FOUND()
      throw member.when === 'past'
        ? errors.CONFLICT({ data: { reason: 'not_a_member', detail: 'This person is no longer in the group.' } })
        : errors.FORBIDDEN()
    }),
  ),

  approve: procedures.approve.handler(({ input, context }) => context.inTx((db) => answer(db, input, true))),
  decline: procedures.decline.handler(({ input, context }) => context.inTx((db) => answer(db, input, false))),
})

type Member = { groupId: string; memberId: string }

async function found(db: ActorDb, member: Member): Promise<GroupMember> {
  const row = await findMember(db, member)
  if (!row) throw problem('NOT_FOUND')
  return row
}

/** Two who answer at once cannot both: the second finds nobody waiting. */
async function answer(db: ActorDb, member: Member, admitted: boolean): Promise<GroupMember> {
  if (await answerRequest(db, member, admitted)) return found(db, member)
  const there = await findMember(db, member)
  if (!there) throw problem('NOT_FOUND')
  throw there.status === 'requested' && there.when !== 'past'
    ? problem('FORBIDDEN')
    : problem('CONFLICT', { reason: 'not_requested', detail: 'This person is not waiting for an answer.' })
}
