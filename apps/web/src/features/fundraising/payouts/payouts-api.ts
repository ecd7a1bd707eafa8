import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'

/** What chapters have of gifts: of one, or of all that the reader may see. */
export const useShares = (chapterId?: string) =>
  useQuery(useApi().data.fundraising.donors.shares.queryOptions({ input: chapterId ? { chapterId } : {} }))

export const usePayouts = (chapterId?: string) =>
  useInfiniteQuery(pagedOptions(useApi().data.fundraising.donors.payouts, { limit: 20, ...(chapterId && { chapterId }) }))
