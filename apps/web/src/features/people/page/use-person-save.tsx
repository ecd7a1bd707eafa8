import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type * as z from 'zod'
import type { PersonChange } from '@guildhall/contract/features/people'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import type { Conflict } from './conflict-dialog.tsx'
import { camel } from '../../../platform/activity/history-words.ts'
import { showPerson, usePeopleChanged } from '../people-api.ts'
import type { Person } from '../people-api.ts'

export type Change = z.infer<typeof PersonChange>
export type Field = keyof Change & keyof Person

/**
 * Saves facts of a person in place. When somebody else changed the person meanwhile but not this fact, both changes stand; when it
 * was this very fact, the reader sees both and decides. Put `dialog` on the page.
 */
export function usePersonSave(person: Person) {
  const api = useApi()
  const cache = useQueryClient()
  const changed = usePeopleChanged()
  const [conflict, setConflict] = useState<Conflict>()

  const send = (change: Change, version: number) =>
    api.data.people.update.call({ personId: person.id, ...change }, { context: { ifMatch: version } })
  const fresh = () => api.data.people.overview.call({ personId: person.id })

  const decide = (conflictNow: Omit<Conflict, 'onDecide'>) =>
    new Promise<'mine' | 'theirs'>((resolve) => {
      setConflict({
        ...conflictNow,
        onDecide: (choice) => {
          setConflict(undefined)
          resolve(choice)
        },
      })
    })

  /** The person as saved, or as it is now when the reader took the other's value. */
  const settle = async (change: Change, label: string, tries = 0): Promise<Person> => {
    const { person: now, recentChanges } = await fresh()
    const touched = fieldsOf(change).filter((field) => !same(now[field], person[field]))
    const field = touched.find((name) => !same(now[name], change[name]))
    if (field) {
      const entry = recentChanges.find(({ changes }) => changes.some((one) => camel(one.field) === field))
      const choice = await decide({ label, mine: change[field], theirs: now[field], by: entry?.actor?.name, at: entry?.at })
      if (choice === 'theirs') return now
    }
    try {
      return await send(change, now.version)
    } catch (problem) {
      if (isStale(problem) && tries < 2) return settle(change, label, tries + 1)
      throw problem
    }
  }

  const save = async (change: Change, label: string) => {
    const before = pick(person, change)
    let saved: Person
    try {
      saved = await send(change, person.version).catch((problem: unknown) => {
        if (isStale(problem)) return settle(change, label)
        throw problem
      })
    } catch (problem) {
      throw new Error(fieldMessage(problem), { cause: problem })
    }
    showPerson(cache, api, saved)
    void changed()
    if (!fieldsOf(change).every((field) => same(saved[field], change[field]))) return
    toast.undo(t`${label} of ${person.displayName} changed`, async () => {
      const { person: now } = await fresh()
      if (!fieldsOf(change).every((field) => same(now[field], saved[field]))) throw new Error(t`It was changed again since.`)
      showPerson(cache, api, await send(before, now.version))
      await changed()
    })
  }

  return { save, dialog: <ConflictDialog conflict={conflict} /> }
}

const isStale = (problem: unknown) => problem instanceof ApiProblem && problem.status === 412

/** What the server says about the one field, or about the whole. */
const fieldMessage = (problem: unknown) => (problem instanceof ApiProblem && problem.errors[0]?.message) || problemText(problem)

const fieldsOf = (change: Change) => Object.keys(change).filter((key): key is Field => key in change)
const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The values before; a lifecycle nobody sets by hand cannot have been changed from here. */
function pick(person: Person, change: Change): Change {
  const { lifecycle } = person
  const known = { ...person, lifecycle: lifecycle === 'merged' || lifecycle === 'erased' ? undefined : lifecycle }
  return Object.fromEntries(fieldsOf(change).map((field) => [field, known[field]]))
}
