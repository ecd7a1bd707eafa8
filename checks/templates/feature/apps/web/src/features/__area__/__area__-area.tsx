import { msg } from '@lingui/core/macro'
import { __AreaIcon__ } from '@tabler/icons-react'
import type { FeatureArea } from '../../platform/navigation/slots.tsx'

export const __area__Area: FeatureArea = {
  areas: [__areaEntry__],
  createActions: [{ key: '__createKey__', label: msg`__Record_words__`, href: '/__list_url__?new=1', permission: '__area__.manage' }],
}
