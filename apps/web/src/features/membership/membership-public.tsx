import { lazy } from 'react'

export const MyMembership = lazy(async () => ({ default: (await import('./my-membership.tsx')).MyMembership }))
export const PersonHeld = lazy(async () => ({ default: (await import('./person-held.tsx')).PersonHeld }))
export const MembershipRequests = lazy(async () => ({ default: (await import('./requests.tsx')).MembershipRequests }))
