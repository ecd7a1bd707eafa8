import type { Home } from '@guildhall/contract/features/home'
import { useMutation, useQuery, useQueryClient, keepPreviousData } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import type { CallContext } from '../../platform/api/api.tsx'
import type { HomeSearch } from './home-search.ts'

export type HomeData = Home

/** Home of the scope in the address; the former scope stays on screen while the next one loads. */
export function useHome({ scope, chapter }: HomeSearch) {
  const { data, isError, error, isPlaceholderData, refetch } = useQuery({
    ...useApi().data.home.home.queryOptions({ input: { ...(scope ? { scope } : {}), ...(chapter ? { chapterId: chapter } : {}) } }),
    placeholderData: keepPreviousData,
  })
  // The cards are much to draw: in pieces, between which the browser can answer.
  const drawn = useDeferredValue(data)
  return { data: drawn, isPending: !drawn && !isError, isError, error, isPlaceholderData, refetch }
}

/** Lets someone into a group, or not. */
export function useAnswerRequest() {
  const api = useApi()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ memberId, groupId, accept, context }: { memberId: string; groupId: string; accept: boolean; context: CallContext }) => {
      const { approve, decline } = api.data.groups.members
      return (accept ? approve : decline).call({ groupId, memberId }, { context })
    },
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: api.data.home.key() }),
        cache.invalidateQueries({ queryKey: api.data.groups.key() }),
        cache.invalidateQueries({ queryKey: api.data.site.menu.key() }),
      ]),
  })
}
