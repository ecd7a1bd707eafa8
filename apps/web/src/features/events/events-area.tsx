import { msg } from '@lingui/core/macro'
import { IconCalendarEvent } from '@tabler/icons-react'
import type { FeatureArea } from '../../platform/navigation/slots.tsx'

export const eventsArea: FeatureArea = {
  areas: [
    {
      key: 'events',
      label: msg`Events`,
      purpose: msg`Meet, register and check in`,
      icon: IconCalendarEvent,
      group: 'work',
      href: '/events',
      goKey: 'e',
      phone: true,
    },
  ],
  createActions: [{ key: 'e', label: msg`Event`, href: '/event/create', permission: 'events.manage' }],
}
