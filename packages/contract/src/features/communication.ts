import { announcements } from './communication.announcements.ts'
import { audiences } from './communication.audiences.ts'
import { automations, followUps } from './communication.automations.ts'
import { deliverability } from './communication.deliverability.ts'
import { messages, messagesActions } from './communication.messages.ts'
import { messagePictures, messagePreview, templates } from './communication.templates.ts'
import { communicationConsents, communicationSuppressions, communicationTopics } from './communication.topics.ts'

/** Put together from communication.<part>.ts. */
export const communicationData = {
  announcements,
  audiences,
  automations,
  deliverability,
  followUps,
  messages,
  topics: communicationTopics,
  consents: communicationConsents,
  suppressions: communicationSuppressions,
  templates,
  messagePictures,
}

export const communicationActions = { messagePreview, messages: messagesActions }
