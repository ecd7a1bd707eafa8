import { lazy } from 'react'

export const MyMembership = lazy(async () => ({ default: (await import('./my-membership.tsx')).MyMembership }))
export const PersonHeld = lazy(async () => ({ default: (await import('./person-held.tsx')).PersonHeld }))
export const MembershipRequests = lazy(async () => ({ default: (await import('./requests.tsx')).MembershipRequests }))
export const PersonTransfers = lazy(async () => ({ default: (await import('./transfers/person-transfers.tsx')).PersonTransfers }))
export const ChapterTransfers = lazy(async () => ({ default: (await import('./transfers/transfers.tsx')).ChapterTransfers }))
export const Overrides = lazy(async () => ({ default: (await import('./overrides.tsx')).Overrides }))
