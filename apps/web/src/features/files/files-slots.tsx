import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const filesSlots: FeatureSlots = {
  chapterTabs: [
    {
      key: 'files',
      label: msg`Files`,
      order: 85,
      content: lazy(async () => ({ default: (await import('./record-files.tsx')).ChapterFiles })),
    },
  ],
  groupTabs: [
    {
      key: 'files',
      label: msg`Files`,
      order: 50,
      content: lazy(async () => ({ default: (await import('./record-files.tsx')).GroupFiles })),
    },
  ],
  eventTabs: [
    {
      key: 'files',
      label: msg`Files`,
      order: 60,
      content: lazy(async () => ({ default: (await import('./record-files.tsx')).EventFiles })),
    },
  ],
  historyWords: [{ entities: { files: { noun: msg`File`, onPerson: msg`Picture` } }, fields: { removedAt: msg`Removed` } }],
}
