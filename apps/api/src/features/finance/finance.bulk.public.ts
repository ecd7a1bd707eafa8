import { InvoiceBulkChange } from '@guildhall/contract/features/finance'
import { bulkList } from '../../platform/lists/bulk.ts'
import { applyInvoiceBulk, invoiceTargets, selectedInvoices } from './finance.bulk.queries.ts'

/** Nothing of it is undone: an invoice that was issued keeps its number, and one that was voided stays void. */
export const invoicesBulk = bulkList({
  list: 'invoices',
  change: InvoiceBulkChange,
  check: async (_, selection) => void selectedInvoices(selection),
  targets: async (_, selection, change) => invoiceTargets(selection, change),
  apply: applyInvoiceBulk,
})
