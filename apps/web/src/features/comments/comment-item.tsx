import { Button } from '@mantine/core'
import { commentLimit } from '@guildhall/contract/features/comments'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { FormattedTextForm } from '../../platform/formatted-text/formatted-text-form.tsx'
import { FormattedText } from '../../platform/formatted-text/formatted-text.tsx'
import { PersonAvatar } from '../../platform/records/picture.tsx'
import { PersonLink } from '../../platform/records/record-links.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { useCommentsChanged } from './comments-api.ts'
import type { Comment } from './comments-api.ts'
import classes from './comments.module.css'
import { HideDialog } from './hide-dialog.tsx'

type Props = {
  comment: Comment
  /** Nothing can be said about the record any more. */
  closed: boolean
  onAnswer?: () => void
  /** How its answers are opened and closed; absent for answers. */
  answers?: { opened: boolean; toggle: () => void }
  children?: ReactNode
}

/** One comment with what its reader may do with it. */
export function CommentItem({ comment, closed, onAnswer, answers, children }: Props) {
  const [editing, setEditing] = useState(false)
  const [hiding, setHiding] = useState(false)
  const { comments } = useApi().data
  const changed = useCommentsChanged()
  const { id: commentId, author, body, hidden, may, version } = comment
  const name = author?.displayName ?? t`Someone`

  const remove = async () => {
    try {
      await comments.remove.call({ commentId })
      await changed()
      toast.undo(t`Comment deleted`, async () => {
        await comments.restore.call({ commentId })
        await changed()
      })
    } catch (failure) {
      toast.error(t`The comment could not be deleted.`, failure)
    }
  }
  const show = async () => {
    try {
      await comments.show.call({ commentId }, { context: { ifMatch: version } })
      await changed()
    } catch (failure) {
      toast.error(t`The comment could not be shown.`, failure)
    }
  }

  return (
    <li>
      <article aria-label={t`Comment by ${name}`}>
        <div className={classes['head']}>
          <PersonAvatar person={author ?? { displayName: name }} size={24} />
          <span className={classes['author']}>{author ? <PersonLink person={author} /> : name}</span>
          <span className={classes['minor']}>
            <RelativeTime at={comment.createdAt} />
          </span>
          {comment.editedAt && !comment.deleted && (
            <span className={classes['minor']}>
              <Trans>Edited</Trans>
            </span>
          )}
          {hidden && <StatusBadge tone="bad">{t`Hidden: ${hidden.reason}`}</StatusBadge>}
        </div>
        <div className={classes['body']}>
          {editing && body ? (
            <FormattedTextForm
              label={t`Comment`}
              value={body}
              limit={commentLimit}
              required
              submitLabel={<Trans>Save</Trans>}
              onSubmit={async (text) => {
                await comments.update.call({ commentId, body: text }, { context: { ifMatch: version } })
                await changed()
              }}
              onClose={() => setEditing(false)}
            />
          ) : body ? (
            <FormattedText document={body} />
          ) : (
            <p className={classes['minor']}>{comment.deleted ? t`This comment was deleted.` : t`This comment is hidden.`}</p>
          )}
        </div>
        {!editing && (
          <div className={classes['acts']}>
            {onAnswer && !closed && !comment.deleted && (
              <Act onClick={onAnswer} label={t`Reply to ${name}`}>
                <Trans>Reply</Trans>
              </Act>
            )}
            {answers && comment.replies > 0 && (
              <Act onClick={answers.toggle} expanded={answers.opened} label={undefined}>
                {plural(comment.replies, { one: '# reply', other: '# replies' })}
              </Act>
            )}
            {may.edit && (
              <>
                {!closed && (
                  <Act onClick={() => setEditing(true)} label={t`Edit comment`}>
                    <Trans>Edit</Trans>
                  </Act>
                )}
                <Act onClick={() => void remove()} label={t`Delete comment`}>
                  <Trans>Delete</Trans>
                </Act>
              </>
            )}
            {may.moderate && (
              <Act onClick={() => (hidden ? void show() : setHiding(true))} label={undefined}>
                {hidden ? <Trans>Show again</Trans> : <Trans>Hide</Trans>}
              </Act>
            )}
          </div>
        )}
        <HideDialog comment={comment} opened={hiding} onClose={() => setHiding(false)} />
      </article>
      {children}
    </li>
  )
}

type ActProps = { onClick: () => void; label: string | undefined; expanded?: boolean; children: ReactNode }
const Act = ({ onClick, label, expanded, children }: ActProps) => (
  <Button variant="subtle" size="compact-sm" onClick={onClick} aria-label={label} aria-expanded={expanded}>
    {children}
  </Button>
)
