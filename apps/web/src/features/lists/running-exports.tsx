import { useEffect } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { useCan } from '../../platform/session/session.ts'

const pauseMs = 3000

/** Mounted once: exports that were under way when the page was left or reloaded go on in the progress tray. */
export function RunningExports() {
  const api = useApi()
  const exports = useCan('people.export')
  useEffect(() => {
    if (!exports) return
    // The page comes first; a file that takes minutes can wait for a moment.
    const timer = setTimeout(() => {
      void import('./follow-export.ts').then(({ followRunningExports }) => followRunningExports(api)).catch(() => undefined)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [api, exports])
  return null
}
