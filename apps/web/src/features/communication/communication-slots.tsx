import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const communicationSlots: FeatureSlots = {
  personTabs: [
    {
      key: 'messages',
      label: msg`Messages`,
      order: 54,
      may: (_, can) => can('messages.write'),
      content: lazy(async () => ({ default: (await import('./emails/person-messages.tsx')).PersonMessages })),
    },
    {
      key: 'subscriptions',
      label: msg`Subscriptions`,
      order: 55,
      may: (_, can) => can('people.contact'),
      content: lazy(async () => ({ default: (await import('./consent/person-subscriptions.tsx')).PersonSubscriptions })),
    },
  ],
  personActs: [lazy(async () => ({ default: (await import('./emails/write-acts.tsx')).WritePerson }))],
  selectionActs: [lazy(async () => ({ default: (await import('./emails/write-acts.tsx')).WriteSelected }))],
  chapterTabs: [
    {
      key: 'messages',
      label: msg`Messages`,
      order: 68,
      may: ({ chapter }, can) => can('messages.write', { chapterId: chapter.id }),
      content: lazy(async () => ({ default: (await import('./emails/messages-of.tsx')).ChapterMessages })),
    },
  ],
  groupTabs: [
    {
      key: 'messages',
      label: msg`Messages`,
      order: 45,
      may: ({ group }, can) => can('messages.write', { groupId: group.id }),
      content: lazy(async () => ({ default: (await import('./emails/messages-of.tsx')).GroupMessages })),
    },
  ],
  eventTabs: [
    {
      key: 'emails',
      label: msg`E-mails`,
      order: 52,
      may: ({ event: { templateName } }, can) => can('messages.write') && templateName === null,
      content: lazy(async () => ({ default: (await import('./emails/messages-of.tsx')).EventMessages })),
    },
  ],
  paletteSources: [lazy(async () => ({ default: (await import('./communication-palette.tsx')).CommunicationPaletteSource }))],
  homeCards: [
    {
      key: 'followUps',
      label: msg`Follow-ups`,
      order: 15,
      may: (_, can) => can('messages.write'),
      content: lazy(async () => ({ default: (await import('./automations/follow-ups-card.tsx')).FollowUpsCard })),
    },
  ],
  historyWords: [
    {
      entities: {
        announcements: { noun: msg`announcement` },
        topics: { noun: msg`Topic` },
        automations: { noun: msg`automation` },
        follow_ups: { noun: msg`follow-up`, onPerson: msg`follow-up` },
      },
      fields: {
        audience: msg`Audience`,
        pinned: msg`Pinned`,
        published_at: msg`Published`,
        defaultOpt: msg`Subscribed without choosing`,
        confirm: msg`Confirmation by mail`,
      },
      values: { 'announcements.audience': { officers: msg`Officers`, members: msg`Members`, everybody: msg`Everybody` } },
    },
  ],
}
