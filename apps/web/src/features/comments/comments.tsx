import { Button } from '@mantine/core'
import { noText } from '@guildhall/contract/formatted-document'
import { commentLimit } from '@guildhall/contract/features/comments'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { FormattedTextForm } from '../../platform/formatted-text/formatted-text-form.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Section } from '../../ui/page/page.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { CommentItem } from './comment-item.tsx'
import { useComments, useCommentsChanged } from './comments-api.ts'
import type { Comment, Commented } from './comments-api.ts'
import classes from './comments.module.css'

type Props = Commented & {
  /** The record accepts no more comments; what was said stays. */
  closed?: boolean
}

/** What people say to each other about a record: `<Comments recordType="group" recordId={group.id} />`. */
export function Comments({ recordType, recordId, closed = false }: Props) {
  const record = { recordType, recordId }
  const list = useComments(record)
  const items = list.data?.items ?? []
  if (list.error) return <ProblemState problem={list.error} title={t`The comments could not be loaded`} retry={() => void list.refetch()} />
  return (
    <Section title={t`Discussion`} count={list.data?.total || undefined}>
      <div className={classes['stack']}>
        {!closed && <Write record={record} />}
        {list.data && items.length === 0 && <EmptyState title={t`No comments yet`} />}
        {items.length > 0 && (
          <ul className={classes['list']}>
            {items.map((comment) => (
              <Thread key={comment.id} record={record} comment={comment} closed={closed} />
            ))}
          </ul>
        )}
        <ShowMore query={list} />
      </div>
    </Section>
  )
}

function Thread({ record, comment, closed }: { record: Commented; comment: Comment; closed: boolean }) {
  const [answering, setAnswering] = useState(false)
  const [opened, setOpened] = useState(false)
  return (
    <CommentItem
      comment={comment}
      closed={closed}
      onAnswer={() => setAnswering(true)}
      answers={{ opened, toggle: () => setOpened(!opened) }}
    >
      {opened && <Answers record={record} parentId={comment.id} closed={closed} />}
      {answering && (
        <div className={classes['answers']}>
          <Form record={record} parentId={comment.id} onClose={() => setAnswering(false)} onSaved={() => setOpened(true)} />
        </div>
      )}
    </CommentItem>
  )
}

function Answers({ record, parentId, closed }: { record: Commented; parentId: string; closed: boolean }) {
  const list = useComments(record, parentId)
  return (
    <div className={classes['answers']}>
      <ul className={classes['list']}>
        {list.data?.items.map((answer) => (
          <CommentItem key={answer.id} comment={answer} closed={closed} />
        ))}
      </ul>
      <ShowMore query={list} />
    </div>
  )
}

/** The editor is fetched when somebody begins to write. */
function Write({ record }: { record: Commented }) {
  const [writing, setWriting] = useState(false)
  if (writing) return <Form record={record} onClose={() => setWriting(false)} />
  return (
    <div>
      <Button variant="default" onClick={() => setWriting(true)}>
        <Trans>Write a comment</Trans>
      </Button>
    </div>
  )
}

function Form({ record, parentId, onClose, onSaved }: { record: Commented; parentId?: string; onClose: () => void; onSaved?: () => void }) {
  const { create } = useApi().data.comments
  const changed = useCommentsChanged()
  return (
    <FormattedTextForm
      label={parentId ? t`Reply` : t`Comment`}
      value={noText}
      limit={commentLimit}
      required
      draft={`comment-${parentId ?? record.recordId}`}
      placeholder={t`Type @ to mention someone`}
      submitLabel={parentId ? <Trans>Post reply</Trans> : <Trans>Post comment</Trans>}
      onSubmit={async (body) => {
        await create.call({ ...record, body, ...(parentId && { parentId }) })
        await changed()
        onSaved?.()
      }}
      onClose={onClose}
    />
  )
}
