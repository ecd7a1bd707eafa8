import { mentionedIn } from '@guildhall/contract/formatted-document'
import type { Note } from '@guildhall/contract/features/notes'
import type { Actor, ActorDb } from '@guildhall/db'
import { jobActor } from '../../platform/jobs/job-progress.ts'
import type { JobHandler, Jobs } from '../../platform/jobs/jobs.ts'
import { accountsOf, notify } from '../../platform/notify.ts'
import type { Services } from '../../platform/services.ts'
import { findNote, noteQuery } from './notes.queries.ts'

/** Tells whom a note mentions, once the caller's transaction has committed. */
export async function tellOfNote(jobs: Jobs, db: ActorDb, { orgId, accountId }: Actor, { id, visibility, body }: Note): Promise<void> {
  if (visibility === 'self' || mentionedIn(body).length === 0) return
  await jobs.send(db, 'notes', { orgId, accountId, noteId: id })
}

/** Each is told once, and only if they can read the note by then: whoever may not is told nothing, not even that there is one. */
export const noteNotices =
  ({ database, log }: Services): JobHandler =>
  async ({ orgId = '', accountId = '', noteId = '' }) => {
    const author = await jobActor(database, orgId, accountId)
    const note = author && (await database.asActor(author, (db) => findNote(db, noteId)))
    if (!note) return log.info({ note: noteId }, 'a note is told to nobody: it is gone, or its author may no longer act')
    const mentioned = mentionedIn(note.body)
    for (const account of await database.withoutActor((db) => accountsOf(db, orgId, mentioned))) {
      const reader = await jobActor(database, orgId, account)
      const [found] = reader ? await database.read(reader, noteQuery(noteId)) : []
      if (!found || found.item.of.deletedAt) continue
      const about = { personId: note.personId, recordId: noteId }
      await database.asActor(author, (db) =>
        notify(db, { kind: 'note-mention', to: { accountId: account }, about, dedupeKey: `note-mention:${noteId}` }),
      )
    }
  }
