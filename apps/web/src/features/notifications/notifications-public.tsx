import { lazy } from 'react'

export { NotificationBell } from './notification-bell.tsx'
export const NotificationPreferences = lazy(async () => ({
  default: (await import('./notification-preferences.tsx')).NotificationPreferences,
}))
