import { useEffect } from 'react'
import { createStore } from './store.ts'

const title = createStore('')
/** The last crumb of the header. */
export const useCurrentTitle = title.use

/** "Members · Guildhall". The layout announces it after a change of path. */
export function usePageTitle(text: string | undefined) {
  useEffect(() => {
    if (!text) return
    document.title = `${text} · Guildhall`
    title.set(text)
  }, [text])
}
