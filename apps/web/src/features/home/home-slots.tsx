import { msg } from '@lingui/core/macro'
import { IconHome } from '@tabler/icons-react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const homeSlots: FeatureSlots = {
  areas: [
    {
      key: 'home',
      label: msg`Home`,
      purpose: msg`What needs you today`,
      icon: IconHome,
      group: 'home',
      href: '/',
      goKey: 'h',
      phone: true,
    },
  ],
}
