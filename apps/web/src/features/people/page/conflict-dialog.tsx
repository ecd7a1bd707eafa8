import { Button, Group } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { ValueText } from '../history/history-values.tsx'
import classes from '../people.module.css'

export type Conflict = {
  label: string
  mine: unknown
  theirs: unknown
  by: string | undefined
  at: string | undefined
  onDecide: (choice: 'mine' | 'theirs') => void
}

/** Two people changed the same fact. Closing keeps what is stored. */
export const ConflictDialog = ({ conflict }: { conflict: Conflict | undefined }) => (
  <Dialog
    opened={conflict !== undefined}
    onClose={() => conflict?.onDecide('theirs')}
    title={conflict && t`${conflict.label} was changed by someone else`}
  >
    {conflict && (
      <div className={classes['stack']}>
        <p>
          {conflict.by ? <Trans>Changed by {conflict.by}</Trans> : <Trans>Changed by somebody else</Trans>}{' '}
          {conflict.at && <RelativeTime at={conflict.at} />}
        </p>
        <div className={classes['compare']}>
          <div>
            <div className={classes['dim']}>
              <Trans>Stored now</Trans>
            </div>
            <ValueText value={conflict.theirs} />
          </div>
          <div>
            <div className={classes['dim']}>
              <Trans>Yours</Trans>
            </div>
            <ValueText value={conflict.mine} />
          </div>
        </div>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => conflict.onDecide('theirs')}>
            <Trans>Use theirs</Trans>
          </Button>
          <Button data-autofocus onClick={() => conflict.onDecide('mine')}>
            <Trans>Keep mine</Trans>
          </Button>
        </Group>
      </div>
    )}
  </Dialog>
)
