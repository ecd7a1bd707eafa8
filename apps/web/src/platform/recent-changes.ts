import { createStore } from './store.ts'

export type Change = {
  id: string
  /** "Ada Byron archived" */
  text: string
  at: Date
  /** Gone once it was used or the change can no longer be taken back. */
  undo?: (() => Promise<unknown>) | undefined
}

const keep = 50
const store = createStore<Change[]>([])

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
export const forgetChanges = () => store.set([])

function setUndo(id: string, undo: Change['undo']) {
  store.set((before) => before.map((change) => (change.id === id ? { ...change, undo } : change)))
}
