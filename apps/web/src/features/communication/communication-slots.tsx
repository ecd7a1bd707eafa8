import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const communicationSlots: FeatureSlots = {
  personTabs: [
    {
      key: 'subscriptions',
      label: msg`Subscriptions`,
      order: 55,
      may: (_, can) => can('people.contact'),
      content: lazy(async () => ({ default: (await import('./consent/person-subscriptions.tsx')).PersonSubscriptions })),
    },
  ],
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
