import type { InvoiceListInput } from '@guildhall/contract/features/finance'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'

export type InvoiceQuestion = Omit<z.input<typeof InvoiceListInput>, 'cursor' | 'limit'>

export const useInvoices = (question: InvoiceQuestion) =>
  useInfiniteQuery(pagedOptions(useApi().data.finance.invoices.list, { ...question, limit: 50 }))

/** After any change to the books. */
export function useBooksChanged() {
  const { finance } = useApi().data
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: finance.key() })
}
