import { Button } from '@mantine/core'
import type { Person } from '@guildhall/contract/features/people'
import { noText } from '@guildhall/contract/formatted-document'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { NoteForm } from './note-form.tsx'
import { NoteItem } from './note-item.tsx'
import { useNotes, useNotesChanged } from './notes-api.ts'
import classes from './notes.module.css'

/** What is noted about a person: pinned notes, then the newest, with a box to note more. */
export function PersonNotes({ person }: { person: Person }) {
  const [deleted, setDeleted] = useState(false)
  const list = useNotes(person.id, deleted)
  const items = list.data?.items ?? []
  const closed = person.lifecycle === 'merged' || person.lifecycle === 'erased'
  return (
    <Section
      title={deleted ? t`Deleted notes` : t`Notes`}
      count={list.data?.total || undefined}
      actions={
        <Button variant="subtle" size="compact-sm" onClick={() => setDeleted(!deleted)}>
          {deleted ? <Trans>Back to notes</Trans> : <Trans>Deleted notes</Trans>}
        </Button>
      }
    >
      <div className={classes['stack']}>
        {!deleted && !closed && <Write person={person} />}
        {list.isPending && (
          <Loading label={t`Loading the notes`}>
            <SkeletonLines count={3} />
          </Loading>
        )}
        {list.isError && items.length === 0 && (
          <ProblemState problem={list.error} title={t`The notes could not be loaded`} retry={() => void list.refetch()} />
        )}
        {list.isSuccess && items.length === 0 && (
          <p className={classes['minor']}>{deleted ? t`No notes were deleted in the last 30 days.` : t`No notes yet.`}</p>
        )}
        {items.length > 0 && (
          <ul className={classes['list']}>
            {items.map((note) => (
              <NoteItem key={note.id} note={note} person={person} />
            ))}
          </ul>
        )}
        <ShowMore query={list} />
      </div>
    </Section>
  )
}

/** The editor is fetched when somebody begins to write. */
function Write({ person: { id: personId, displayName, may } }: { person: Person }) {
  const [writing, setWriting] = useState(false)
  const { notes } = useApi().data
  const changed = useNotesChanged()
  if (!writing)
    return (
      <div>
        <Button variant="default" onClick={() => setWriting(true)}>
          <Trans>Add a note</Trans>
        </Button>
      </div>
    )
  return (
    <NoteForm
      name={displayName}
      values={{ text: noText, visibility: may.seeOfficeNote ? 'officers' : 'organisation' }}
      forOfficers={may.seeOfficeNote}
      draft={`note-${personId}`}
      submitLabel={<Trans>Save note</Trans>}
      onSubmit={async ({ text, visibility }) => {
        await notes.create.call({ personId, body: text, visibility })
        await changed()
      }}
      onClose={() => setWriting(false)}
    />
  )
}
