import { lazy } from 'react'

export const MyTopics = lazy(async () => ({ default: (await import('./consent/my-topics.tsx')).MyTopics }))
