import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'

export const useMailChoices = (personId: string) => useQuery(useApi().data.communication.consents.get.queryOptions({ input: { personId } }))

/** After any change to topics, consents or suppressed addresses. */
export function useConsentsChanged() {
  const api = useApi()
  const client = useQueryClient()
  return () =>
    Promise.all(
      [api.data.communication.topics.key(), api.data.communication.consents.key(), api.data.communication.suppressions.key()].map(
        (queryKey) => client.invalidateQueries({ queryKey }),
      ),
    )
}
