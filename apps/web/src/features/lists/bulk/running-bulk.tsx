import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { useRights } from '../../../platform/session/session.ts'

const pauseMs = 3000

/** Mounted once: changes of many records that were under way when the page was left or reloaded go on in the progress tray. */
export function RunningBulk() {
  const api = useApi()
  const cache = useQueryClient()
  const can = useRights()
  const changes = can('people.write') || can('groups.manage') || can('chapters.edit')
  useEffect(() => {
    if (!changes) return
    // The page comes first.
    const timer = setTimeout(() => {
      const changed = () => cache.invalidateQueries({ queryKey: api.data.key() })
      void import('./follow-bulk.ts').then(({ followRunningBulk }) => followRunningBulk(api, changed)).catch(() => undefined)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [api, cache, changes])
  return null
}
