import type { FilterCondition } from '../../../ui/filter/filter.ts'

/** The list behind a figure, of one campaign or of all: every condition holds. */
const list =
  (tab: string) =>
  (campaignId: string | undefined, ...conditions: FilterCondition[]): string => {
    const filter = { and: conditions.map((one) => ({ or: [one] })) }
    const narrowed = conditions.length > 0 ? `?filter=${encodeURIComponent(JSON.stringify(filter))}` : ''
    return `/fundraising/${campaignId ?? 'all'}/${tab}${narrowed}`
  }
export const giftsHref = list('donations')
export const donorsHref = list('donors')
export const plansHref = list('recurring')
export const pledgesHref = list('pledges')

/** Gifts that totals hold. */
export const counted: FilterCondition = { field: 'counted', op: 'is', value: true }
export const received = withStatus('settled', 'partly_refunded', 'refunded')
export const refunded = withStatus('partly_refunded', 'refunded')
export const activePlans = withStatus('active')
export const openPledges = withStatus('open')
/** Gave last year and not yet this year. */
export const notYet: FilterCondition = { field: 'segment', op: 'in', value: ['notYet'] }
export const between = (field: string, since: string, until: string): FilterCondition => ({ field, op: 'between', value: [since, until] })
export const ofFund = (fundId: string): FilterCondition => ({ field: 'fund', op: 'in', value: [fundId] })

function withStatus(...statuses: string[]): FilterCondition {
  return { field: 'status', op: 'in', value: statuses }
}
