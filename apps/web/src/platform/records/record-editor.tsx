import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { toast } from '../activity/toast.tsx'
import { problemText } from '../api/problem-text.tsx'
import { ApiProblem } from '../api/problem.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import type { Author, Conflict } from './conflict-dialog.tsx'

type Now<Stored> = { record: Stored; version: number; by?: (field: string) => Author | undefined }

type Options<Stored, Change> = {
  /** Whose fields these are: "City of Lyon changed". */
  name: string
  record: Stored
  version?: number
  send: (change: Change, sent: { context: { ifMatch: number | undefined } }) => Promise<Stored>
  /** The record as it is now. Without it the later change wins, as for what has no version. */
  read?: () => Promise<Now<Stored>>
  /** Shows what was saved. */
  onSaved: (record: Stored) => unknown
}

/** One change of one field, with the change that takes it back where there is one. */
export type FieldChange<Change> = {
  label: string
  change: Change
  before: Change | undefined
  words?: ((code: string) => string | undefined) | undefined
}

export type RecordEditor<Change> = {
  /** Rejects with what is wrong with the field. */
  save: (field: FieldChange<Change>) => Promise<void>
  /** Put it on the page. */
  dialog: ReactNode
}

/**
 * Saves fields of a record in place, one by one, each with Undo. When somebody else changed the record meanwhile but not this field,
 * both changes stand; when it was this very field, the reader sees both and decides.
 */
export function useRecordEditor<Stored extends object, Change extends object>(options: Options<Stored, Change>): RecordEditor<Change> {
  const { name, record, version, read, onSaved } = options
  const [conflict, setConflict] = useState<Conflict>()
  const send = (change: Change, ifMatch: number | undefined) => options.send(change, { context: { ifMatch } })

  const decide = (found: Omit<Conflict, 'onDecide'>) =>
    new Promise<'mine' | 'theirs'>((resolve) => {
      setConflict({
        ...found,
        onDecide: (choice) => {
          setConflict(undefined)
          resolve(choice)
        },
      })
    })

  /** The record as saved, or as it is now when the reader took the other's value. */
  const settle = async (field: FieldChange<Change>, again: () => Promise<Now<Stored>>, tries = 0): Promise<Stored> => {
    const { label, change, words } = field
    const now = await again()
    const touched = Object.keys(change).find((key) => !same(now.record, record, key) && !same(now.record, change, key))
    if (touched) {
      const mine: unknown = Reflect.get(change, touched)
      const theirs: unknown = Reflect.get(now.record, touched)
      if ((await decide({ label, mine, theirs, author: now.by?.(touched), words })) === 'theirs') return now.record
    }
    try {
      return await send(change, now.version)
    } catch (problem) {
      if (isStale(problem) && tries < 2) return settle(field, again, tries + 1)
      throw problem
    }
  }

  const save = async (field: FieldChange<Change>) => {
    const { label, change, before } = field
    const fields = Object.keys(change)
    if (fields.length === 0) return
    let saved: Stored
    try {
      saved = await send(change, version).catch((problem: unknown) => {
        if (read && isStale(problem)) return settle(field, read)
        throw problem
      })
    } catch (problem) {
      throw new Error((problem instanceof ApiProblem && problem.errors[0]?.message) || problemText(problem), { cause: problem })
    }
    void onSaved(saved)
    if (!fields.every((key) => same(saved, change, key))) return
    const done = t`${label} of ${name} changed`
    if (!before) return toast.success(done)
    toast.undo(done, async () => {
      const now = await read?.()
      if (now && !fields.every((key) => same(now.record, saved, key))) throw new Error(t`It was changed again since.`)
      await onSaved(await send(before, now?.version))
    })
  }

  return { save, dialog: <ConflictDialog conflict={conflict} /> }
}

const isStale = (problem: unknown) => problem instanceof ApiProblem && problem.status === 412

/** Alike whatever the order of their keys: the database has one of its own for documents. */
const same = (one: object, other: object, key: string) => inOrder(Reflect.get(one, key)) === inOrder(Reflect.get(other, key))

const inOrder = (value: unknown) =>
  JSON.stringify(value ?? null, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
