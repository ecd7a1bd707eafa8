import type { RelationshipState } from '@guildhall/contract/features/relationships'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'

/** Relationships of one person in one state, the newest first. */
export const usePersonRelationships = (personId: string, state: RelationshipState, enabled = true) =>
  useInfiniteQuery({ ...pagedOptions(useApi().data.relationships.list, { personId, state, limit: 100 }), enabled })

/** The people around one person, two steps far. */
export const usePersonGraph = (personId: string) => useQuery(useApi().data.relationships.graph.queryOptions({ input: { personId } }))

/** Proposals that wait for the reader, of one person or of all. */
export const useProposals = (personId?: string) =>
  useInfiniteQuery(
    pagedOptions(useApi().data.relationships.list, { mineToAnswer: true, limit: 50, ...(personId !== undefined && { personId }) }),
  )

/** Types that are in use, or those that are archived. */
export const useTypes = (archived: boolean, enabled = true) =>
  useQuery({ ...useApi().data.relationships.types.queryOptions({ input: archived ? { archived } : {} }), enabled })

/** After a change: relationships, lines and types, what pages of people say of them, and the audit log. */
export function useRelationshipsChanged() {
  const { relationships, people, account } = useApi().data
  const cache = useQueryClient()
  return useCallback(
    () => Promise.all([relationships.key(), people.key(), account.audit.key()].map((queryKey) => cache.invalidateQueries({ queryKey }))),
    [relationships, people, account, cache],
  )
}
