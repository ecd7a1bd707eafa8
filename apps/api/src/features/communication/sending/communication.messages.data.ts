import type { Message } from '@guildhall/contract/features/communication.messages'
import { readFilter } from '../../../platform/lists/filters.ts'
import { listPage } from '../../../platform/lists/list-page.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { kindOf } from '../../../platform/notify.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mustTouch } from '../../../platform/records/update-record.ts'
import { mustSeeChapter } from '../../chapters/chapters.references.public.ts'
import { mustSeeGroup } from '../../groups/groups.references.public.ts'
import { audienceReach, mustBeComplete } from './communication.checks.queries.ts'
import {
  deliveriesList,
  findMessage,
  insertMessage,
  messageOf,
  messageQuery,
  messagesList,
  moveMessage,
  personMessagesList,
  removeMessage,
  retryDeliveries,
  seenPersonQuery,
  settingsQuery,
  tellOfReview,
  updateMessage,
  updateSettings,
} from './communication.messages.queries.ts'
import type { Choices } from './communication.messages.queries.ts'
import { overviewQuery, reportQuery } from './communication.reports.queries.ts'
import type { MessageMove } from './communication.sending.rules.ts'
import { messageTestMail } from './communication.sending.jobs.ts'

const { messages: procedures } = data.communication

/** Who is asked to approve a message, and what its sender is told then. */
const told = {
  submit: { kind: 'message-review' },
  approve: { kind: 'message-answer', outcome: 'approved' },
  decline: { kind: 'message-answer', outcome: 'declined' },
} as const

/** One step in the life of a message. What is sent is complete, and goes to somebody. */
async function move(context: CallerContext, messageId: string, name: MessageMove, choices: Choices = {}): Promise<Message> {
  return context.inTx(async (db) => {
    const message = mustFind(await findMessage(db, messageId))
    const key = { id: messageId, version: context.ifMatch }
    const isSending = name === 'submit' || name === 'schedule'
    // Somebody who saw another version is told so before they are told what is missing in it.
    if (isSending && message.version === context.ifMatch && message.status === 'draft') {
      mustBeComplete(message)
      const recipients = await audienceReach(db, message)
      if (recipients === 0)
        throw problem('UNPROCESSABLE_CONTENT', { reason: 'message_audience_empty', detail: 'There is nobody in this audience.' })
      choices = { ...choices, recipients }
    }
    await mustTouch(await moveMessage(db, key, name, choices), () => findMessage(db, messageId), context.ifMatch)
    const news = Object.entries(told).find(([of]) => of === name)?.[1]
    if (news)
      await tellOfReview(db, messageId, {
        ...kindOf(news.kind),
        params: { title: message.name, ...('outcome' in news && { outcome: news.outcome }) },
        dedupe_key: `message:${messageId}:${name}:${message.version}`,
      })
    return mustFind(await findMessage(db, messageId))
  })
}

