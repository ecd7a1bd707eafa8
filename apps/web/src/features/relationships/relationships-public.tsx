import { lazy } from 'react'

/** For whom the reader may act, for their profile; within a Suspense. */
export const Family = lazy(async () => ({ default: (await import('./family/family.tsx')).Family }))
