import { lazy, Suspense } from 'react'
import { Skeleton } from '@mantine/core'

const Figures = lazy(async () => ({ default: (await import('./analytics/attendance-figures.tsx')).AttendanceFigures }))

/** Events to come and attendance, on the overview of a chapter (with those below) or a group. */
export const EventFigures = (place: { chapterId?: string; groupId?: string }) => (
  <Suspense fallback={<Skeleton height={96} />}>
    <Figures {...place} />
  </Suspense>
)
