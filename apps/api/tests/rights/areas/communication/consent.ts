import type {
  communicationConsents,
  communicationSuppressions,
  communicationTopics,
} from '@guildhall/contract/features/communication.topics'
import { right } from '../../grid.ts'
import { may } from '../../line.ts'
import type { AreaRows, PolicyOf } from '../../line.ts'
import { rights } from '../../rights.ts'

export const consentRights = {
  manageTopics: right(
    'Keep the topics of a chapter',
    `                west below east
     officer         x    x     -
     communications  x    x     x
     admin           x    x     x
     owner           x    x     x`,
  ),
  manageMessages: right(
    'Keep topics of the organisation, and addresses that get no mail',
    `                west below east org
     communications  x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  recordConsents: right(
    'Record what others said about a topic',
    `                own west below east
     officer         -   x    x     -
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
}
const { manageTopics, manageMessages, recordConsents } = consentRights

export const consentKinds = { topic: rights.account, consent: rights.seeContact, suppression: manageMessages }

export const consentRows: AreaRows = async ({ add, run, orgId, chapterId, canary, people }) => {
  const topic = (name: string, more: Record<string, unknown> = {}) =>
    add('topics', {
      org_id: orgId,
      chapter_id: chapterId,
      name: name.slice(0, 80),
      description: canary('topic'),
      kind: 'marketing',
      default_opt: 'out',
      ...more,
    })
  const topicId = await topic(canary('topic'))
  const otherTopicId = await topic(`Other ${canary('topic')}`)
  await add('consents', {
    org_id: orgId,
    person_id: people.personId,
    topic_id: otherTopicId,
    state: 'subscribed',
    source: 'officer',
    proof: JSON.stringify({ note: canary('consent') }),
  })
  await run(
    `insert into app.mail_suppressions (org_id, address_hash, reason, source) values ($1, app_private.address_hash('released@example.org'), 'manual', $2) on conflict do nothing`,
    [orgId, canary('suppression')],
  )
  return {
    topicId,
    chosenTopicId: topicId,
    otherTopicId,
    archivedTopicId: await topic(`Old ${canary('topic')}`, { archived_at: new Date() }),
  }
}

const note = 'Said so at the meeting.'
export const topicsPolicy: PolicyOf<typeof communicationTopics> = {
  list: may(rights.account, { shows: ['topic'] }),
  create: may(manageTopics, { send: { name: 'Trips', chapterId: '$chapterId' } }),
  update: may(manageTopics, { send: { description: 'Once a month' } }),
  archive: may(manageTopics),
  restore: may(manageTopics, { ids: { topicId: 'archivedTopicId' } }),
  reorder: may(manageMessages, { send: { topicIds: ['$topicId'] } }),
}
export const consentsPolicy: PolicyOf<typeof communicationConsents> = {
  get: may(rights.seeContact),
  choose: may(rights.oneself, { ids: { topicId: 'chosenTopicId' }, send: { subscribed: true } }),
  prefer: may(rights.oneself, { send: { essentialOnly: true, pauseWeeks: null } }),
  record: may(recordConsents, { send: { topicId: '$topicId', subscribed: true, note } }),
  reach: may(rights.seeContact),
}
export const suppressionsPolicy: PolicyOf<typeof communicationSuppressions> = {
  list: may(manageMessages),
  add: may(manageMessages, { send: { address: 'none@example.org', note } }),
  release: may(manageMessages, { send: { address: 'released@example.org', note } }),
}
