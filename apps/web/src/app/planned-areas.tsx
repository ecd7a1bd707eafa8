import { msg } from '@lingui/core/macro'
import { IconBriefcase, IconChecklist, IconSparkles } from '@tabler/icons-react'
import type { FeatureArea } from '../platform/navigation/slots.tsx'

/** Areas whose pages say that they are planned. Each moves into a file of its feature once there is more to say. */
export const plannedAreas: FeatureArea = {
  areas: [
    {
      key: 'careers',
      label: msg`Careers`,
      purpose: msg`Jobs and mentoring`,
      icon: IconBriefcase,
      group: 'work',
      href: '/careers',
    },
    {
      key: 'projects',
      label: msg`Projects`,
      purpose: msg`Volunteer and committee work`,
      icon: IconChecklist,
      group: 'work',
      href: '/projects',
    },
    { key: 'ai', label: msg`AI`, purpose: msg`Ask about the community`, icon: IconSparkles, group: 'insight', href: '/ai-dashboard' },
  ],
}
