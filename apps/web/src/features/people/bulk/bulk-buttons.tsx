import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { IconArchive, IconBuildingCommunity, IconDownload, IconStatusChange, IconTag, IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useRights } from '../../../platform/session/session.ts'
import { useShortcuts } from '../../../platform/navigation/shortcuts.ts'
import { toast } from '../../../platform/activity/toast.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import type { Selection } from '../../../ui/list/selection.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import type { BulkKind } from './bulk-dialog.tsx'
import { isTooFine, mostTicked, toSelection } from './bulk-selection.ts'
import type { Question } from '../people-api.ts'

export type BulkButtonsProps = { selection: Selection; question: Question; total: number; totalIsExact: boolean; onExport: () => void }

/** What can be done with the selected people; actions outside one's rights are absent. */
export function BulkButtons({ selection, question, total, totalIsExact, onExport }: BulkButtonsProps) {
  const can = useRights()
  const { number } = useFormats()
  const [kind, setKind] = useState<BulkKind>()
  const start = (act: () => void) => {
    if (isTooFine(selection)) toast.error(t`Tick at most ${number(mostTicked)} people, or select all that match and narrow the filter.`)
    else act()
  }
  const writes = can('people.write')
  useShortcuts(writes ? [{ keys: 't', label: t`Tag the selected people`, group: t`Members`, run: () => start(() => setKind('tag')) }] : [])
  const action = (which: BulkKind, label: string, icon: ReactNode) => (
    <Button variant="subtle" size="compact-md" leftSection={icon} onClick={() => start(() => setKind(which))}>
      {label}
    </Button>
  )
  return (
    <>
      {writes && action('tag', t`Tag`, <IconTag size={16} stroke={1.5} aria-hidden />)}
      {can('groups.manage') && action('addToGroup', t`Add to group`, <IconUsersGroup size={16} stroke={1.5} aria-hidden />)}
      {writes && action('lifecycle', t`Status`, <IconStatusChange size={16} stroke={1.5} aria-hidden />)}
      {writes && action('affiliate', t`Chapter`, <IconBuildingCommunity size={16} stroke={1.5} aria-hidden />)}
      {can('people.export') && (
        <Button
          variant="subtle"
          size="compact-md"
          leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
          onClick={() => start(onExport)}
        >
          {t`Export`}
        </Button>
      )}
      {writes && action('archive', t`Archive`, <IconArchive size={16} stroke={1.5} aria-hidden />)}
      <BulkDialog
        kind={kind}
        selection={toSelection(selection, question)}
        count={selection.count(total)}
        countIsExact={totalIsExact || selection.state.kind === 'some'}
        onClose={() => setKind(undefined)}
        onDone={selection.clear}
      />
    </>
  )
}
