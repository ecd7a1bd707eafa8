import { msg } from '@lingui/core/macro'
import { IconUsersGroup } from '@tabler/icons-react'
import type { FeatureArea } from '../../platform/navigation/slots.tsx'

export const groupsArea: FeatureArea = {
  areas: [
    {
      key: 'groups',
      label: msg`Groups`,
      purpose: msg`Committees, cohorts and interests`,
      icon: IconUsersGroup,
      group: 'records',
      href: '/groups',
      goKey: 'g',
    },
  ],
  createActions: [{ key: 'o', label: msg`Group`, href: '/groups?new=1', permission: 'groups.manage' }],
}
