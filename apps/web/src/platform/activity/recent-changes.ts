import { createStore } from '../store.ts'

export type Change = {
  id: string
  /** "Ada Byron archived" */
  text: string
  at: Date
  /** Gone once it was used or the change can no longer be taken back. */
  undo?: (() => Promise<unknown>) | undefined
}

const keep = 50
const key = 'guildhall.changes'
const store = createStore<Change[]>(read())
/** The words outlast a reload, for as long as the tab; an undo is a promise of the page that was open. */
store.subscribe(() => {
  try {
    sessionStorage.setItem(key, JSON.stringify(store.get().map(({ id, text, at }) => ({ id, text, at }))))
  } catch {
    // Without storage the list lasts as long as the page.
  }
})

export const useRecentChanges = store.use
export const lastUndoable = () => store.get().find((change) => change.undo)

export function recordChange(text: string, undo?: () => Promise<unknown>): Change {
  const change: Change = { id: crypto.randomUUID(), text, at: new Date(), undo }
  store.set((before) => [change, ...before].slice(0, keep))
  return change
}

/** From now on it cannot be taken back. */
export const settleChange = (id: string) => setUndo(id, undefined)

/** Takes the undo away first, so that a second click or key cannot run it twice; a failure gives it back. */
export async function undoChange(id: string) {
  const change = store.get().find((known) => known.id === id)
  const undo = change?.undo
  if (!undo) return
  setUndo(id, undefined)
  try {
    await undo()
  } catch (failure) {
    setUndo(id, undo)
    throw failure
  }
}

/** On sign-out: the next person at this screen must not see or undo what the last one did. */
export const forgetChanges = () => {
  store.set([])
  sessionStorage.removeItem(key)
}

function setUndo(id: string, undo: Change['undo']) {
  store.set((before) => before.map((change) => (change.id === id ? { ...change, undo } : change)))
}

function read(): Change[] {
  try {
    const held: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(held) ? held.flatMap(toChange) : []
  } catch {
    return []
  }
}

function toChange(held: unknown): Change[] {
  if (typeof held !== 'object' || held === null) return []
  const [id, text, at]: unknown[] = ['id', 'text', 'at'].map((name): unknown => Reflect.get(held, name))
  return typeof id === 'string' && typeof text === 'string' && typeof at === 'string' ? [{ id, text, at: new Date(at) }] : []
}
