import { fieldPrefix } from '@guildhall/contract/features/fields'
import type { AudienceView, HistoryEntry, Person, PersonRow } from '@guildhall/contract/features/people'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'
import type { Api } from '../../platform/api/api.tsx'
import { createStore } from '../../platform/store.ts'
import type { Filter } from '../../ui/filter/filter.ts'

export type { AudienceView, HistoryEntry, Person, PersonRow }

export type Question = { q: string; filter: Filter; sort: string }

/** What the server is asked; defaults are left out. */
export const inputOf = ({ q, filter, sort }: Question) => ({
  ...(q && { q }),
  ...(filter.and.length > 0 && { filter: JSON.stringify(filter) }),
  ...(sort !== 'name' && { sort }),
})

const askedFor = ['primaryEmail', 'primaryPhone', 'city', 'country', 'tags', 'positions', 'groups', 'chapters', 'dues']
/** Columns that are told of the membership together. */
const ofMembership = ['membershipType', 'membershipStatus', 'termStart', 'termEnd', 'autoRenew']
/** And those told of giving together. */
const ofGiving = ['givenLifetime', 'givenThisYear', 'lastGiftOn']
const pageSize = 100

const none: readonly PersonRow[] = []

/** The list, a hundred at a time, with the former rows in place while another question is answered. */
export function usePeople(question: Question, columns: readonly string[], enabled: boolean) {
  const api = useApi()
  const own = columns.filter((column) => column.startsWith(fieldPrefix))
  const membership = columns.some((column) => ofMembership.includes(column)) ? ['membership'] : []
  const giving = columns.some((column) => ofGiving.includes(column)) ? ['giving'] : []
  const wanted = [...askedFor.filter((column) => columns.includes(column)), ...membership, ...giving, ...own].join(',')
  const query = useInfiniteQuery({
    ...pagedOptions(api.data.people.list, {
      ...inputOf(question),
      ...(wanted && { columns: wanted }),
      limit: pageSize,
    }),
    enabled,
  })
  // Rows that arrive are drawn after what the reader just did is on the screen: a page with rows in hand opens without them first.
  const data = useDeferredValue(query.data ?? null, null)
  return {
    query,
    rows: data?.items ?? none,
    pending: !data && !query.isError,
    stale: query.isPlaceholderData || data !== (query.data ?? null),
    total: data?.total,
    totalIsExact: data?.totalIsExact ?? true,
  }
}

/** How the list divides; asked for once somebody looks at it. */
export const usePeopleSummary = ({ q, filter }: Pick<Question, 'q' | 'filter'>) =>
  useQuery({
    ...useApi().data.people.summary.queryOptions({
      input: { ...(q && { q }), ...(filter.and.length > 0 && { filter: JSON.stringify(filter) }) },
    }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

export const usePersonOverview = (personId: string) => useQuery(useApi().data.people.overview.queryOptions({ input: { personId } }))

/** What others see of the reader. */
export const useAudiences = () => useQuery(useApi().data.people.audiences.queryOptions())

/** The list last looked at, so that "next" on a person's page follows it. */
export const lastList = createStore<Question | undefined>(undefined)

export function useNeighbours(personId: string, enabled: boolean) {
  const question = lastList.use()
  return useQuery({
    ...useApi().data.people.neighbours.queryOptions({ input: { personId, ...(question && inputOf(question)) } }),
    enabled,
    staleTime: 60_000,
  })
}

/** Everything that shows people is out of date; one person's page is given the new state at once. */
export function usePeopleChanged() {
  const api = useApi()
  const cache = useQueryClient()
  return (person?: Person) => {
    if (person) showPerson(cache, api, person)
    return cache.invalidateQueries({ queryKey: api.data.people.key() })
  }
}

export function showPerson(cache: ReturnType<typeof useQueryClient>, api: Api, person: Person) {
  cache.setQueryData(api.data.people.overview.queryKey({ input: { personId: person.id } }), (known) => known && { ...known, person })
}
