import type { Home } from '@guildhall/contract/features/home'
import { useMutation, useQuery, useQueryClient, keepPreviousData } from '@tanstack/react-query'
import { useApi } from '../../platform/api.tsx'
import type { HomeSearch } from './home-search.ts'

export type HomeData = Home

/** Home of the scope in the address; the former scope stays on screen while the next one loads. */
export const useHome = ({ scope, chapter }: HomeSearch) =>
  useQuery({
    ...useApi().data.home.home.queryOptions({ input: { ...(scope ? { scope } : {}), ...(chapter ? { chapterId: chapter } : {}) } }),
    placeholderData: keepPreviousData,
  })

/** Lets someone into a group, or not. */
export function useAnswerRequest() {
  const api = useApi()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ memberId, groupId, accept }: { memberId: string; groupId: string; accept: boolean }) => {
      const { approve, decline } = api.data.groups.members
      return (accept ? approve : decline).call({ groupId, memberId })
    },
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: api.data.home.key() }),
        cache.invalidateQueries({ queryKey: api.data.groups.key() }),
        cache.invalidateQueries({ queryKey: api.data.site.menu.key() }),
      ]),
  })
}
