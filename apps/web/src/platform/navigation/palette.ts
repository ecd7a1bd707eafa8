import { useEffect, useRef } from 'react'
import { createStore } from '../store.ts'

export type PaletteItem = {
  id: string
  label: string
  /** Second line or end of the row: chapter, e-mail, place. */
  hint?: string
  /** The face of a person; null for one without a picture. */
  pictureId?: string | null
  /** Where choosing it leads, or what it does. */
  to?: string
  run?: () => void
  /** Offered to those who type for it, and not to those who only open the palette. */
  onlyAsked?: boolean
}

export type PaletteProvider = {
  /** "People", "Chapters": the heading above its results */
  group: string
  /** Asked 80 ms after the last key with at least two characters. The signal aborts when the next key arrives. */
  search: (query: string, signal: AbortSignal) => Promise<PaletteItem[]>
}

const providers = createStore<readonly PaletteProvider[]>([])
const actions = createStore<readonly PaletteItem[]>([])
export const usePaletteProviders = providers.use
export const usePaletteActions = actions.use

/** Records of one kind for the command palette. Called once, in the feature's public part the layout mounts. */
export function usePaletteRecords(provider: PaletteProvider) {
  const latest = useRef(provider)
  useEffect(() => {
    latest.current = provider
  })
  const { group } = provider
  useEffect(() => {
    const mine: PaletteProvider = { group, search: (query, signal) => latest.current.search(query, signal) }
    providers.set((before) => [...before, mine])
    return () => providers.set((before) => before.filter((known) => known !== mine))
  }, [group])
}

/** Commands of the page that is open, offered in the palette beside the application's own. */
export function usePaletteCommands(items: readonly PaletteItem[]) {
  const latest = useRef(items)
  useEffect(() => {
    latest.current = items
  })
  const signature = items.map(({ id, label }) => `${id}\u0000${label}`).join('\u0001')
  useEffect(() => {
    const mine = latest.current.map((item, index): PaletteItem => ({
      ...item,
      ...(item.run && { run: () => latest.current[index]?.run?.() }),
    }))
    actions.set((before) => [...mine, ...before])
    return () => actions.set((before) => before.filter((item) => !mine.includes(item)))
  }, [signature])
}
