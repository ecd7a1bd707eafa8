import { mustSeeMentioned } from '../../platform/formatted-text/mentions.ts'
import { listPage } from '../../platform/lists/list-page.ts'
import { mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { columnsOf } from '../../platform/records/columns.ts'
import { readOne } from '../../platform/records/statement.ts'
import { tellOfNote } from './notes.jobs.ts'
import {
  changeNote,
  findNote,
  insertNote,
  isThere,
  noteQuery,
  notesList,
  now,
  personQuery,
  versionsQuery,
  withSeen,
} from './notes.queries.ts'

const { notes } = data

export const notesData = notes.router({
  list: notes.list.handler(async ({ input: { personId, deleted = false, ...page }, context }) => {
    const found = await listPage(context, notesList(personId, deleted), page)
    // Of a person who is not there, nothing can be told.
    if (found.items.length === 0) await readOne(context, personQuery(personId))
    return { ...found, items: found.items.map(withSeen) }
  }),

  get: notes.get.handler(async ({ input, context }) => withSeen((await readOne(context, noteQuery(input.noteId))).item)),

  versions: notes.versions.handler(async ({ input, context }) => ({
    items: (await readOne(context, versionsQuery(input.noteId))).items.map(withSeen),
  })),

  create: notes.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      if (!(await isThere(db, input.personId))) throw problem('NOT_FOUND')
      await mustSeeMentioned(db, 'body', input.body)
      const note = mustFind(await findNote(db, await insertNote(db, context.actor, input)))
      await tellOfNote(context.services.jobs, db, context.actor, note)
      return note
    }),
  ),

  update: notes.update.handler(({ input: { noteId, body, visibility, pinned }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findNote(db, noteId))
      if (before.deletedAt) throw problem('NOT_FOUND')
      const isEdit = body !== undefined || visibility !== undefined
      if (isEdit && !before.mine) throw problem('FORBIDDEN')
      await mustSeeMentioned(db, 'body', body, before.body)
      const set = { ...columnsOf('app.notes', { body, visibility, pinned }), ...(body && { edited_at: now }) }
      const changed = await changeNote(db, noteId, set, context.ifMatch)
      if (isEdit) await tellOfNote(context.services.jobs, db, context.actor, changed)
      return changed
    }),
  ),

  remove: notes.remove.handler(({ input: { noteId }, context }) =>
    context.inTx(async (db) => {
      if (mustFind(await findNote(db, noteId)).deletedAt) return
      await changeNote(db, noteId, { deleted_at: now })
    }),
  ),

  restore: notes.restore.handler(({ input: { noteId }, context }) =>
    context.inTx(async (db) => {
      const { deletedAt, restorableUntil } = mustFind(await findNote(db, noteId))
      if (deletedAt && restorableUntil && Date.parse(restorableUntil) < Date.now()) throw problem('NOT_FOUND')
      return changeNote(db, noteId, { deleted_at: null })
    }),
  ),
})
