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
  historyWords: [
    {
      entities: { topics: { noun: msg`Topic` } },
      fields: { defaultOpt: msg`Subscribed without choosing`, confirm: msg`Confirmation by mail` },
    },
  ],
}
