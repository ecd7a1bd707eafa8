import { createStore } from '../../../platform/store.ts'
import { ApiProblem } from '../../../platform/api/problem.ts'
import type { FieldChange } from '../../../platform/records/record-editor.tsx'
import type { CampaignChange } from '@guildhall/contract/features/fundraising'
import { changeOf, isBlank, labelOf, pageFaults } from './page-values.ts'
import type { PageKey, PageValues } from './page-values.ts'

type Faults = Readonly<Record<string, string>>
type State = {
  /** The page as it is in the record. */
  stored: PageValues
  /** What was typed and is not saved yet. */
  typed: Partial<PageValues>
  /** The page with what was typed. */
  values: PageValues
  faults: Faults
  saving: number
  hasSaved: boolean
}
export type PageDraft = ReturnType<typeof pageDraft>

/** The giving page in the form: what is typed is shown at once, and saved when its field is left. What is refused stays in its field with the reason. */
export function pageDraft(begun: PageValues, send: (change: FieldChange<CampaignChange>) => Promise<void>) {
  const store = createStore<State>({ stored: begun, typed: {}, values: begun, faults: {}, saving: 0, hasSaved: false })
  const change = (part: Partial<State>) =>
    store.set((before) => {
      const { stored, typed } = { ...before, ...part }
      const isSame = stored === before.stored && typed === before.typed
      return { ...before, ...part, values: isSame ? before.values : { ...stored, ...typed } }
    })

  const set = (typed: Partial<PageValues>) => {
    const before = store.get()
    change({ typed: { ...before.typed, ...typed }, faults: without(before.faults, keysOf(typed)) })
  }
  /** What was saved stands in the record now; what was typed since stays. */
  const forget = (keys: readonly PageKey[], sent: PageValues) => {
    const { typed } = store.get()
    const isStale = (key: PageKey) => typed[key] === sent[key] && !(key === 'suggested' && sent.suggested.some(isBlank))
    change({ typed: Object.fromEntries(Object.entries(typed).filter(([name]) => !keys.some((key) => key === name && isStale(key)))) })
  }
  const save = async (...keys: PageKey[]) => {
    const { values, stored, faults } = store.get()
    const [first] = keys
    if (!first) return
    const found = pageFaults(values, keys)
    change({ faults: { ...without(faults, keys), ...found } })
    if (Object.keys(found).length > 0) return
    const [wanted, before] = [changeOf(values, keys), changeOf(stored, keys)]
    if (JSON.stringify(wanted) === JSON.stringify(before)) return forget(keys, values)
    change({ saving: store.get().saving + 1 })
    try {
      await send({ label: labelOf(first), change: wanted, before })
      change({ hasSaved: true })
      forget(keys, values)
    } catch (failure) {
      change({ faults: { ...store.get().faults, ...refusalOf(failure, first) } })
    } finally {
      change({ saving: store.get().saving - 1 })
    }
  }
  return {
    get: store.get,
    subscribe: store.subscribe,
    use: store.use,
    set,
    save: (...keys: PageKey[]) => void save(...keys),
    /** A choice is saved when it is made. */
    put: (choice: Partial<PageValues>) => {
      set(choice)
      void save(...keysOf(choice))
    },
    /** The record as it is now. */
    follow: (stored: PageValues) => change({ stored }),
    /** Saves what is left when the form goes away. */
    flush: () => {
      const { typed, faults } = store.get()
      for (const key of keysOf(typed)) if (!Object.keys(faults).some((path) => isIn(path, key))) void save(key)
    },
  }
}

const known: readonly PageKey[] = [
  ...(['name', 'summary', 'story', 'coverFileId', 'coverAlt', 'allowsRecurring', 'allowsCoverFees', 'thanks', 'goalKind'] as const),
  ...(['suggested', 'minAmount', 'maxAmount', 'goal', 'fundId', 'fundIds', 'startsOn', 'endsOn'] as const),
]
const keysOf = (change: Partial<PageValues>) => known.filter((key) => key in change)

const isIn = (path: string, key: PageKey) => path === key || path.startsWith(`${key}.`)
/** The same object where none of them is wrong. */
function without(faults: Faults, keys: readonly PageKey[]): Faults {
  const left = Object.entries(faults).filter(([path]) => !keys.some((key) => isIn(path, key)))
  return left.length === Object.keys(faults).length ? faults : Object.fromEntries(left)
}

/** What the server refuses, at the places that it names, else at the field that was sent. */
function refusalOf(failure: unknown, key: PageKey): Record<string, string> {
  const problem = failure instanceof Error ? failure.cause : undefined
  if (problem instanceof ApiProblem && problem.errors.length > 0) {
    const named: Record<string, string> = {}
    for (const { path, message } of problem.errors) named[path] = message
    return named
  }
  return { [key]: failure instanceof Error ? failure.message : String(failure) }
}
