import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { PaymentListInput } from '@guildhall/contract/features/payments'
import type * as z from 'zod'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'
import type { Filter } from '../../ui/filter/filter.ts'
import { listInput } from '../lists/lists-public.tsx'

type PaymentQuestion = Pick<z.input<typeof PaymentListInput>, 'invoiceId' | 'personId'>

export const usePayments = (question: PaymentQuestion) =>
  useInfiniteQuery(pagedOptions(useApi().data.payments.list, { ...question, limit: 50 }))

type Look = { q: string; filter: Filter; sort: string }

/** Payments as the address asks for them, of those that the page is about. */
export const usePaymentList = ({ q, filter, sort }: Look, within: Filter['and'], enabled: boolean) =>
  useInfiniteQuery({
    ...pagedOptions(useApi().data.payments.list, listInput({ q, sort, filter: { and: [...filter.and, ...within] } })),
    enabled,
  })

/** What all of them come to. */
export const usePaymentTotals = ({ q, filter, sort }: Look, within: Filter['and'], enabled: boolean) => {
  const asked: { q?: string; filter?: string } = listInput({ q, sort, filter: { and: [...filter.and, ...within] } })
  const input = { ...(asked.q && { q: asked.q }), ...(asked.filter && { filter: asked.filter }) }
  return useQuery({ ...useApi().data.payments.totals.queryOptions({ input }), enabled, placeholderData: keepPreviousData })
}

/** How one can pay here, and the reader's own cards. */
export const useWaysToPay = () => useQuery(useApi().data.payments.methods.list.queryOptions())

/** Money moved: it shows in the books, on memberships and on who somebody is. */
export function useMoneyMoved() {
  const { data } = useApi()
  const client = useQueryClient()
  return useCallback(
    () =>
      Promise.all(
        [
          data.payments.key(),
          data.finance.key(),
          data.membership.key(),
          data.people.key(),
          data.home.key(),
          data.events.key(),
          data.fundraising.key(),
          data.account.me.key(),
        ].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
    [data, client],
  )
}

const openOnes = JSON.stringify({ and: [{ or: [{ field: 'open', op: 'is', value: true }] }] })

/** Open invoices of one person, the oldest first, as many as a choice can hold. */
export const useOpenInvoices = (personId: string | null | undefined) =>
  useQuery({
    ...useApi().data.finance.invoices.list.queryOptions({
      input: { personId: personId ?? '', filter: openOnes, sort: 'dueOn', limit: 100 },
    }),
    enabled: Boolean(personId),
    select: ({ items }) => items,
  })
