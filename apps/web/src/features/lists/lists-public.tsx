import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { lazy } from 'react'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import type { ExportFormProps } from './export-form.tsx'
import classes from './lists.module.css'
import type { useListView } from './use-list-view.ts'

export { toSelection } from './bulk/bulk-selection.ts'
export { listInput, useListView } from './use-list-view.ts'
export type { BuiltInView, Look } from './use-list-view.ts'

const ExportForm = lazy(async () => ({ default: (await import('./export-form.tsx')).ExportForm }))

/** Exports what a list shows or has selected; the file arrives when the background work is done. */
export const ExportDialog = ({ opened, ...form }: ExportFormProps & { opened: boolean }) => (
  <Dialog opened={opened} onClose={form.onClose} title={t`Export`}>
    {opened && <ExportForm {...form} />}
  </Dialog>
)

/** Instead of a view that an address names and that is not there for this reader. */
export const LostView = ({ tabs }: { tabs: Pick<ReturnType<typeof useListView>['tabs'], 'current' | 'onSelect'> }) => (
  <p className={classes['notice']} role="status">
    <Trans>The view of this link was removed, or is not shared with you. All records are shown instead.</Trans>
    <Button variant="subtle" size="compact-sm" onClick={() => tabs.onSelect(tabs.current)}>
      <Trans>Dismiss</Trans>
    </Button>
  </p>
)
