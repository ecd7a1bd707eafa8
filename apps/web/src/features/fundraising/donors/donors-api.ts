import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Donor } from '@guildhall/contract/features/fundraising.donors'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import type { Filter } from '../../../ui/filter/filter.ts'
import { listInput } from '../../lists/lists-public.tsx'
import type { Period } from '../period-fields.tsx'

type Look = { q: string; filter: Filter; sort: string }
/** A row of a list has an id: that of the person. */
export type DonorRow = Donor & { id: string }

/** Donors as the address asks for them, of those that the page is about. */
export function useDonors({ q, filter, sort }: Look, within: Filter['and'], enabled: boolean) {
  const { donors } = useApi().data.fundraising
  const list = useMemo(
    () => ({
      key: donors.list.key,
      call: async (...asked: Parameters<typeof donors.list.call>) => {
        const page = await donors.list.call(...asked)
        return { ...page, items: page.items.map((donor): DonorRow => ({ ...donor, id: donor.person.id })) }
      },
    }),
    [donors],
  )
  return useInfiniteQuery({ ...pagedOptions(list, listInput({ q, sort, filter: { and: [...filter.and, ...within] } })), enabled })
}

/** How many statements a period comes to, before any is mailed. */
export const useRunPreview = (period: Period, enabled: boolean) =>
  useQuery({
    ...useApi().data.fundraising.donors.runPreview.queryOptions({ input: period }),
    enabled,
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

/** Statements mailed so far; asked again while one is under way. */
export const useRuns = () =>
  useInfiniteQuery({
    ...pagedOptions(useApi().data.fundraising.donors.runs, { limit: 10 }),
    refetchInterval: ({ state }) => (state.data?.pages.some(({ items }) => items.some((run) => run.state === 'started')) ? 2_000 : false),
  })
