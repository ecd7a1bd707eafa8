import type { PledgeListInput } from '@guildhall/contract/features/fundraising.pledges'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type * as z from 'zod'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import type { Filter } from '../../../ui/filter/filter.ts'
import { listInput } from '../../lists/lists-public.tsx'

type PledgeQuestion = Omit<z.input<typeof PledgeListInput>, 'cursor' | 'limit'>
export const usePledges = (question: PledgeQuestion) =>
  useInfiniteQuery(pagedOptions(useApi().data.fundraising.pledges.list, { ...question, limit: 50 }))

export const usePledge = (pledgeId: string) => useQuery(useApi().data.fundraising.pledges.get.queryOptions({ input: { pledgeId } }))

type Look = { q: string; filter: Filter; sort: string }
export const usePledgeList = ({ q, filter, sort }: Look, within: Filter['and'], enabled: boolean) =>
  useInfiniteQuery({
    ...pagedOptions(useApi().data.fundraising.pledges.list, listInput({ q, sort, filter: { and: [...filter.and, ...within] } })),
    enabled,
  })
