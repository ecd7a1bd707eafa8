import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const importsSlots: FeatureSlots = {
  accountTabs: [
    {
      key: 'imports',
      label: msg`Imports`,
      order: 70,
      may: (_, can) => can('people.import'),
      content: lazy(async () => ({ default: (await import('./imports-tab.tsx')).Imports })),
    },
  ],
}
