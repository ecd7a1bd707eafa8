import { useMemo, useState } from 'react'

/** Either some rows, or everything that matches except some: a list of 84,213 is never spelled out. */
export type SelectionState = { kind: 'some'; ids: ReadonlySet<string> } | { kind: 'all'; except: ReadonlySet<string> }

type Held = { scope: string; state: SelectionState; anchor: string | undefined }

const nothing: SelectionState = { kind: 'some', ids: new Set() }

export type Selection = ReturnType<typeof useSelection>

/** `scope` is what the selection belongs to, usually the filter as text: another filter starts with nothing selected. */
export function useSelection(scope = '') {
  const [held, setHeld] = useState<Held>({ scope, state: nothing, anchor: undefined })
  const { state, anchor } = held.scope === scope ? held : { state: nothing, anchor: undefined }

  return useMemo(() => {
    const set = (next: SelectionState, at?: string) => setHeld({ scope, state: next, anchor: at })
    const has = (id: string) => (state.kind === 'all' ? !state.except.has(id) : state.ids.has(id))
    const mark = (ids: readonly string[], selected: boolean): SelectionState => {
      const listed = new Set(state.kind === 'all' ? state.except : state.ids)
      for (const id of ids)
        if (selected === (state.kind === 'some')) listed.add(id)
        else listed.delete(id)
      return state.kind === 'all' ? { kind: 'all', except: listed } : { kind: 'some', ids: listed }
    }
    return {
      state,
      has,
      toggle: (id: string) => set(mark([id], !has(id)), id),
      /** From the row last touched to this one, in the order shown. */
      toggleRange: (id: string, shown: readonly string[]) => {
        const from = anchor === undefined ? -1 : shown.indexOf(anchor)
        const to = shown.indexOf(id)
        if (from < 0 || to < 0) return set(mark([id], !has(id)), id)
        set(mark(shown.slice(Math.min(from, to), Math.max(from, to) + 1), anchor !== undefined && has(anchor)), id)
      },
      selectShown: (shown: readonly string[]) => set(mark(shown, true)),
      selectAllMatching: () => set({ kind: 'all', except: new Set() }),
      clear: () => set(nothing),
      count: (total: number) => (state.kind === 'all' ? Math.max(0, total - state.except.size) : state.ids.size),
      isEmpty: state.kind === 'some' && state.ids.size === 0,
    }
  }, [scope, state, anchor])
}
