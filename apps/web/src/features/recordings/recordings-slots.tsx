import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const recordingsSlots: FeatureSlots = {
  accountTabs: [
    {
      key: 'recordings',
      label: msg`Recordings`,
      order: 50,
      may: (_, can) => can('organisation.manage'),
      content: lazy(async () => ({ default: (await import('./recordings-tab.tsx')).Recordings })),
    },
  ],
}
