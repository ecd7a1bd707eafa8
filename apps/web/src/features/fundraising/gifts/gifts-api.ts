import type { GiftListInput } from '@guildhall/contract/features/fundraising.gifts'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type * as z from 'zod'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import type { Filter } from '../../../ui/filter/filter.ts'
import { listInput } from '../../lists/lists-public.tsx'

export type GiftQuestion = Omit<z.input<typeof GiftListInput>, 'cursor' | 'limit'>

/** Gifts of a person, of a plan and so on, the newest first. */
export const useGifts = (question: GiftQuestion, limit = 50) =>
  useInfiniteQuery(pagedOptions(useApi().data.fundraising.gifts.list, { ...question, limit }))

type Look = { q: string; filter: Filter; sort: string }
const listed = ({ q, filter, sort }: Look, within: Filter['and']): ReturnType<typeof listInput> & { q?: string; filter?: string } =>
  listInput({ q, sort, filter: { and: [...filter.and, ...within] } })

/** Gifts as the address asks for them, of those that the page is about. */
export const useGiftList = (look: Look, within: Filter['and'], enabled: boolean) =>
  useInfiniteQuery({ ...pagedOptions(useApi().data.fundraising.gifts.list, listed(look, within)), enabled })

/** What all of them come to. */
export const useGiftTotals = (look: Look, within: Filter['and'], enabled: boolean) => {
  const { q, filter } = listed(look, within)
  return useQuery({
    ...useApi().data.fundraising.gifts.totals.queryOptions({ input: { ...(q && { q }), ...(filter && { filter }) } }),
    enabled,
    placeholderData: keepPreviousData,
  })
}

/** The payment of a gift, which is what is refunded or reversed. */
export const usePaymentOf = (paymentId: string | undefined) =>
  useQuery({ ...useApi().data.payments.get.queryOptions({ input: { paymentId: paymentId ?? '' } }), enabled: paymentId !== undefined })

/** Asks ahead for a gift and its payment, while the reader looks at a menu. */
export function useFetchGift() {
  const { fundraising, payments } = useApi().data
  const cache = useQueryClient()
  return useCallback(
    (giftId: string) =>
      void cache
        .query({ ...fundraising.gifts.get.queryOptions({ input: { giftId } }), staleTime: 5_000 })
        .then(
          ({ payment }) => payment && cache.query({ ...payments.get.queryOptions({ input: { paymentId: payment.id } }), staleTime: 5_000 }),
        )
        // Whoever then chooses an action asks again, and is told.
        .catch(() => undefined),
    [fundraising, payments, cache],
  )
}
