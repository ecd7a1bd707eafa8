import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const listsSlots: FeatureSlots = {
  overlays: [
    lazy(async () => ({ default: (await import('./running-exports.tsx')).RunningExports })),
    lazy(async () => ({ default: (await import('./bulk/running-bulk.tsx')).RunningBulk })),
  ],
}
