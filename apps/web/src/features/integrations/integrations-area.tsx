import { msg } from '@lingui/core/macro'
import { IconPlug } from '@tabler/icons-react'
import type { FeatureArea } from '../../platform/navigation/slots.tsx'

export const integrationsArea: FeatureArea = {
  areas: [
    {
      key: 'integrations',
      label: msg`Integrations`,
      purpose: msg`Connections to other systems`,
      icon: IconPlug,
      group: 'administration',
      href: '/integrations',
      permission: 'integrations.read',
    },
  ],
}
