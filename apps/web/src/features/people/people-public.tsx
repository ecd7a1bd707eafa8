import { lazy } from 'react'

/** One's own facts and contact data, and the file of them, fetched when a profile opens. */
export const OwnPerson = lazy(async () => ({ default: (await import('./profile/own-person.tsx')).OwnPerson }))
export const OwnData = lazy(async () => ({ default: (await import('./profile/own-data.tsx')).OwnData }))
export const OwnPublicName = lazy(async () => ({ default: (await import('./profile/own-public-name.tsx')).OwnPublicName }))
export const OwnCard = lazy(async () => ({ default: (await import('./card/own-card.tsx')).OwnCard }))
