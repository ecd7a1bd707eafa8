import { lazy } from 'react'

export const HomeAnnouncements = lazy(async () => ({
  default: (await import('./announcements/current-announcements.tsx')).HomeAnnouncements,
}))
export const PlaceAnnouncements = lazy(async () => ({
  default: (await import('./announcements/current-announcements.tsx')).PlaceAnnouncements,
}))
export const MyTopics = lazy(async () => ({ default: (await import('./consent/my-topics.tsx')).MyTopics }))
