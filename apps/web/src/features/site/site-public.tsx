import { lazy, Suspense } from 'react'
import { feedback } from '../../platform/session/feedback.ts'

const FeedbackDialog = lazy(async () => ({ default: (await import('./feedback-dialog.tsx')).FeedbackDialog }))

/** The feedback form, wherever it was asked for. */
export function Feedback() {
  const { offered, opened } = feedback.use()
  if (!offered || !opened) return null
  return (
    <Suspense>
      <FeedbackDialog />
    </Suspense>
  )
}
