import { msg } from '@lingui/core/macro'
import { IconMail } from '@tabler/icons-react'
import type { FeatureArea } from '../../platform/navigation/slots.tsx'

export const communicationArea: FeatureArea = {
  areas: [
    {
      key: 'communication',
      label: msg`Communication`,
      purpose: msg`Write to members`,
      icon: IconMail,
      group: 'work',
      href: '/communication',
      goKey: 'c',
    },
  ],
  createActions: [
    { key: 'i', label: msg`E-mail`, href: '/communication/emails?new=1', permission: 'messages.write' },
    { key: 'a', label: msg`Announcement`, href: '/communication/announcements?new=1', permission: 'messages.write' },
  ],
}
