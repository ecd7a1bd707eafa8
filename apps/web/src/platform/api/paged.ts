import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { InfiniteData, QueryKey, UseInfiniteQueryResult } from '@tanstack/react-query'
import { problemText } from './problem-text.tsx'

type Page<Item> = { items: Item[]; nextCursor: string | null; total?: number | null; totalIsExact?: boolean }

/** A procedure that answers page after page, as the contract has them all: `api.data.people.list`. */
type ListProcedure<Question, Item, Output> = {
  call: (input: Question & { cursor?: string }, options: { signal: AbortSignal }) => Promise<Output & Page<Item>>
  key: (options: { type: 'infinite'; input: Question }) => QueryKey
}

/** What a paged query holds: the rows of all pages fetched, and the first page for whatever else the list answers. */
export type Paged<Item, Output = unknown> = {
  items: Item[]
  total: number | undefined
  totalIsExact: boolean
  first: (Output & Page<Item>) | undefined
}

const firstPage = (): string | undefined => undefined

/**
 * The one way to read a list: `useInfiniteQuery(pagedOptions(api.data.groups.list, { limit: 100, ...(q && { q }) }))`. Former rows
 * stay until another question is answered (`isPlaceholderData`), unless the page has no way to say so.
 */
export const pagedOptions = <Question extends object, Item, Output>(
  list: ListProcedure<Question, Item, Output>,
  question: Question,
  { keepsRows = true }: { keepsRows?: boolean } = {},
) =>
  infiniteQueryOptions({
    queryKey: list.key({ type: 'infinite', input: question }),
    queryFn: ({ pageParam, signal }) => list.call({ ...question, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: firstPage(),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: together<Item, Output>,
    ...(keepsRows && { placeholderData: keepPreviousData }),
  })

function together<Item, Output>({ pages }: InfiniteData<Output & Page<Item>>): Paged<Item, Output> {
  const [first] = pages
  return { items: pages.flatMap(({ items }) => items), total: first?.total ?? undefined, totalIsExact: first?.totalIsExact ?? true, first }
}

const none: never[] = []

/** What a DataTable is told of a paged query: `<DataTable {...tableRows(groups)} … />`. */
export const tableRows = <Item>(query: UseInfiniteQueryResult<Paged<Item>>) => ({
  rows: query.data?.items ?? none,
  total: query.data?.total,
  loading: query.isPending,
  stale: query.isPlaceholderData,
  hasMore: query.hasNextPage,
  // Asked once a page: another question for the same one would cancel the first.
  onMore: () => void (query.isFetchingNextPage || query.fetchNextPage()),
  moreFailed: query.isFetchNextPageError && problemText(query.error),
})
