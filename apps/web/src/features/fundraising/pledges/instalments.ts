import { allocate } from '@guildhall/contract/money'
import { monthsFrom } from '@guildhall/contract/moments'
import type { GiftInterval } from '@guildhall/contract/features/fundraising.gifts'

const monthsOf: Record<GiftInterval, number> = { month: 1, quarter: 3, year: 12 }
export const mostInstalments = 60

type Plan = { amount: number; instalments: number; firstDueOn: string; interval: GiftInterval }

/** The instalments as the server will make them: they add up, and each is due on the first one’s day of its month, or the last there is. */
export const instalmentsOf = ({ amount, instalments, firstDueOn, interval }: Plan): { dueOn: string; amount: number }[] =>
  allocate(
    amount,
    Array.from({ length: instalments }, () => 1),
  ).map((part, nth) => ({ dueOn: monthsFrom(firstDueOn, nth * monthsOf[interval]), amount: part }))
