import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { useAuth } from '../../platform/auth/auth-context.tsx'
import { followChanges } from '../../platform/api/changes.ts'

/** A provider tells servers of a sign-out a moment before its own session is over: whoever came at once would find it and begin anew. */
const graceMs = 1_000

/** Mounted once, beside the pages of whoever is signed in: what happens to the session is noticed without a click. */
export function AccountChanges() {
  const api = useApi()
  const auth = useAuth()
  const cache = useQueryClient()
  useEffect(() => {
    let leaving: ReturnType<typeof setTimeout> | undefined
    // What was read with other rights is read again; locked out, the first refusal takes the pages away.
    const readAgain = () => void cache.invalidateQueries()
    const stop = followChanges(api, {
      rights: readAgain,
      notifications: () => void cache.invalidateQueries({ queryKey: api.data.notifications.key() }),
      announcements: () => void cache.invalidateQueries({ queryKey: api.data.communication.announcements.key() }),
      ended(reason) {
        if (reason === 'signed_out') leaving = setTimeout(() => void auth.end('provider'), graceMs)
        else readAgain()
      },
    })
    return () => {
      clearTimeout(leaving)
      stop()
    }
  }, [api, auth, cache])
  return null
}
