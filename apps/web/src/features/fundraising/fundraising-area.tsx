import { msg } from '@lingui/core/macro'
import { IconHeartHandshake } from '@tabler/icons-react'
import type { FeatureArea } from '../../platform/navigation/slots.tsx'

export const fundraisingArea: FeatureArea = {
  areas: [
    {
      key: 'fundraising',
      label: msg`Fundraising`,
      purpose: msg`Campaigns, gifts and receipts`,
      icon: IconHeartHandshake,
      group: 'work',
      href: '/fundraising',
      goKey: 'f',
      phone: true,
      permission: 'fundraising.read',
    },
  ],
  createActions: [
    { key: 'c', label: msg`Campaign`, href: '/fundraising?new=1', permission: 'fundraising.manage' },
    { key: 'g', label: msg`Gift`, href: '/fundraising/all/donations?new=1', permission: 'gifts.record' },
  ],
}
