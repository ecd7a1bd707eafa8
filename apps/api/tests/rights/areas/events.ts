import { randomBytes, randomUUID } from 'node:crypto'
import type { eventsAnalytics } from '@guildhall/contract/features/events.analytics'
import type { eventsInvitations } from '@guildhall/contract/features/events.invitations'
import type { eventsSurvey } from '@guildhall/contract/features/events.survey'
import type { eventsFeeds } from '@guildhall/contract/features/events.feeds'
import type { eventsActions, eventsData } from '@guildhall/contract/features/events'
import { may } from '../line.ts'
import type { AreaRows, PolicyOf } from '../line.ts'
import { right } from '../grid.ts'
import { rights } from '../rights.ts'

export const eventsRights = {
  seeEvents: right(
    'See events for members',
    `                west below east org
     former          x    x     x    x
     member          x    x     x    x
     leader          x    x     x    x
     officer         x    x     x    x
     events          x    x     x    x
     finance         x    x     x    x
     communications  x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  /** Group leaders do so for events of their group. */
  manageEvents: right(
    'Create and change events, publish, cancel and archive them, and see and decide who comes',
    `                west below east org
     officer         x    x     -    -
     events          x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  refundRegistrations: right(
    'Refund seats that were paid and given back',
    `                west below east org
     finance         x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  seeRefunds: right(
    'See whose seats are refunded',
    `                west below east
     officer         x    x     -
     events          x    x     x
     finance         x    x     x
     admin           x    x     x
     owner           x    x     x`,
  ),
  seeRevenue: right(
    'See the revenue of an event',
    `                west below east org
     officer         x    x     -    -
     events          x    x     x    x
     finance         x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  seeRegistrations: right(
    'See who comes to an event, and check people in; everybody sees their own registration',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   x    x     -
     events          .   x    x     x
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  declineInvitation: right(
    'Decline an invitation to an event; each only their own',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   -    -     -`,
  ),
  answerSurvey: right(
    'Answer the survey of an event, and see the answer; only who was at the event, and each only their own',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   -    -     -`,
  ),
}
const { seeEvents, manageEvents, refundRegistrations, seeRefunds, seeRegistrations, seeRevenue, answerSurvey, declineInvitation } =
  eventsRights

export const eventsKinds = {
  event: seeEvents,
  eventDraft: manageEvents,
  registration: seeRegistrations,
  refund: seeRefunds,
  surveyAnswer: answerSurvey,
}

export const eventsRows: AreaRows = async ({ add, orgId, chapterId, canary, people }) => {
  const row = {
    org_id: orgId,
    chapter_id: chapterId,
    starts_at: '2090-06-10T18:00:00Z',
    ends_at: '2090-06-10T20:00:00Z',
    timezone: 'Europe/Berlin',
    venue_name: 'Hall',
  }
  const words = (kind: string) => ({ title: canary(kind), summary: canary(kind) })
  const eventId = await add('events', { ...row, ...words('event'), status: 'published', published_at: new Date() })
  const seriesId = await add('event_series', {
    ...{ org_id: orgId, rule: 'FREQ=WEEKLY', timezone: 'Europe/Berlin', starts_local: '2090-06-10T20:00:00' },
    ...{ until_on: '2090-12-01', made_until: '2090-12-01' },
  })
  const published = { ...row, status: 'published', published_at: new Date(), series_id: seriesId }
  const seriesEventId = await add('events', { ...published, ...words('event') })
  const of = { org_id: orgId, event_id: eventId }
  await add('event_ticket_types', { ...of, name: canary('event'), place: 1, price_amount: 2000, price_currency: 'EUR' })
  await add('event_programme', { ...of, title: canary('event'), place: 1, starts_at: row.starts_at })
  await add('event_questions', { ...of, text: canary('event'), place: 1 })
  await add('event_promo_codes', { ...of, code: 'EARLY', percent: 10 })
  const messageId = await add('event_messages', { ...of, kind: 'message', subject: canary('eventDraft'), send_at: '2090-06-09T18:00:00Z' })
  await add('event_mail_settings', { ...of, kind: 'reminder', extra: canary('eventDraft') })
  await add('event_staff', { ...of, person_id: people.blankPersonId, role: 'host' })
  const registered = { ...of, chapter_id: chapterId, cause: 'registered', source: 'import', price_amount: 0, price_currency: 'EUR' }
  const registrationId = await add('registrations', {
    ...registered,
    person_id: people.personId,
    name: canary('registration'),
    status: 'confirmed',
    confirmed_at: new Date(),
  })
  const checkedInId = await add('registrations', {
    ...registered,
    name: canary('registration'),
    status: 'checked_in',
    checked_in_at: new Date(),
  })
  const surveyEventId = await add('events', {
    ...row,
    ...words('event'),
    starts_at: new Date(Date.now() - 7_200_000),
    ends_at: new Date(Date.now() - 3_600_000),
    status: 'published',
    published_at: new Date(Date.now() - 86_400_000),
  })
  const surveyed = { org_id: orgId, event_id: surveyEventId }
  await add('event_surveys', surveyed)
  const invitationId = await add('event_invitations', { ...of, email: `${canary('eventDraft')}@example.org`, mails: 1 })
  await add('event_survey_questions', { ...surveyed, text: canary('event'), place: 1 })
  await add('event_survey_answers', {
    ...surveyed,
    registration_id: await add('registrations', {
      ...registered,
      ...surveyed,
      person_id: people.personId,
      name: canary('registration'),
      status: 'confirmed',
      confirmed_at: new Date(),
    }),
    rating: 4,
    comment: canary('surveyAnswer'),
  })
  return {
    invitationId,
    invitedEventId: eventId,
    surveyEventId,
    feedId: await add('calendar_feeds', {
      org_id: orgId,
      id: randomUUID(),
      kind: 'chapter',
      public: true,
      chapter_id: chapterId,
      secret_hash: randomBytes(32).toString('hex'),
    }),
    eventMessageId: messageId,
    registrationId,
    refundRegistrationId: await add('registrations', {
      ...registered,
      name: canary('refund'),
      status: 'cancelled',
      cause: 'cancelled',
      refund_amount: 2000,
      refund_state: 'failed',
    }),
    pendingRegistrationId: await add('registrations', { ...registered, name: canary('registration'), status: 'pending_approval' }),
    offeredRegistrationId: await add('registrations', {
      ...registered,
      name: canary('registration'),
      status: 'offered',
      cause: 'offered',
      waiting_place: 1,
      offer_until: '2090-06-01T00:00:00Z',
    }),
    waitingRegistrationId: await add('registrations', {
      ...registered,
      name: canary('registration'),
      status: 'waitlisted',
      cause: 'waiting',
      waiting_place: 2,
    }),
    checkInId: await add('check_ins', {
      ...of,
      registration_id: checkedInId,
      client_id: 'rights-0001',
      device: canary('registration'),
      scanned_at: new Date(),
    }),
    eventId,
    seriesEventId,
    draftEventId: await add('events', { ...row, ...words('eventDraft') }),
    archivedEventId: await add('events', { ...row, ...words('eventDraft'), status: 'archived', archived_at: new Date() }),
    eventTemplateId: await add('events', { ...row, ...words('eventDraft'), template_name: canary('eventDraft') }),
  }
}

export const eventsPolicy: PolicyOf<
  typeof eventsData & {
    analytics: typeof eventsAnalytics
    feeds: typeof eventsFeeds
    survey: typeof eventsSurvey
    invitations: typeof eventsInvitations
  }
> = {
  registrations: {
    create: may(seeEvents, { send: {} }),
    price: may(seeEvents, { changesNothing: true }),
    list: may(seeEvents, { shows: ['registration'] }),
    mine: may(rights.account),
    get: may(seeRegistrations, { shows: ['registration'] }),
    cancel: may(seeRegistrations, { send: { reason: 'Ill' } }),
    approve: may(manageEvents, { ids: { registrationId: 'pendingRegistrationId' } }),
    reject: may(manageEvents, { ids: { registrationId: 'pendingRegistrationId' }, send: { reason: 'No room' } }),
    offer: may(manageEvents, { ids: { registrationId: 'waitingRegistrationId' } }),
    accept: may(manageEvents, { ids: { registrationId: 'offeredRegistrationId' } }),
    answer: may(seeRegistrations),
    refunds: may(rights.account),
    refund: may(refundRegistrations, { ids: { registrationId: 'refundRegistrationId' } }),
    transfer: may(seeRegistrations, { send: { name: 'Kim Larsen' } }),
  },
  messages: {
    list: may(manageEvents, { shows: ['eventDraft'] }),
    audience: may(manageEvents),
    send: may(manageEvents, {
      send: { subject: 'Coats', body: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Bring one.' }] }] } },
    }),
    withdraw: may(manageEvents, { ids: { messageId: 'eventMessageId' } }),
    automatic: may(manageEvents),
    setAutomatic: may(manageEvents, { ids: { kind: 'reminder' }, send: { enabled: false } }),
  },
  capacity: may(manageEvents),
  checkIn: {
    roster: may(manageEvents, { shows: ['registration'] }),
    scan: may(manageEvents, { changesNothing: true }),
    sync: may(manageEvents, { changesNothing: true }),
    undo: may(manageEvents),
  },
  invitations: {
    list: may(manageEvents, { shows: ['eventDraft'] }),
    counts: may(manageEvents),
    create: may(manageEvents, { send: { emails: ['kim@example.org'] } }),
    remind: may(manageEvents),
    revoke: may(manageEvents),
    decline: may(declineInvitation, { ids: { eventId: 'invitedEventId' }, refusedWith: [409] }),
  },
  survey: {
    get: may(seeEvents, { ids: { eventId: 'surveyEventId' }, shows: ['event', 'surveyAnswer'] }),
    set: may(manageEvents, { ids: { eventId: 'surveyEventId' }, send: { enabled: false } }),
    answer: may(answerSurvey, { ids: { eventId: 'surveyEventId' }, send: { rating: 2 }, refusedWith: [409] }),
    results: may(manageEvents, { ids: { eventId: 'surveyEventId' } }),
    download: may(manageEvents, { ids: { eventId: 'surveyEventId' }, changesNothing: true }),
  },
  feeds: {
    list: may(rights.account, { send: { kind: 'chapter' } }),
    create: may(rights.account),
    reset: may(manageEvents),
  },
  analytics: {
    one: may(manageEvents),
    revenue: may(seeRevenue),
    compare: may(rights.account),
    overview: may(rights.account),
  },
  list: may(rights.account, { shows: ['event'] }),
  calendar: may(rights.account),
  templates: may(rights.account),
  create: may(manageEvents, { send: { title: 'New', startsAt: '2090-07-01T18:00:00Z', chapterId: '$chapterId' } }),
  get: may(seeEvents, { shows: ['event'] }),
  calendarFile: may(seeEvents),
  update: may(manageEvents, { send: { capacity: 50 } }),
  publish: may(manageEvents, { ids: { eventId: 'draftEventId' } }),
  cancel: may(manageEvents, { send: { reason: 'Flooded' } }),
  previewSeries: may(manageEvents, {
    ids: { eventId: 'seriesEventId' },
    send: { repeats: { every: 'week', untilOn: '2090-12-01' }, scope: 'all' },
    changesNothing: true,
  }),
  changeSeries: may(manageEvents, {
    ids: { eventId: 'seriesEventId' },
    send: { repeats: { every: 'week', untilOn: '2090-07-01' }, scope: 'all', reason: 'The hall is taken' },
  }),
  archive: may(manageEvents),
  restore: may(manageEvents, { ids: { eventId: 'archivedEventId' } }),
  copy: may(manageEvents, { send: { startsAt: '2090-07-01T18:00:00Z' } }),
}

export const eventsActionsPolicy: PolicyOf<typeof eventsActions> = {
  printTicket: may(seeRegistrations, { changesNothing: true }),
  bulk: { preview: may(rights.account, { changesNothing: true }), run: may(rights.account, {}) },
  registrations: { bulk: { preview: may(rights.account, { changesNothing: true }), run: may(rights.account, {}) } },
}
