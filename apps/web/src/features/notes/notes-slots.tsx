import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const notesSlots: FeatureSlots = {
  timelineTexts: [
    {
      category: 'notes',
      label: msg`Notes`,
      order: 45,
      kinds: ['note-written'],
      entry: lazy(async () => ({ default: (await import('./note-timeline.tsx')).NoteEntry })),
      may: ({ may }) => may.keepNotes,
    },
  ],
  historyWords: [
    {
      entities: { notes: { noun: msg`Note`, onPerson: msg`Note` } },
      fields: { pinned: msg`Pinned` },
      values: {
        'notes.visibility': {
          self: msg`Author only`,
          officers: msg`Officers with access to sensitive data`,
          organisation: msg`Everyone who manages people`,
        },
      },
    },
  ],
}
