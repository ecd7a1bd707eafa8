import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const __area__Slots: FeatureSlots = {
  paletteSources: [lazy(async () => ({ default: (await import('./__area__-palette.tsx')).__Area__PaletteSource }))],
  historyWords: [
    {
      entities: { __records_table__: { noun: msg`__Record_words__` } },
      values: { '__records_table__.status': { planned: msg`Planned`, active: msg`Active`, done: msg`Done` } },
      lists: { __records_table__: msg`__Records_words__` },
    },
  ],
}
