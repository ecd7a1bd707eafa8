import { Button } from '@mantine/core'
import type { Person } from '@guildhall/contract/features/people'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { FormattedText } from '../../platform/formatted-text/formatted-text.tsx'
import { PersonLink } from '../../platform/records/record-links.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { NoteForm } from './note-form.tsx'
import { useNoteVersions, useNotesChanged } from './notes-api.ts'
import type { Note } from './notes-api.ts'
import { visibilityWords } from './notes-words.ts'
import classes from './notes.module.css'

/** One note with what its reader may do with it. */
export function NoteItem({ note, person }: { note: Note; person: Person }) {
  const [editing, setEditing] = useState(false)
  const [earlier, setEarlier] = useState(false)
  const { notes } = useApi().data
  const changed = useNotesChanged()
  const { id: noteId, author, body, visibility, pinned, may, version } = note
  const name = author?.displayName ?? t`Someone`
  const deleted = note.deletedAt !== null
  const change = async (values: { body?: Note['body']; visibility?: Note['visibility']; pinned?: boolean }) => {
    await notes.update.call({ noteId, ...values }, { context: { ifMatch: version } })
    await changed()
  }
  const restore = async () => {
    await notes.restore.call({ noteId })
    await changed()
  }
  const attempt = async (failed: string, act: () => Promise<unknown>) => {
    try {
      await act()
    } catch (failure) {
      toast.error(failed, failure)
    }
  }
  const remove = async () => {
    await notes.remove.call({ noteId })
    await changed()
    toast.undo(t`Note deleted`, restore)
  }

  return (
    <li>
      <article aria-label={t`Note by ${name}`}>
        <div className={classes['head']}>
          <span className={classes['author']}>{author ? <PersonLink person={author} /> : name}</span>
          <span className={classes['minor']}>
            <RelativeTime at={note.createdAt} />
          </span>
          {note.editedAt && (
            <span className={classes['minor']}>
              <Trans>Edited</Trans>
            </span>
          )}
          {pinned && <StatusBadge tone="info">{t`Pinned`}</StatusBadge>}
          <span className={classes['minor']}>{visibilityWords()[visibility]}</span>
        </div>
        <div className={classes['body']}>
          {editing ? (
            <NoteForm
              name={person.displayName}
              values={{ text: body, visibility }}
              forOfficers={person.may.seeOfficeNote}
              submitLabel={<Trans>Save</Trans>}
              onSubmit={(values) => change({ body: values.text, visibility: values.visibility })}
              onClose={() => setEditing(false)}
            />
          ) : (
            <FormattedText document={body} />
          )}
        </div>
        {!editing && (
          <div className={classes['acts']}>
            {may.edit && (
              <Act onClick={() => setEditing(true)} label={t`Edit note`}>
                <Trans>Edit</Trans>
              </Act>
            )}
            {may.remove && !deleted && (
              <>
                <Act onClick={() => void attempt(t`The note could not be changed.`, () => change({ pinned: !pinned }))} label={undefined}>
                  {pinned ? <Trans>Unpin</Trans> : <Trans>Pin</Trans>}
                </Act>
                <Act onClick={() => void attempt(t`The note could not be deleted.`, remove)} label={t`Delete note`}>
                  <Trans>Delete</Trans>
                </Act>
              </>
            )}
            {may.remove && deleted && (
              <Act onClick={() => void attempt(t`The note could not be restored.`, restore)} label={t`Restore note`}>
                <Trans>Restore</Trans>
              </Act>
            )}
            {note.editedAt && (
              <Act onClick={() => setEarlier(!earlier)} expanded={earlier} label={undefined}>
                <Trans>Earlier versions</Trans>
              </Act>
            )}
          </div>
        )}
        {earlier && <Versions noteId={noteId} />}
      </article>
    </li>
  )
}

function Versions({ noteId }: { noteId: string }) {
  const query = useNoteVersions(noteId)
  if (query.isError)
    return <ProblemState problem={query.error} title={t`The earlier versions could not be loaded`} retry={() => void query.refetch()} />
  return (
    <ol className={classes['versions']} aria-label={t`Earlier versions`}>
      {query.data?.items.length === 0 && <li className={classes['minor']}>{t`No earlier version was visible to you.`}</li>}
      {query.data?.items.map(({ body, replacedAt }) => (
        <li key={replacedAt}>
          <span className={classes['minor']}>
            <Trans>
              Until <RelativeTime at={replacedAt} />
            </Trans>
          </span>
          <FormattedText document={body} />
        </li>
      ))}
    </ol>
  )
}

type ActProps = { onClick: () => void; label: string | undefined; expanded?: boolean; children: ReactNode }
const Act = ({ onClick, label, expanded, children }: ActProps) => (
  <Button variant="subtle" size="compact-sm" onClick={onClick} aria-label={label} aria-expanded={expanded}>
    {children}
  </Button>
)
