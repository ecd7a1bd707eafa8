import type { GroupMember } from '@guildhall/contract/features/groups'
import type { ActorDb } from '@guildhall/db'
import { listPage } from '../../platform/lists/list-page.ts'
import { notify } from '../../platform/notify.ts'
import { readOne } from '../../platform/records/statement.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { findMember, groupMembersList, groupSizeQuery, updateMember } from './groups.members.queries.ts'
import { answerRequest, findGroup, insertMember, personThere, removeMember } from './groups.writes.queries.ts'

const { members: procedures } = data.groups

export const members = procedures.router({
  list: procedures.list.handler(async ({ input, context }) => {
    // An empty page of a group that is not there would look like an empty group.
    const group = await readOne(context, groupSizeQuery(input.groupId))
    return listPage(context, groupMembersList(input, group.size, await context.findPeople(context, input.q?.trim())), input)
  }),

  add: procedures.add.handler(({ input: { groupId, ...member }, context }) =>
    context.inTx(async (db) => {
      const group = mustFind(await findGroup(db, groupId))
      if (!group.may.manageMembers) throw problem('FORBIDDEN')
      if (group.archivedAt)
        throw problem('CONFLICT', { reason: 'group_archived', detail: 'This group is archived and accepts no new members.' })
      if (!(await personThere(db, member.personId)))
        throw problem('UNPROCESSABLE_CONTENT', fault('personId', 'person_not_found', 'There is no such person.'))
      const memberId = await insertMember(db, context.actor.orgId, groupId, member)
      if (!memberId) {
        throw problem('CONFLICT', { reason: 'already_member', detail: 'This person is in the group, invited or waiting already.' })
      }
      return mustFind(await findMember(db, { groupId, memberId }))
    }),
  ),

  update: procedures.update.handler(({ input: { groupId, memberId, ...change }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findMember(db, { groupId, memberId }))
      const startsOn = change.startsOn === undefined ? before.startsOn : change.startsOn
      const endsOn = change.endsOn === undefined ? before.endsOn : change.endsOn
      if (startsOn && endsOn && endsOn < startsOn)
        throw problem('UNPROCESSABLE_CONTENT', fault('endsOn', 'dates', 'The last day cannot be before the first.'))
      return updateMember(db, { groupId, memberId }, context.ifMatch, change)
    }),
  ),

  remove: procedures.remove.handler(({ input, context }) =>
    context.inTx(async (db) => {
      if (await removeMember(db, input)) return
      const member = mustFind(await findMember(db, input))
      throw member.when === 'past'
        ? problem('CONFLICT', { reason: 'member_left', detail: 'This person is no longer in the group.' })
        : problem('FORBIDDEN')
    }),
  ),

  approve: procedures.approve.handler(({ input, context }) => context.inTx((db) => answer(db, input, true))),
  decline: procedures.decline.handler(({ input, context }) => context.inTx((db) => answer(db, input, false))),
})

type Member = { groupId: string; memberId: string }

/** Two who answer at once cannot both: the second finds nobody waiting. */
async function answer(db: ActorDb, member: Member, admitted: boolean): Promise<GroupMember> {
  if (await answerRequest(db, member, admitted)) {
    const answered = mustFind(await findMember(db, member))
    await notify(db, {
      kind: 'group-answer',
      to: { personId: answered.person.id },
      about: { groupId: member.groupId },
      params: { outcome: admitted ? 'admitted' : 'declined' },
    })
    return answered
  }
  const there = mustFind(await findMember(db, member))
  throw there.status === 'requested' && there.when !== 'past'
    ? problem('FORBIDDEN')
    : problem('CONFLICT', { reason: 'not_requested', detail: 'This person is not waiting for an answer.' })
}
