import type { messages, messagesActions } from '@guildhall/contract/features/communication.messages'
import { right } from '../../grid.ts'
import { may } from '../../line.ts'
import type { AreaRows, PolicyOf } from '../../line.ts'
import { rights } from '../../rights.ts'

export const messagesRights = {
  /** Group leaders do so for their groups. */
  writeMails: right(
    'Write messages, and see what became of them',
    `                west below east org
     officer         x    x     -    -
     communications  x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  sendMails: right(
    'Send messages, approve those of others, pause and cancel them',
    `                west below east org
     officer         x    x     -    -
     communications  x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  setMailing: right(
    'Change how the organisation sends messages',
    `                org
     communications  x
     admin           x
     owner           x`,
  ),
}
const { writeMails, sendMails, setMailing } = messagesRights

export const messagesKinds = { mailing: writeMails }

export const messagesRows: AreaRows = async ({ add, orgId, chapterId, canary, people }) => {
  const topicId = await add('topics', { org_id: orgId, name: `Topic of ${chapterId}`, kind: 'marketing', default_opt: 'in' })
  const written = {
    ...{
      org_id: orgId,
      chapter_id: chapterId,
      topic_id: topicId,
      name: canary('mailing'),
      subject: 'Subject',
      decided_note: canary('mailing'),
    },
    body: {
      blocks: [{ type: 'text', text: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] }] } }],
    },
    audience: { include: [{ kind: 'persons', ids: [people.personId] }], exclude: [] },
  }
  const later = { send_at: '2090-06-01T08:00:00Z' }
  const past = { send_at: '2026-01-01T08:00:00Z', started_at: '2026-01-01T08:00:00Z' }
  const sentMessageId = await add('messages', { ...written, ...past, status: 'sent', finished_at: '2026-01-01T09:00:00Z' })
  const of = { org_id: orgId, message_id: sentMessageId }
  await add('message_deliveries', { ...of, person_id: people.otherPersonId, address: 'failed@message.example', state: 'failed' })
  await add('message_links', { ...of, number: 1, url: `https://example.org/${canary('mailing')}` })
  return {
    draftMessageId: await add('messages', written),
    archivedMessageId: await add('messages', { ...written, archived_at: new Date() }),
    reviewMessageId: await add('messages', { ...written, ...later, status: 'in_review' }),
    scheduledMessageId: await add('messages', { ...written, ...later, status: 'scheduled' }),
    sendingMessageId: await add('messages', { ...written, ...past, status: 'sending' }),
    pausedMessageId: await add('messages', { ...written, ...past, status: 'paused' }),
    failedMessageId: await add('messages', { ...written, ...past, status: 'failed' }),
    sentMessageId,
  }
}

const soon = { sendAt: new Date(Date.now() + 7 * 86_400_000).toISOString() }
const at = (name: string) => ({ ids: { messageId: `${name}MessageId` } })
export const messagesPolicy: PolicyOf<typeof messages> = {
  list: may(rights.account, { shows: ['mailing'] }),
  create: may(writeMails, { send: { name: 'New', chapterId: '$chapterId' } }),
  get: may(writeMails, { ...at('draft'), shows: ['mailing'] }),
  update: may(writeMails, { ...at('draft'), send: { subject: 'New' } }),
  remove: may(writeMails, at('draft')),
  archive: may(writeMails, at('draft')),
  restore: may(writeMails, at('archived')),
  duplicate: may(writeMails, at('sent')),
  submit: may(writeMails, { ...at('draft'), send: soon }),
  withdraw: may(writeMails, at('review')),
  approve: may(sendMails, at('review')),
  decline: may(sendMails, { ...at('review'), send: { note: 'No' } }),
  schedule: may(sendMails, { ...at('draft'), send: soon }),
  sendNow: may(sendMails, at('draft')),
  takeBack: may(sendMails, at('scheduled')),
  pause: may(sendMails, at('sending')),
  resume: may(sendMails, at('paused')),
  cancel: may(sendMails, at('sending')),
  restart: may(sendMails, at('failed')),
  retry: may(sendMails, { ...at('sent'), send: { states: ['failed'] } }),
  test: may(writeMails, at('draft')),
  deliveries: may(writeMails, at('sent')),
  report: may(writeMails, { ...at('sent'), shows: ['mailing'] }),
  overview: may(rights.account),
  ofPerson: may(rights.seePeople),
  settings: may(rights.account),
  updateSettings: may(setMailing, { ids: { version: 'none' }, send: { reviewAbove: 100 } }),
}
export const messagesActionsPolicy: PolicyOf<typeof messagesActions> = {
  preflight: may(writeMails, { ...at('draft'), send: { links: false }, changesNothing: true }),
}
