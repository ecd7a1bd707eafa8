import { msg } from '@lingui/core/macro'
import { IconBuildingCommunity } from '@tabler/icons-react'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/slots.tsx'

export const chaptersSlots: FeatureSlots = {
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
  paletteSources: [lazy(async () => ({ default: (await import('./chapters-palette.tsx')).ChaptersPaletteSource }))],
}
