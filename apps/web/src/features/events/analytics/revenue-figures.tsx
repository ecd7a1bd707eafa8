import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { useMoney } from '../../../ui/display/money.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import type { EventRevenue } from './analytics-api.ts'

/** Money as finance counts it, a figure for each currency. */
export function RevenueFigures({ revenue, linked }: { revenue: readonly EventRevenue[]; linked?: (figure: ReactNode) => ReactNode }) {
  const money = useMoney()
  return revenue.map(({ currency, paid, open, refunded }) => {
    const change = [open > 0 && t`${money(open, currency)} open`, refunded > 0 && t`${money(refunded, currency)} refunded`].filter(
      (text) => text !== false,
    )
    const figure = <Stat label={t`Revenue`} value={money(paid, currency)} change={change.join(' · ')} />
    return <div key={currency}>{linked ? linked(figure) : figure}</div>
  })
}

/** In one cell of a table. */
export function useRevenueText(): (revenue: readonly EventRevenue[] | null) => string {
  const money = useMoney()
  return (revenue) => (revenue === null ? '–' : revenue.map(({ currency, paid }) => money(paid, currency)).join(', ') || '–')
}
