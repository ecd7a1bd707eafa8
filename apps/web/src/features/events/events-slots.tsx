import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const eventsSlots: FeatureSlots = {
  homeCards: [
    {
      key: 'eventAttendance',
      label: msg`Attendance at events`,
      order: 40,
      may: ({ home }, can) => home.scope !== 'me' && can('events.manage'),
      content: lazy(async () => ({ default: (await import('./analytics/attendance-card.tsx')).AttendanceCard })),
    },
    {
      key: 'nextEvents',
      label: msg`Next events`,
      order: 10,
      content: lazy(async () => ({ default: (await import('./register/next-events-card.tsx')).NextEventsCard })),
    },
  ],
  personTabs: [
    {
      key: 'events',
      label: msg`Events`,
      order: 32,
      may: (_, can) => can('events.manage') || can('events.checkin'),
      content: lazy(async () => ({ default: (await import('./tabs/person-events.tsx')).PersonEvents })),
    },
  ],
  chapterTabs: [
    {
      key: 'events',
      label: msg`Events`,
      order: 50,
      content: lazy(async () => ({ default: (await import('./tabs/events-of.tsx')).ChapterEvents })),
    },
  ],
  groupTabs: [
    {
      key: 'events',
      label: msg`Events`,
      order: 40,
      content: lazy(async () => ({ default: (await import('./tabs/events-of.tsx')).GroupEvents })),
    },
  ],
  accountTabs: [
    {
      key: 'refunds',
      label: msg`Ticket refunds`,
      order: 68,
      may: (_, can) => can('finance.read'),
      content: lazy(async () => ({ default: (await import('./refunds/refunds-tab.tsx')).RefundsTab })),
    },
  ],
  paletteSources: [lazy(async () => ({ default: (await import('./events-palette.tsx')).EventsPaletteSource }))],
  eventTabs: [
    {
      key: 'invitations',
      label: msg`Invitations`,
      order: 15,
      may: ({ event: { may, templateName } }) => may.edit && templateName === null,
      content: lazy(async () => ({ default: (await import('./invitations/invitations-section.tsx')).InvitationsSection })),
    },
    {
      key: 'survey',
      label: msg`Survey`,
      order: 45,
      may: ({ event: { may } }) => may.edit,
      content: lazy(async () => ({ default: (await import('./survey/survey-section.tsx')).SurveySection })),
    },
    {
      key: 'messages',
      label: msg`Messages`,
      order: 50,
      may: ({ event: { may } }) => may.edit || may.restore,
      content: lazy(async () => ({ default: (await import('./messages/messages-section.tsx')).MessagesSection })),
    },
  ],
  timelineTexts: [
    {
      category: 'events',
      label: msg`Events`,
      order: 35,
      kinds: ['event-attended'],
      entry: lazy(async () => ({ default: (await import('./tabs/event-timeline.tsx')).EventEntry })),
    },
  ],
  historyWords: [
    {
      entities: {
        events: { noun: msg`Event` },
        event_ticket_types: { noun: msg`Ticket` },
        event_promo_codes: { noun: msg`Promo code` },
        event_questions: { noun: msg`Question` },
        event_surveys: { noun: msg`Survey` },
        event_survey_questions: { noun: msg`Survey question` },
        event_programme: { noun: msg`Programme item` },
        event_staff: { noun: msg`Event staff`, onPerson: msg`Event staff` },
      },
      lists: { registrations: msg`Registrations` },
    },
  ],
}
