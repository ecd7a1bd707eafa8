import { msg } from '@lingui/core/macro'
import { IconHome } from '@tabler/icons-react'
import type { FeatureArea } from '../../platform/navigation/slots.tsx'

export const homeArea: FeatureArea = {
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
