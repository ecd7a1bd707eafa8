import { msg } from '@lingui/core/macro'
import { IconBuildingCommunity } from '@tabler/icons-react'
import { lazy } from 'react'
import type { FeatureArea } from '../../platform/navigation/slots.tsx'

export const chaptersArea: FeatureArea = {
  areas: [
    {
      key: 'chapters',
      label: msg`Chapters`,
      purpose: msg`The tree of the organisation`,
      icon: IconBuildingCommunity,
      group: 'records',
      href: '',
      switcher: lazy(async () => ({ default: (await import('./chapter-switcher.tsx')).ChapterSwitcher })),
    },
  ],
}
