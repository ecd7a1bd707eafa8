import { t } from '@lingui/core/macro'
import { lazy, Suspense } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { SkeletonLines } from '../ui/skeletons.tsx'
import { overlays } from './overlays.ts'

const ChapterSwitcher = lazy(async () => ({ default: (await import('../features/chapters/chapters-public.tsx')).ChapterSwitcher }))

/** The frame stays, only its body is fetched when it is first opened. */
export function ChapterSwitcherHost() {
  const opened = overlays.use() === 'chapters'
  return (
    <Dialog opened={opened} onClose={overlays.close} title={t`Chapters`} size="lg">
      <Suspense fallback={<SkeletonLines count={8} />}>{opened && <ChapterSwitcher onChosen={overlays.close} />}</Suspense>
    </Dialog>
  )
}
