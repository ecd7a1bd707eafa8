import { msg } from '@lingui/core/macro'
import { IconSettings } from '@tabler/icons-react'
import type { FeatureArea } from '../../platform/navigation/slots.tsx'

export const accountArea: FeatureArea = {
  areas: [
    {
      key: 'account',
      label: msg`Account management`,
      purpose: msg`Accounts, roles and the organisation`,
      icon: IconSettings,
      group: 'administration',
      href: '/account-management',
      goKey: 'a',
      permission: 'account.manage',
    },
  ],
}
