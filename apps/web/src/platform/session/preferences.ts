import { useSyncExternalStore } from 'react'
import { asOneOf, searchParams } from '../navigation/search-params.ts'

const reading = {
  density: asOneOf('compact', 'default', 'comfortable'),
  locale: asOneOf('en', 'ar', 'pseudo'),
  shortcuts: (value: unknown) => (typeof value === 'boolean' ? value : undefined),
  sidebar: asOneOf('open', 'rail'),
}
export type Preferences = { [Name in keyof typeof reading]: Exclude<ReturnType<(typeof reading)[Name]>, undefined> }

const usual: Preferences = { density: 'default', locale: 'en', shortcuts: true, sidebar: 'open' }
const read = searchParams(reading)

const key = 'guildhall.preferences'
const listeners = new Set<() => void>()
let current = stored()

function stored(): Preferences {
  try {
    const given: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    const { density, locale, shortcuts, sidebar } = read(typeof given === 'object' && given !== null ? { ...given } : {})
    return {
      density: density ?? usual.density,
      locale: locale ?? usual.locale,
      shortcuts: shortcuts ?? usual.shortcuts,
      sidebar: sidebar ?? usual.sidebar,
    }
  } catch {
    // Another version wrote it, or storage is forbidden: the usual ones are always right.
    return usual
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
