import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const chaptersSlots: FeatureSlots = {
  paletteSources: [lazy(async () => ({ default: (await import('./chapters-palette.tsx')).ChaptersPaletteSource }))],
  timelineTexts: [
    {
      category: 'offices',
      label: msg`Offices`,
      order: 20,
      kinds: ['office-began', 'office-ended'],
      entry: lazy(async () => ({ default: (await import('./offices/office-timeline.tsx')).OfficeEntry })),
    },
  ],
  historyWords: [
    {
      entities: {
        chapters: { noun: msg`Chapter` },
        positions: { noun: msg`Office` },
        position_holders: { noun: msg`Term of office`, onPerson: msg`Office` },
      },
      fields: {
        code: msg`Code`,
        level: msg`Level`,
        about: msg`About`,
        description: msg`About`,
        timezone: msg`Time zone`,
        charteredOn: msg`Founded`,
        publicPage: msg`Public page`,
        closedOn: msg`Closed`,
        contactEmail: msg`Contact e-mail`,
        termMonths: msg`Months of a term`,
        maxHolders: msg`Holders at most`,
        mandatory: msg`Must be filled`,
      },
    },
  ],
}
