import type { ApiKey, ApiKeyActivity, MadeApiKey } from '@guildhall/contract/features/integrations.keys'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'

export type { ApiKey, ApiKeyActivity, MadeApiKey }

export const useKeys = (state: ApiKey['state'] | undefined) =>
  useInfiniteQuery(pagedOptions(useApi().data.integrations.keys.list, { limit: 50, ...(state && { state }) }))

export const useKey = (apiKeyId: string) => useQuery(useApi().data.integrations.keys.get.queryOptions({ input: { apiKeyId } }))

export const useKeyUses = (apiKeyId: string, failed: boolean) =>
  useInfiniteQuery(pagedOptions(useApi().data.integrations.keys.uses, { apiKeyId, limit: 50, ...(failed && { failed }) }))

export const useKeyActivity = (apiKeyId: string) => useQuery(useApi().data.integrations.keys.activity.queryOptions({ input: { apiKeyId } }))

export function useKeysChanged() {
  const keys = useApi().data.integrations.keys.key()
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: keys })
}
