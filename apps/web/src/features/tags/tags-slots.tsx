import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const tagsSlots: FeatureSlots = {
  accountTabs: [
    {
      key: 'tags',
      label: msg`Tags`,
      order: 80,
      may: (_, can) => can('people.write'),
      content: lazy(async () => ({ default: (await import('./tags-tab.tsx')).TagsTab })),
    },
  ],
  historyWords: [{ entities: { tags: { noun: msg`Tag` }, record_tags: { noun: msg`Tag` } }, fields: {} }],
}
