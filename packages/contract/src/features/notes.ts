import * as z from 'zod'
import { del, get, patch, post } from '../base.ts'
import { FormattedText, formattedText } from '../formatted-text.ts'
import { Cursor, Id, Instant, Limit, PersonRef, Version, page } from '../shapes.ts'

const tag = 'Notes'

/** How many characters a note may have. */
export const noteLimit = 10_000

export const NoteVisibility = z
  .enum(['self', 'officers', 'organisation'])
  .describe(
    'self: its author; officers: people who may see sensitive data of the person; organisation: everyone who manages people anywhere. Never the person it is about',
  )
export type NoteVisibility = z.infer<typeof NoteVisibility>

export const Note = z.object({
  id: Id,
  personId: Id.describe('The person it is about'),
  author: PersonRef.nullable().describe('Null when it is not yours to see, or gone'),
  body: FormattedText,
  visibility: NoteVisibility,
  pinned: z.boolean(),
  createdAt: Instant,
  editedAt: Instant.nullable(),
  deletedAt: Instant.nullable(),
  restorableUntil: Instant.nullable().describe('A deleted note can be restored until then'),
  mine: z.boolean(),
  may: z.object({
    edit: z.boolean().describe('Change what it says and who sees it: its author'),
    remove: z.boolean().describe('Pin, delete and restore it'),
  }),
  version: Version,
})
export type Note = z.infer<typeof Note>

export const NoteVersion = z.object({
  body: FormattedText,
  visibility: NoteVisibility,
  replacedAt: Instant,
})
export type NoteVersion = z.infer<typeof NoteVersion>

const OneNote = z.strictObject({ noteId: Id })
const body = formattedText(noteLimit, 1)
const bodyExample = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Prefers to be called in the evening.' }] }],
}

export const notesData = {
  list: get('/people/{personId}/notes', 'listNotes', {
    needs: 'signed-in',
    tag,
    summary: 'Notes about a person that are yours to see, pinned ones first, then the newest',
    description: 'Nobody is shown notes about themselves. With `deleted`, those that can still be restored instead.',
  })
    .input(z.strictObject({ personId: Id, deleted: z.boolean().optional(), cursor: Cursor.optional(), limit: Limit.optional() }))
    .output(page(Note)),
  get: get('/notes/{noteId}', 'getNote', { needs: 'signed-in', tag, summary: 'A note' }).input(OneNote).output(Note),
  create: post('/people/{personId}/notes', 'createNote', {
    needs: 'signed-in',
    tag,
    summary: 'Note something about a person',
    description: 'For those who look after people; `officers` needs the right to sensitive data of this person.',
  })
    .input(
      z
        .strictObject({ personId: Id, visibility: NoteVisibility, body, pinned: z.boolean().optional() })
        .meta({ examples: [{ visibility: 'organisation', body: bodyExample }] }),
    )
    .output(Note),
  update: patch('/notes/{noteId}', 'updateNote', {
    needs: 'signed-in',
    tag,
    summary: 'Change your own note; what it said before is kept. Officers pin those of others',
  })
    .input(
      OneNote.extend({ visibility: NoteVisibility.optional(), body: body.optional(), pinned: z.boolean().optional() }).meta({
        examples: [{ body: bodyExample }],
      }),
    )
    .output(Note),
  remove: del('/notes/{noteId}', 'removeNote', { needs: 'signed-in', tag, summary: 'Delete a note; it can be restored for 30 days' })
    .input(OneNote)
    .output(z.void()),
  restore: post('/notes/{noteId}/restore', 'restoreNote', { needs: 'signed-in', tag, status: 200, summary: 'Bring a deleted note back' })
    .input(OneNote)
    .output(Note),
  versions: get('/notes/{noteId}/versions', 'listNoteVersions', {
    needs: 'signed-in',
    tag,
    summary: 'What a note said before, the latest first; the last 100 for whom it was visible then',
  })
    .input(OneNote)
    .output(z.object({ items: z.array(NoteVersion) })),
}
