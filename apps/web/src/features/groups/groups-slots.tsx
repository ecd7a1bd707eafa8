import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const groupsSlots: FeatureSlots = {
  chapterTabs: [
    {
      key: 'groups',
      label: msg`Groups`,
      order: 50,
      content: lazy(async () => ({ default: (await import('./chapter-groups.tsx')).ChapterGroups })),
    },
  ],
  paletteSources: [lazy(async () => ({ default: (await import('./groups-palette.tsx')).GroupsPaletteSource }))],
  timelineTexts: [
    {
      category: 'groups',
      label: msg`Groups`,
      order: 30,
      kinds: ['group-joined', 'group-left'],
      entry: lazy(async () => ({ default: (await import('./group-timeline.tsx')).GroupEntry })),
    },
  ],
  historyWords: [
    {
      entities: {
        groups: { noun: msg`Group` },
        group_members: { noun: msg`Group membership`, onPerson: msg`Group membership` },
      },
      fields: {
        memberOnly: msg`Members only`,
        visibility: msg`Who sees it`,
        joinPolicy: msg`How people join`,
        capacity: msg`Places`,
      },
    },
  ],
}
