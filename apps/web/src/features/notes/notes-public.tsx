import { lazy } from 'react'

/** What is noted about a person, with a box to note more; for those who may keep notes. */
export const PersonNotes = lazy(async () => ({ default: (await import('./person-notes.tsx')).PersonNotes }))
