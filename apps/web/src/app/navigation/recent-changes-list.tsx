import { Button } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useRecentChanges } from '../../platform/activity/recent-changes.ts'
import { undoAndTell } from '../../platform/activity/toast.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import classes from './recent-changes-list.module.css'

/** The last 50 changes of this visit, each with its Undo for as long as it can be taken back. */
export function RecentChanges({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const changes = useRecentChanges()
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Recent changes`}>
      {changes.length === 0 ? (
        <EmptyState level={3} title={t`Nothing changed yet`}>
          <Trans>What you change in this visit is listed here and can be undone.</Trans>
        </EmptyState>
      ) : (
        <ul className={classes['list']}>
          {changes.map(({ id, text, at, undo }) => (
            <li key={id} className={classes['change']}>
              <span>
                {text} <RelativeTime at={at} />
              </span>
              {undo && (
                <Button size="compact-sm" variant="subtle" onClick={() => void undoAndTell(id)} aria-label={t`Undo: ${text}`}>
                  <Trans>Undo</Trans>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
