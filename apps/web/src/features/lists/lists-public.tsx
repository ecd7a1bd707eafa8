import { t } from '@lingui/core/macro'
import { lazy } from 'react'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import type { ExportFormProps } from './export-form.tsx'

export { listInput, useListView } from './use-list-view.ts'
export type { BuiltInView, Look } from './use-list-view.ts'

const ExportForm = lazy(async () => ({ default: (await import('./export-form.tsx')).ExportForm }))

/** Exports what a list shows or has selected; the file arrives when the background work is done. */
export const ExportDialog = ({ opened, ...form }: ExportFormProps & { opened: boolean }) => (
  <Dialog opened={opened} onClose={form.onClose} title={t`Export`}>
    {opened && <ExportForm {...form} />}
  </Dialog>
)
