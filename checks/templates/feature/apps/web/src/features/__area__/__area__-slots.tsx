import { msg } from '@lingui/core/macro'
import { __AreaIcon__ } from '@tabler/icons-react'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const __area__Slots: FeatureSlots = {
  areas: [__areaEntry__],
  createActions: [{ key: '__createKey__', label: msg`__Record_words__`, href: '/__list_url__?new=1', permission: '__area__.manage' }],
  paletteSources: [lazy(async () => ({ default: (await import('./__area__-palette.tsx')).__Area__PaletteSource }))],
  historyWords: [
    {
      entities: { __records_table__: { noun: msg`__Record_words__` } },
      values: { '__records_table__.status': { planned: msg`Planned`, active: msg`Active`, done: msg`Done` } },
      lists: { __records_table__: msg`__Records_words__` },
    },
  ],
}
