import { useEffect } from 'react'
import { createStore } from '../store.ts'

const title = createStore('')
/** The last crumb of the header. */
export const useCurrentTitle = title.use

/** "Members · Guildhall", or with a section "History · Ada Byron · Guildhall". The layout announces it after a change of path. */
export function usePageTitle(text: string | undefined, section?: string) {
  useEffect(() => {
    if (!text) return
    document.title = [section, text, 'Guildhall'].filter(Boolean).join(' · ')
    title.set(text)
  }, [text, section])
}
