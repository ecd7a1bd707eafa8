import { msg } from '@lingui/core/macro'
import { IconAddressBook } from '@tabler/icons-react'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/slots.tsx'

export const peopleSlots: FeatureSlots = {
  areas: [
    {
      key: 'people',
      label: msg`Members`,
      purpose: msg`Find and look after people`,
      icon: IconAddressBook,
      group: 'records',
      href: '/members',
      goKey: 'm',
      phone: true,
    },
  ],
  createActions: [{ key: 'm', label: msg`Member`, href: '/members?new=1', permission: 'people.write' }],
  accountTabs: [
    {
      key: 'tags',
      label: msg`Tags`,
      order: 80,
      may: (_, can) => can('people.write'),
      content: lazy(async () => ({ default: (await import('./tags-tab.tsx')).TagsTab })),
    },
  ],
  paletteSources: [lazy(async () => ({ default: (await import('./people-palette.tsx')).PeoplePaletteSource }))],
  overlays: [lazy(async () => ({ default: (await import('./bulk/running-bulk.tsx')).RunningBulk }))],
}
