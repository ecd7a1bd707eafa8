import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'

/** After any change to memberships: they show on home, on people and in lists, and an application makes a person of its account. */
export function useMembershipsChanged() {
  const api = useApi()
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: api.data.membership.key() }),
      client.invalidateQueries({ queryKey: api.data.people.key() }),
      client.invalidateQueries({ queryKey: api.data.account.me.key() }),
    ])
}
