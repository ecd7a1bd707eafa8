import { t } from '@lingui/core/macro'
import { Suspense, lazy } from 'react'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import type { ExportFormProps } from './export-form.tsx'

export { useListView } from './use-list-view.ts'
export type { BuiltInView, Look } from './use-list-view.ts'

const ExportForm = lazy(async () => ({ default: (await import('./export-form.tsx')).ExportForm }))

/** Exports what a list shows or has selected; the file arrives when the background work is done. */
export const ExportDialog = ({ opened, ...form }: ExportFormProps & { opened: boolean }) => (
  <Dialog opened={opened} onClose={form.onClose} title={t`Export`}>
    {opened && (
      <Suspense
        fallback={
          <Loading label={t`Loading`}>
            <SkeletonLines count={6} />
          </Loading>
        }
      >
        <ExportForm {...form} />
      </Suspense>
    )}
  </Dialog>
)
