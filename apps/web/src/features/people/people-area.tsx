import { msg } from '@lingui/core/macro'
import { IconAddressBook } from '@tabler/icons-react'
import type { FeatureArea } from '../../platform/navigation/slots.tsx'

export const peopleArea: FeatureArea = {
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
}
