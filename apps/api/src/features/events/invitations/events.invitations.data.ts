import { listPage } from '../../../platform/lists/list-page.ts'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { mustTouch } from '../../../platform/records/update-record.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mustSeeChapter } from '../../chapters/chapters.references.public.ts'
import { findEvent } from '../events.queries.ts'
import { standingQuery } from '../events.registrations.queries.ts'
import { mustSeeGroup } from '../../groups/groups.references.public.ts'
import {
  declineInvitation,
  findInvitation,
  invitationCountsQuery,
  invitationsList,
  invite,
  seesAll,
  remindInvitations,
  revokeInvitation,
} from './events.invitations.queries.ts'

const { invitations: procedures } = data.events

type Reading = Parameters<typeof readOne>[0]
async function mustManage(context: Reading, eventId: string): Promise<void> {
  if (!(await readOne(context, standingQuery(eventId))).mayManage) throw problem('FORBIDDEN')
}

export const invitations = procedures.router({
  list: procedures.list.handler(async ({ input, context }) => {
    await mustManage(context, input.eventId)
    return listPage(context, invitationsList(input.eventId, input.state), input)
  }),
  counts: procedures.counts.handler(async ({ input, context }) => {
    await mustManage(context, input.eventId)
    return readOne(context, invitationCountsQuery(input.eventId))
  }),
  create: procedures.create.handler(({ input: { eventId, ...wanted }, context }) =>
    context.inTx(async (db) => {
      const event = mustFind(await findEvent(db, eventId))
      if (!event.may.edit) throw problem('FORBIDDEN')
      if (event.status === 'cancelled' || Date.parse(event.startsAt) <= Date.now())
        throw problem('CONFLICT', { reason: 'event_past', detail: 'This event is over.' })
      if (wanted.personIds.length + wanted.emails.length === 0 && !wanted.groupId && !wanted.chapterId)
        throw problem('UNPROCESSABLE_CONTENT', fault('personIds', 'event_invitation_whom', 'Choose whom to invite.'))
      if (!(await seesAll(db, wanted.personIds)))
        throw problem('UNPROCESSABLE_CONTENT', fault('personIds', 'person_not_found', 'One of these people is not there.'))
      await mustSeeGroup(db, wanted.groupId)
      await mustSeeChapter(db, wanted.chapterId)
      return invite(db, context.actor, eventId, wanted)
    }),
  ),
  remind: procedures.remind.handler(async ({ input, context }) => {
    await mustManage(context, input.eventId)
    return context.inTx(async (db) => ({ reminded: await remindInvitations(db, input.eventId) }))
  }),
  revoke: procedures.revoke.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustTouch(await revokeInvitation(db, input.invitationId), () => findInvitation(db, input.invitationId))
    }),
  ),
  decline: procedures.decline.handler(({ input, context }) =>
    context.inTx(async (db) => {
      mustFind(await findEvent(db, input.eventId))
      if (!(await declineInvitation(db, input.eventId)))
        throw problem('CONFLICT', { reason: 'event_invitation_none', detail: 'You are not invited to this event.' })
      return { answer: 'declined' as const }
    }),
  ),
})
