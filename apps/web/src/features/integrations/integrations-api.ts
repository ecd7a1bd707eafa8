import { t } from '@lingui/core/macro'
import type { Connection, ConnectionMapping, SyncChange, SyncError, SyncRun } from '@guildhall/contract/features/integrations'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type * as z from 'zod'
import { useApi } from '../../platform/api/api.tsx'
import { useConnectionMoves } from '../../platform/api/changes.ts'
import { pagedOptions } from '../../platform/api/paged.ts'
import { isUnderWay } from './words/state-words.ts'

export type { Connection, ConnectionMapping, SyncRun }
export type Change = z.infer<typeof SyncChange>
export type RowError = z.infer<typeof SyncError>

/** How often a run that works is asked how far it is. */
const runPauseMs = 1_500
const listPauseMs = 30_000

/** All that the reader may see: at most 200, so they are searched and sorted here. */
export const useConnections = () =>
  useQuery({ ...useApi().data.integrations.list.queryOptions({ input: {} }), refetchInterval: listPauseMs })

/** By its id or its name in addresses. */
export const useConnection = (connectionId: string) => useQuery(useApi().data.integrations.get.queryOptions({ input: { connectionId } }))

export const useMapping = (connectionId: string) =>
  useQuery({ ...useApi().data.integrations.mapping.queryOptions({ input: { connectionId } }), staleTime: Infinity })

/** Newest first; asked again while one of them works. */
export const useRuns = (connectionId: string) =>
  useInfiniteQuery({
    ...pagedOptions(useApi().data.integrations.runs, { connectionId, limit: 20 }),
    refetchInterval: ({ state }) => (state.data?.pages.some(({ items }) => items.some(isUnderWay)) ? runPauseMs : false),
  })

export const useRun = (connectionId: string, runId: string) =>
  useQuery({
    ...useApi().data.integrations.run.queryOptions({ input: { connectionId, runId } }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? runPauseMs : false),
  })

type ChangesOf = { connectionId: string; runId: string; kind?: Change['kind'] }
export const useRunChanges = (question: ChangesOf) =>
  useInfiniteQuery(pagedOptions(useApi().data.integrations.changes, { ...question, limit: 20 }, { keepsRows: false }))

/** What waits for somebody, over all runs. */
export const useWaiting = (connectionId: string) =>
  useInfiniteQuery(pagedOptions(useApi().data.integrations.waiting, { connectionId, limit: 20 }))

type ErrorsOf = { connectionId: string; runId?: string; state?: 'open' | 'retried' | 'ignored'; code?: string }
export const useErrors = (question: ErrorsOf) =>
  useInfiniteQuery(pagedOptions(useApi().data.integrations.errors, { ...question, limit: 20 }))

/** Marketing topics for the setting of that name: what is always sent has no subscribers to exchange. */
export function useTopicOptions() {
  const { data } = useQuery({ ...useApi().data.communication.topics.list.queryOptions({ input: {} }), staleTime: 60_000 })
  const topics = (data?.items ?? []).filter(({ kind }) => kind === 'marketing')
  return [
    { value: '', label: t`None` },
    ...topics.map(({ id, name, chapter }) => ({ value: id, label: chapter ? `${name} · ${chapter.name}` : name })),
  ]
}

/** Shows at once what a run does and how the connection is, as the server tells of it. */
export function useLiveConnection(connectionId: string | undefined) {
  const { integrations } = useApi().data
  const cache = useQueryClient()
  useConnectionMoves(connectionId ?? null, () => void cache.invalidateQueries({ queryKey: integrations.key() }))
}

/** After anything has changed: whatever shows connections is asked anew. */
export function useIntegrationsChanged() {
  const { integrations, account } = useApi().data
  const cache = useQueryClient()
  return useCallback(
    () => Promise.all([integrations.key(), account.audit.key()].map((queryKey) => cache.invalidateQueries({ queryKey }))),
    [integrations, account, cache],
  )
}

/** The same once more, with the connection as it was answered in place of the one shown. */
export function useConnectionSaved() {
  const { integrations } = useApi().data
  const cache = useQueryClient()
  const changed = useIntegrationsChanged()
  return useCallback(
    (connection: Connection) => {
      for (const connectionId of [connection.id, connection.slug])
        cache.setQueryData(integrations.get.queryKey({ input: { connectionId } }), connection)
      return changed()
    },
    [integrations, cache, changed],
  )
}
