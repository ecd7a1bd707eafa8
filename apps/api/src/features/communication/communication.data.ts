import { data } from '../../platform/procedures/procedures.ts'
import { announcements } from './announcements/communication.announcements.data.ts'
import { audiencesData } from './audiences/communication.audiences.data.ts'
import { automations, followUpsRouter as followUps } from './automations/communication.automations.data.ts'
import { deliverability } from './deliverability/communication.deliverability.data.ts'
import { consentsData, suppressionsData } from './consent/communication.consents.data.ts'
import { messages } from './sending/communication.messages.data.ts'
import { topicsData } from './consent/communication.topics.data.ts'
import { messagePictures, templates } from './templates/communication.templates.data.ts'

const { communication } = data

export const communicationData = communication.router({
  announcements,
  audiences: audiencesData,
  automations,
  deliverability,
  followUps,
  messages,
  topics: topicsData,
  consents: consentsData,
  suppressions: suppressionsData,
  templates,
  messagePictures,
})
