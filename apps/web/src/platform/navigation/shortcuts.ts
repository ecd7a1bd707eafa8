import { useEffect, useRef } from 'react'
import { preferences } from '../session/preferences.ts'
import { createStore } from '../store.ts'

export type Shortcut = {
  /** "?", "j", "g m" (one after the other), "mod+k" (Ctrl, or Cmd on a Mac) */
  keys: string
  label: string
  run: (event: KeyboardEvent) => void
  /** Heading in the help; pages use their own name. */
  group?: string
}

const registered = createStore<readonly Shortcut[]>([])
export const useRegisteredShortcuts = registered.use

/** Keys that work while the calling component is on the page; the newest registration wins. Listed by the help of `?`. */
export function useShortcuts(shortcuts: readonly Shortcut[]) {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  const signature = shortcuts.map(({ keys, label }) => `${keys}\u0000${label}`).join('\u0001')
  useEffect(() => {
    const mine = latest.current.map((shortcut, index): Shortcut => ({
      ...shortcut,
      run: (event) => latest.current[index]?.run(event),
    }))
    registered.set((before) => [...mine, ...before])
    return () => registered.set((before) => before.filter((shortcut) => !mine.includes(shortcut)))
  }, [signature])
}

const sequencePause = 1200
let begun: { key: string; at: number } | undefined

/** Single letters never fire while somebody types, and not at all when switched off. */
export function handleShortcut(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing) return
  const modified = event.ctrlKey || event.metaKey
  if (!modified && (isTyping(event.target) || event.altKey || !preferences().shortcuts || isBehindDialog(event.target))) return
  // In a text, these two are about the text.
  if (modified && ['a', 'z'].includes(event.key.toLowerCase()) && isTyping(event.target)) return
  const key =
    (modified ? 'mod+' : '') +
    (event.shiftKey && event.key.length === 1 && /[a-z\\[\]]/i.test(event.key) ? 'shift+' : '') +
    event.key.toLowerCase()
  const first = begun && event.timeStamp - begun.at < sequencePause ? begun.key : undefined
  begun = undefined
  const match = (first && find(`${first} ${key}`)) || find(key)
  if (match) {
    event.preventDefault()
    return match.run(event)
  }
  if (registered.get().some(({ keys }) => keys.startsWith(`${key} `))) begun = { key, at: event.timeStamp }
}

const find = (keys: string) => registered.get().find((shortcut) => shortcut.keys === keys)

function isTyping(target: EventTarget | null) {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'submit', 'reset'].includes(target.type)
  return (
    target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.role === 'combobox' || target.role === 'textbox'
  )
}

/** Keys of the page below an open dialog would act on what cannot be seen. */
const isBehindDialog = (target: EventTarget | null) =>
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null && target instanceof Node
