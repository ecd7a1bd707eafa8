import type { LineFileFormat, LineNode, LineProblemKind, LineTree } from '@guildhall/contract/features/relationships.lines'
import { maxLineNodes } from '@guildhall/contract/features/relationships.lines'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { InfiniteData } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'

/** Which lines are looked at: a kind, a day and the chapters below one. */
export type LineScope = { kind: string; asOf?: string | undefined; chapterId?: string | undefined }
export type LineQuestion = LineScope & { rootId?: string | undefined; depth: number }

/** The first page is drawn at once, the rest comes in large ones. */
const firstPage = 200
/** Beyond, the reader says whether to go on. */
const mostUnasked = 20_000

type Fetched = { first: LineTree; nodes: readonly LineNode[] }

/** What has been fetched of a line. */
export function useLineNodes(question: LineQuestion, enabled: boolean) {
  const { tree } = useApi().data.relationships.lines
  return useInfiniteQuery({
    queryKey: tree.key({ type: 'infinite', input: asked(question) }),
    queryFn: ({ pageParam, signal }) =>
      tree.call({ ...asked(question), ...(pageParam ? { cursor: pageParam, limit: maxLineNodes } : { limit: firstPage }) }, { signal }),
    initialPageParam: noCursor(),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: together,
    enabled,
    // A long line is many answers: it is asked for again after a change, not for looking away.
    staleTime: 300_000,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  })
}

/** A line, page after page, until all of it is here; `more` goes on where it waits to be asked or has failed. One component at a time. */
export function useLineTree(question: LineQuestion, enabled: boolean) {
  const query = useLineNodes(question, enabled)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const loaded = query.data?.nodes.length ?? 0
  const goesOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && loaded < mostUnasked
  useEffect(() => {
    // After each page anew: one may arrive before anybody saw that it was on its way.
    if (goesOn) void fetchNextPage()
  }, [goesOn, loaded, fetchNextPage])
  return { ...query, loaded, waits: hasNextPage && !isFetchingNextPage && !goesOn, more: () => void fetchNextPage() }
}

const noCursor = (): string | undefined => undefined

function together({ pages }: InfiniteData<LineTree>): Fetched | undefined {
  const [first] = pages
  return first && { first, nodes: pages.length === 1 ? first.nodes : pages.flatMap(({ nodes }) => nodes) }
}

const within = ({ kind, asOf, chapterId }: LineScope) => ({ kind, ...(asOf && { asOf }), ...(chapterId && { chapterId }) })
const asked = ({ rootId, depth, ...scope }: LineQuestion) => ({ ...within(scope), depth, ...(rootId && { rootId }) })

type Looked = LineScope & { q?: string | undefined }

export const useLinePairs = ({ q, generation, ...scope }: Looked & { generation?: number | undefined }) =>
  useInfiniteQuery(
    pagedOptions(useApi().data.relationships.lines.pairs, {
      ...within(scope),
      ...(q && { q }),
      ...(generation !== undefined && { generation }),
      limit: 100,
    }),
  )

export const useLineRoots = ({ q, ...scope }: Looked) =>
  useInfiniteQuery(pagedOptions(useApi().data.relationships.lines.roots, { ...within(scope), ...(q && { q }), limit: 100 }))

export const useLineProblems = ({ problem, ...scope }: LineScope & { problem?: LineProblemKind | undefined }) =>
  useInfiniteQuery(pagedOptions(useApi().data.relationships.lines.problems, { ...within(scope), ...(problem && { problem }), limit: 50 }))

export const useLineStatistics = (scope: LineScope) =>
  useQuery(useApi().data.relationships.lines.statistics.queryOptions({ input: within(scope) }))

type Ends = { fromId: string | undefined; toId: string | undefined }
/** Nothing until both ends are chosen. */
export const useLinePath = ({ kind, asOf }: LineScope, { fromId, toId }: Ends) =>
  useQuery({
    ...useApi().data.relationships.lines.path.queryOptions({
      input: { ...within({ kind, asOf }), fromId: fromId ?? '', toId: toId ?? '' },
    }),
    enabled: fromId !== undefined && toId !== undefined && fromId !== toId,
  })

export const useRelationship = (relationshipId: string) =>
  useQuery(useApi().data.relationships.get.queryOptions({ input: { relationshipId } }))

/** People or chapters of a kind by name, with where they stand. */
export function useLineSearch({ kind, asOf }: LineScope) {
  const { search } = useApi().data.relationships.lines
  return useCallback(
    async (q: string, signal: AbortSignal) => {
      if (q === '') return []
      const { items } = await search.call({ ...within({ kind, asOf }), q }, { signal })
      return items.map(({ record, path }) => ({
        value: record.id,
        label: record.name,
        hint: [record.chapter?.name, path.map(({ name }) => name).join(' › ')].filter(Boolean).join(' · '),
      }))
    },
    [search, kind, asOf],
  )
}

/** The top of somebody's line, themselves where nobody is above. */
export function useTopOfLine() {
  const { tree } = useApi().data.relationships.lines
  return useCallback(
    async (scope: LineScope, recordId: string) => {
      const { path } = await tree.call({ ...within(scope), rootId: recordId, depth: 1, limit: 1 })
      return path[0]?.id ?? recordId
    },
    [tree],
  )
}

export type LineFile = LineQuestion & { format: LineFileFormat }
export function useLineFile() {
  const { file } = useApi().actions.relationships.lines
  return useCallback(({ format, ...question }: LineFile) => file.call({ ...asked(question), format }), [file])
}
