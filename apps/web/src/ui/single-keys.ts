import { createContext, use } from 'react'

/** Whether single letters may act as commands; people who dictate or tremble switch them off. */
const SingleKeys = createContext(true)
export const SingleKeysProvider = SingleKeys
export const useSingleKeys = () => use(SingleKeys)

/** True for a key pressed where it types text or belongs to an open dialog or menu. */
export function isTaken(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('[role="dialog"], [role="menu"], [role="listbox"], [role="combobox"]')) return true
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' && target.type !== 'radio'
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}
