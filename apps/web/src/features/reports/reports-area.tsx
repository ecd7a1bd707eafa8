import { msg } from '@lingui/core/macro'
import { IconChartBar } from '@tabler/icons-react'
import type { FeatureArea } from '../../platform/navigation/slots.tsx'

export const reportsArea: FeatureArea = {
  areas: [
    {
      key: 'reports',
      label: msg`Reports`,
      purpose: msg`Standard and saved reports`,
      icon: IconChartBar,
      group: 'insight',
      href: '/reports',
      goKey: 'r',
      permission: 'reports.read',
    },
  ],
  createActions: [{ key: 'r', label: msg`Report`, href: '/reports/new', permission: 'reports.read' }],
}
