import { lazy } from 'react'

export const HomeAnnouncements = lazy(async () => ({
  default: (await import('./announcements/current-announcements.tsx')).HomeAnnouncements,
}))
export const PlaceAnnouncements = lazy(async () => ({
  default: (await import('./announcements/current-announcements.tsx')).PlaceAnnouncements,
}))
/** Begins an e-mail to those of another page. */
export const WriteDialog = lazy(async () => ({ default: (await import('./emails/write-dialog.tsx')).WriteDialog }))
export const MyTopics = lazy(async () => ({ default: (await import('./consent/my-topics.tsx')).MyTopics }))
