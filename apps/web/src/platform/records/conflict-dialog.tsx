import { Button, Group } from '@mantine/core'
import { plainTextOf } from '@guildhall/contract/formatted-document'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { StoredValue } from '../../ui/display/stored-value.tsx'
import classes from './conflict-dialog.module.css'

/** Who changed it last, and when. */
export type Author = { name: string | undefined; at: string }

export type Conflict = {
  label: string
  mine: unknown
  theirs: unknown
  author: Author | undefined
  words: ((code: string) => string | undefined) | undefined
  onDecide: (choice: 'mine' | 'theirs') => void
}

/** Two people changed the same fact. Closing keeps what is stored. */
export const ConflictDialog = ({ conflict }: { conflict: Conflict | undefined }) => (
  <Dialog
    opened={conflict !== undefined}
    onClose={() => conflict?.onDecide('theirs')}
    title={conflict && t`${conflict.label} was changed by someone else`}
  >
    {conflict && <Choice {...conflict} />}
  </Dialog>
)

/** A formatted text as plain text, anything else as a stored value. */
const Value = ({ value, words }: { value: unknown; words: Conflict['words'] }) =>
  isDocument(value) ? <>{plainTextOf(value)}</> : <StoredValue value={value} words={words} />

const isDocument = (value: unknown): value is FormattedDocument =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  value.type === 'doc' &&
  'content' in value &&
  Array.isArray(value.content)

const Choice = ({ mine, theirs, author, words, onDecide }: Conflict) => (
  <div className={classes['stack']}>
    <p>
      {author?.name ? <Trans>Changed by {author.name}</Trans> : <Trans>Changed by somebody else</Trans>}{' '}
      {author && <RelativeTime at={author.at} />}
    </p>
    <div className={classes['compare']}>
      <div>
        <div className={classes['dim']}>
          <Trans>Stored now</Trans>
        </div>
        <Value value={theirs} words={words} />
      </div>
      <div>
        <div className={classes['dim']}>
          <Trans>Yours</Trans>
        </div>
        <Value value={mine} words={words} />
      </div>
    </div>
    <Group justify="flex-end" gap="sm">
      <Button variant="default" onClick={() => onDecide('theirs')}>
        <Trans>Use theirs</Trans>
      </Button>
      <Button data-autofocus onClick={() => onDecide('mine')}>
        <Trans>Keep mine</Trans>
      </Button>
    </Group>
  </div>
)
