import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'

const Preferences = z.object({
  density: z._default(z.enum(['compact', 'default', 'comfortable']), 'default'),
  locale: z._default(z.enum(['en', 'ar', 'pseudo']), 'en'),
  shortcuts: z._default(z.boolean(), true),
  sidebar: z._default(z.enum(['open', 'rail']), 'open'),
})
export type Preferences = z.infer<typeof Preferences>

const key = 'guildhall.preferences'
const listeners = new Set<() => void>()
let current = read()

function read(): Preferences {
  try {
    return Preferences.parse(JSON.parse(localStorage.getItem(key) ?? '{}'))
  } catch {
    // Another version wrote it, or storage is forbidden: the defaults are always right.
    return Preferences.parse({})
  }
}

export const preferences = () => current

export function setPreference<Key extends keyof Preferences>(name: Key, value: Preferences[Key]) {
  current = { ...current, [name]: value }
  applyPreferences()
  try {
    localStorage.setItem(key, JSON.stringify(current))
  } catch {
    // Full or forbidden storage only means the choice ends with this tab.
  }
  for (const listener of listeners) listener()
}

/** Density reaches the style sheets through one attribute. */
export function applyPreferences() {
  document.documentElement.dataset['density'] = current.density
}

export function usePreferences(): Preferences {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, preferences)
}
