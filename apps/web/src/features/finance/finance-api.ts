import type { InvoiceListInput } from '@guildhall/contract/features/finance'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'
import type { Filter } from '../../ui/filter/filter.ts'
import { listInput } from '../lists/lists-public.tsx'

export type InvoiceQuestion = Omit<z.input<typeof InvoiceListInput>, 'cursor' | 'limit'>

export const useInvoices = (question: InvoiceQuestion) =>
  useInfiniteQuery(pagedOptions(useApi().data.finance.invoices.list, { ...question, limit: 50 }))

/** After any change to the books. */
export function useBooksChanged() {
  const { finance } = useApi().data
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: finance.key() })
}

type Look = { q: string; filter: Filter; sort: string }

/** Invoices as the address asks for them, of those that the page is about. */
export const useInvoiceList = (look: Look, within: Filter['and'], enabled: boolean) =>
  useInfiniteQuery({ ...pagedOptions(useApi().data.finance.invoices.list, listed(look, within)), enabled })

/** What all of them come to. */
export const useInvoiceTotals = (look: Look, within: Filter['and'], enabled: boolean) => {
  const { q, filter } = listed(look, within)
  return useQuery({
    ...useApi().data.finance.invoices.totals.queryOptions({ input: { ...(q && { q }), ...(filter && { filter }) } }),
    enabled,
    placeholderData: keepPreviousData,
  })
}

const listed = ({ q, filter, sort }: Look, within: Filter['and']): ReturnType<typeof listInput> & { q?: string; filter?: string } =>
  listInput({ q, sort, filter: { and: [...filter.and, ...within] } })
