import type { EventMessage } from '@guildhall/contract/features/events'
import { listPage } from '../../../platform/lists/list-page.ts'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import {
  addMessage,
  allSettings,
  audienceQuery,
  counted,
  findMessage,
  findSettings,
  isEssential,
  keepSetting,
  messagesList,
  outcomesQuery,
  settingsQuery,
  withdrawMessage,
} from './events.messages.queries.ts'
import { eventQuery } from '../events.queries.ts'
import { standingQuery } from '../events.registrations.queries.ts'

const { events } = data

type Reading = Parameters<typeof readOne>[0]
async function mustManage(context: Reading, eventId: string): Promise<void> {
  if (!(await readOne(context, standingQuery(eventId))).mayManage) throw problem('FORBIDDEN')
}
const fresh = { waiting: 0, sent: 0, failed: 0, suppressed: 0, unknown: 0 }
const yearAhead = 366 * 86_400_000

export const messages = events.messages.router({
  list: events.messages.list.handler(async ({ input, context }) => {
    await mustManage(context, input.eventId)
    const { items, ...page } = await listPage(context, messagesList(input.eventId), input)
    return { ...page, items: counted(items, await context.read(outcomesQuery(input.eventId))) }
  }),
  audience: events.messages.audience.handler(async ({ input, context }) => {
    await mustManage(context, input.eventId)
    return readOne(context, audienceQuery(input.eventId, input.audience, input.ticketTypeId))
  }),
  send: events.messages.send.handler(async ({ input: { eventId, ...wanted }, context }): Promise<EventMessage> => {
    await mustManage(context, eventId)
    const { event } = await readOne(context, eventQuery(eventId))
    if (event.status !== 'published' && event.status !== 'cancelled')
      throw problem('CONFLICT', { reason: 'event_message_draft', detail: 'Publish the event first: nobody has registered for a draft.' })
    if (wanted.ticketTypeId !== undefined && !event.ticketTypes.some(({ id }) => id === wanted.ticketTypeId))
      throw problem('UNPROCESSABLE_CONTENT', fault('ticketTypeId', 'ticket_unknown', 'This event has no such ticket.'))
    if (wanted.sendAt !== undefined && Date.parse(wanted.sendAt) > Date.now() + yearAhead)
      throw problem('UNPROCESSABLE_CONTENT', fault('sendAt', 'event_message_far', 'Choose a time within a year.'))
    return context.inTx(async (db) => {
      const { eventId: _event, ...made } = mustFind(await findMessage(db, await addMessage(db, context.actor.orgId, eventId, wanted)))
      return { ...made, outcomes: fresh }
    })
  }),
  withdraw: events.messages.withdraw.handler(({ input: { messageId }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findMessage(db, messageId))
      if (before.kind !== 'message' || before.state === 'sending' || before.state === 'sent')
        throw problem('CONFLICT', { reason: 'event_message_sent', detail: 'This message has already been sent.' })
      await withdrawMessage(db, messageId)
      const { eventId: _event, ...after } = mustFind(await findMessage(db, messageId))
      return { ...after, outcomes: fresh }
    }),
  ),
  automatic: events.messages.automatic.handler(async ({ input, context }) => {
    await mustManage(context, input.eventId)
    return { items: allSettings(await readOne(context, settingsQuery(input.eventId))) }
  }),
  setAutomatic: events.messages.setAutomatic.handler(async ({ input: { eventId, ...wanted }, context }) => {
    await mustManage(context, eventId)
    if (!wanted.enabled && isEssential(wanted.kind))
      throw problem('CONFLICT', { reason: 'event_mail_essential', detail: 'This mail is essential and cannot be switched off.' })
    return context.inTx(async (db) => {
      await keepSetting(db, context.actor.orgId, eventId, wanted)
      const kept = mustFind(await findSettings(db, eventId))
      return mustFind(allSettings(kept).find(({ kind }) => kind === wanted.kind))
    })
  }),
})
