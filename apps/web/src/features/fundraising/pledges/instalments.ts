import { allocate } from '@guildhall/contract/money'
import { monthsFrom } from '@guildhall/contract/moments'
import type { GiftInterval } from '@guildhall/contract/features/fundraising.gifts'
import type { Instalment, Pledge } from '@guildhall/contract/features/fundraising.pledges'

const monthsOf: Record<GiftInterval, number> = { month: 1, quarter: 3, year: 12 }
export const mostInstalments = 60

/** What is due first. */
export const nextOf = ({ instalments }: Pledge): Instalment | undefined =>
  instalments.find(({ state }) => state === 'overdue' || state === 'due')

type Plan = { amount: number; instalments: number; firstDueOn: string; interval: GiftInterval }

/** The instalments as the server will make them: they add up, and each is due on the first one’s day of its month, or the last there is. */
export const instalmentsOf = ({ amount, instalments, firstDueOn, interval }: Plan): { dueOn: string; amount: number }[] =>
  allocate(
    amount,
    Array.from({ length: instalments }, () => 1),
  ).map((part, nth) => ({ dueOn: monthsFrom(firstDueOn, nth * monthsOf[interval]), amount: part }))
