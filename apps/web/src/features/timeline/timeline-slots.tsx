import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const timelineSlots: FeatureSlots = {
  personTabs: [
    {
      key: 'activity',
      label: msg`Activity`,
      order: 20,
      content: lazy(async () => ({ default: (await import('./person-activity.tsx')).PersonActivity })),
    },
  ],
}
