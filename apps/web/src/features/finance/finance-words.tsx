import { plural, t } from '@lingui/core/macro'
import type { DuesRate, Invoice } from '@guildhall/contract/features/finance'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import type { Tone } from '../../ui/display/status-badge.tsx'

const stateWords = (): Record<Invoice['state'], string> => ({
  draft: t`Draft`,
  issued: t`Issued`,
  partly_paid: t`Partly paid`,
  paid: t`Paid`,
  credited: t`Credited`,
  void: t`Void`,
})
export const invoiceStateOptions = () => Object.entries(stateWords()).map(([value, label]) => ({ value, label }))

const tones: Record<Invoice['state'], Tone> = {
  draft: 'neutral',
  issued: 'info',
  partly_paid: 'warning',
  paid: 'good',
  credited: 'neutral',
  void: 'neutral',
}

export function InvoiceStateBadge({ invoice: { kind, state, overdue } }: { invoice: Pick<Invoice, 'kind' | 'state' | 'overdue'> }) {
  if (kind === 'credit_note') return <StatusBadge>{t`Credit note`}</StatusBadge>
  if (overdue) return <StatusBadge tone="bad">{t`Overdue`}</StatusBadge>
  return <StatusBadge tone={tones[state]}>{stateWords()[state]}</StatusBadge>
}

/** Tax of a line, halves away from zero, as the server rounds it. */
export const taxOf = (net: number, bps: number) => Math.sign(net) * Math.floor((Math.abs(net) * bps * 2 + 10_000) / 20_000)

export const chargedToWords = (): Record<DuesRate['chargedTo'], string> => ({
  person: t`Each member`,
  chapter: t`Each chapter`,
  chapter_per_member: t`Each chapter, per member`,
})
export const periodWords = (): Record<DuesRate['period'], string> => ({
  month: t`Monthly`,
  quarter: t`Quarterly`,
  half_year: t`Twice a year`,
  year: t`Yearly`,
  once: t`Once`,
})

export const countInvoices = (invoices: number) => plural(invoices, { one: '# invoice', other: '# invoices' })
