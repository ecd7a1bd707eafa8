import { lazy } from 'react'

/** What the reader gave, with recurring gifts to change or stop, for their profile; within a Suspense. */
export const OwnGiving = lazy(async () => ({ default: (await import('./person/own-giving.tsx')).OwnGiving }))
