import type { GiftInterval } from '@guildhall/contract/features/fundraising.gifts'
import { allocate } from '@guildhall/contract/money'

const months: Record<GiftInterval, number> = { month: 1, quarter: 3, year: 12 }

/** The same day so many months later, or the last one of a month that is shorter: each is reckoned from the first, so that 31 January comes back in March. */
export function monthsAfter(day: string, count: number): string {
  const first = new Date(`${day}T00:00:00Z`)
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + count]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(first.getUTCDate(), last))).toISOString().slice(0, 10)
}

type Planned = { amount: number; firstDueOn: string; instalments: number; interval: GiftInterval }
/** Instalments that always add up to the pledge: the first ones have the minor units that are left. */
export const instalmentsOf = ({ amount, firstDueOn, instalments, interval }: Planned): { due_on: string; amount: number }[] =>
  allocate(
    amount,
    Array.from({ length: instalments }, () => 1),
  ).map((part, nth) => ({ due_on: monthsAfter(firstDueOn, nth * months[interval]), amount: part }))
