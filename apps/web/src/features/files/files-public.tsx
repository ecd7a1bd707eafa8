import { lazy } from 'react'

/** Changes the picture of a person or the logo; fetched when it opens. */
export const PictureDialog = lazy(async () => ({ default: (await import('./picture-dialog.tsx')).PictureDialog }))