export const messages = procedures.router({
  list: procedures.list.handler(({ input, context }) =>
    listPage(context, messagesList({ ...input, filter: readFilter(input.filter) }), input),
  ),
  get: procedures.get.handler(async ({ input, context }) => messageOf(await readOne(context, messageQuery(input.messageId)))),
  create: procedures.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustSeeChapter(db, input.chapterId)
      await mustSeeGroup(db, input.groupId)
      return mustFind(await findMessage(db, await insertMessage(db, context.actor, input)))
    }),
  ),
  update: procedures.update.handler(({ input: { messageId, ...change }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findMessage(db, messageId))
      if (before.status !== 'draft' && before.version === context.ifMatch)
        throw problem('CONFLICT', { reason: 'message_not_draft', detail: 'This is no draft any more, so it cannot be changed.' })
      return updateMessage(db, { id: messageId, version: context.ifMatch }, change)
    }),
  ),
  remove: procedures.remove.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findMessage(db, input.messageId))
      if (before.status !== 'draft')
        throw problem('CONFLICT', { reason: 'message_not_draft', detail: 'Only a draft is deleted. Archive this instead.' })
      await mustTouch(await removeMessage(db, input.messageId), () => findMessage(db, input.messageId))
    }),
  ),
  archive: procedures.archive.handler(({ input, context }) =>
    context.inTx((db) => updateMessage(db, { id: input.messageId, version: context.ifMatch }, { archivedAt: new Date().toISOString() })),
  ),
  restore: procedures.restore.handler(({ input, context }) =>
    context.inTx((db) => updateMessage(db, { id: input.messageId, version: context.ifMatch }, { archivedAt: null })),
  ),
  duplicate: procedures.duplicate.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const { name, subject, preheader, body, fromName, replyTo, audience, pace, topic, chapter, group } = mustFind(
        await findMessage(db, input.messageId),
      )
      const facts = { name, subject, preheader, body, fromName, replyTo, audience, pace, topicId: topic?.id ?? null }
      const place = { chapterId: chapter?.id ?? null, groupId: group?.id ?? null }
      return mustFind(await findMessage(db, await insertMessage(db, context.actor, { ...facts, ...place })))
    }),
  ),

  submit: procedures.submit.handler(({ input, context }) => move(context, input.messageId, 'submit', { sendAt: input.sendAt })),
  withdraw: procedures.withdraw.handler(({ input, context }) => move(context, input.messageId, 'withdraw')),
  approve: procedures.approve.handler(({ input, context }) => move(context, input.messageId, 'approve', { note: input.note })),
  decline: procedures.decline.handler(({ input, context }) => move(context, input.messageId, 'decline', { note: input.note })),
  schedule: procedures.schedule.handler(({ input, context }) => move(context, input.messageId, 'schedule', { sendAt: input.sendAt })),
  sendNow: procedures.sendNow.handler(({ input, context }) => move(context, input.messageId, 'schedule')),
  takeBack: procedures.takeBack.handler(({ input, context }) => move(context, input.messageId, 'take_back')),
  pause: procedures.pause.handler(({ input, context }) => move(context, input.messageId, 'pause')),
  resume: procedures.resume.handler(({ input, context }) => move(context, input.messageId, 'resume')),
  cancel: procedures.cancel.handler(({ input, context }) => move(context, input.messageId, 'cancel')),
  restart: procedures.restart.handler(({ input, context }) => move(context, input.messageId, 'retry')),
  retry: procedures.retry.handler(({ input, context }) =>
    context.inTx(async (db) => {
      mustFind(await findMessage(db, input.messageId))
      return { again: await retryDeliveries(db, input.messageId, input.states) }
    }),
  ),
  test: procedures.test.handler(({ input, context }) =>
    context.inTx(async (db) => {
      mustBeComplete(mustFind(await findMessage(db, input.messageId)))
      const { accountId } = context.actor
      return { queued: (await sendMail(db, messageTestMail, { to: { accountId }, params: { message: input.messageId } })) !== null }
    }),
  ),

  deliveries: procedures.deliveries.handler(async ({ input, context }) => {
    await readOne(context, messageQuery(input.messageId))
    return listPage(context, deliveriesList(input.messageId, input.state, input.reason), input)
  }),
  report: procedures.report.handler(async ({ input, context }) => (await readOne(context, reportQuery(input.messageId))).item),
  overview: procedures.overview.handler(async ({ context }) => (await readOne(context, overviewQuery())).item),
  ofPerson: procedures.ofPerson.handler(async ({ input, context }) => {
    await readOne(context, seenPersonQuery(input.personId))
    return listPage(context, personMessagesList(input.personId), input)
  }),
  settings: procedures.settings.handler(async ({ context }) => (await readOne(context, settingsQuery())).item),
  updateSettings: procedures.updateSettings.handler(({ input, context }) =>
    context.inTx((db) => updateSettings(db, context.ifMatch, input)),
  ),
})
