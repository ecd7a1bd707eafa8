import type { communicationActions, communicationData } from '@guildhall/contract/features/communication'
import { may } from '../line.ts'
import type { AreaRows, PolicyOf } from '../line.ts'
import { right } from '../grid.ts'
import { rights } from '../rights.ts'
import { announcementKinds, announcementRights, announcementRows, announcementsPolicy } from './communication/announcements.ts'
import { consentKinds, consentRights, consentRows, consentsPolicy, suppressionsPolicy, topicsPolicy } from './communication/consent.ts'
import { automationsKinds, automationsPolicy, automationsRights, automationsRows, followUpsPolicy } from './communication/automations.ts'
import { messagesActionsPolicy, messagesKinds, messagesPolicy, messagesRights, messagesRows } from './communication/messages.ts'
import { templatesActionsPolicy, templatesKinds, templatesPolicy, templatesRights, templatesRows } from './communication/templates.ts'

// What communication says to the tests of rights: who may call what, and what stands where.

export const communicationRights = {
  ...announcementRights,
  ...consentRights,
  ...automationsRights,
  ...messagesRights,
  ...templatesRights,
  /** Group leaders do so for their groups. */
  writeMessages: right(
    'Write messages, and see, save and change the audiences they are for',
    `                west below east org
     officer         x    x     -    -
     communications  x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  keepMessages: right(
    'See how mail arrives: bounces, complaints and the sender’s domain',
    `                org
     communications  x
     admin           x
     owner           x`,
  ),
}
const { writeMessages, keepMessages } = communicationRights

export const communicationKinds = {
  ...announcementKinds,
  ...automationsKinds,
  audience: writeMessages,
  ...consentKinds,
  ...messagesKinds,
  ...templatesKinds,
}

export const communicationRows: AreaRows = async (place) => {
  const { add, orgId, chapterId, canary, people } = place
  const audience = {
    org_id: orgId,
    chapter_id: chapterId,
    name: canary('audience'),
    description: canary('audience'),
    definition: { include: [{ kind: 'persons', ids: [people.personId] }], exclude: [] },
  }
  return {
    ...(await announcementRows(place)),
    ...(await consentRows(place)),
    ...(await automationsRows(place)),
    ...(await messagesRows(place)),
    ...(await templatesRows(place)),
    audienceId: await add('audiences', audience),
    archivedAudienceId: await add('audiences', { ...audience, archived_at: new Date() }),
  }
}

const west = { definition: { include: [{ kind: 'people' }] }, scope: { chapterId: '$chapterId' } }

export const communicationPolicy: PolicyOf<typeof communicationData> = {
  announcements: announcementsPolicy,
  deliverability: may(keepMessages),
  automations: automationsPolicy,
  followUps: followUpsPolicy,
  messages: messagesPolicy,
  ...templatesPolicy,
  audiences: {
    list: may(rights.account, { shows: ['audience'] }),
    create: may(writeMessages, { send: { name: 'New', chapterId: '$chapterId', definition: { include: [{ kind: 'people' }] } } }),
    get: may(writeMessages, { shows: ['audience'] }),
    update: may(writeMessages, { send: { name: 'New' } }),
    archive: may(writeMessages),
    count: may(writeMessages, { send: west, changesNothing: true }),
    people: may(writeMessages, { send: west, changesNothing: true }),
    why: may(writeMessages, { send: { ...west, personId: '$personId' }, changesNothing: true }),
    size: may(writeMessages),
    restore: may(writeMessages, { ids: { audienceId: 'archivedAudienceId' } }),
  },
  topics: topicsPolicy,
  consents: consentsPolicy,
  suppressions: suppressionsPolicy,
}

export const communicationActionsPolicy: PolicyOf<typeof communicationActions> = {
  messages: messagesActionsPolicy,
  ...templatesActionsPolicy,
}
