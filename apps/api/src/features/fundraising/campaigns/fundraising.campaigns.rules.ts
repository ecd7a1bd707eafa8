import type { Campaign, CampaignChange } from '@guildhall/contract/features/fundraising'
import { fault } from '../../../platform/procedures/problem.ts'
import type { FieldRefusal } from '../../../platform/procedures/problem.ts'

type Facts = Pick<Campaign, 'startsOn' | 'endsOn' | 'minAmount' | 'maxAmount' | 'suggested' | 'status'> & {
  fundId: string | null
  shareChapterId: string | null
  shareBps: number
}

/** What a campaign has before anything is said of it. */
export const unset: Facts = {
  startsOn: null,
  endsOn: null,
  minAmount: 100,
  maxAmount: null,
  suggested: [],
  status: 'draft',
  fundId: null,
  shareChapterId: null,
  shareBps: 0,
}
export const factsOf = ({ fund, share, ...campaign }: Campaign): Facts => ({
  ...campaign,
  fundId: fund?.id ?? null,
  shareChapterId: share?.chapter.id ?? null,
  shareBps: share?.bps ?? 0,
})

/** What makes no sense together: what is sent, with what is there already. */
export function faultOfCampaign(before: Facts, change: CampaignChange): FieldRefusal | undefined {
  const { startsOn, endsOn, minAmount, maxAmount, suggested, status, fundId, shareChapterId, shareBps } = { ...before, ...given(change) }
  if (startsOn !== null && endsOn !== null && endsOn < startsOn) return fault('endsOn', 'dates', 'The last day comes before the first.')
  if (maxAmount !== null && maxAmount < minAmount)
    return fault('maxAmount', 'campaign_max_amount', 'The largest gift is smaller than the smallest. Enter a larger amount.')
  const outside = suggested.findIndex(({ amount }) => amount < minAmount || (maxAmount !== null && amount > maxAmount))
  if (outside >= 0)
    return fault(`suggested.${outside}.amount`, 'campaign_suggested', 'Suggest an amount between the smallest and the largest gift.')
  const twice = suggested.findIndex(({ amount }, nth) => suggested.findIndex((other) => other.amount === amount) < nth)
  if (twice >= 0) return fault(`suggested.${twice}.amount`, 'campaign_suggested_twice', 'This amount is suggested twice. Remove one.')
  if ((shareChapterId !== null) !== shareBps > 0)
    return shareChapterId === null
      ? fault('shareChapterId', 'campaign_share', 'Choose the chapter that has a share, and how large it is.')
      : fault('shareBps', 'campaign_share', 'Choose the chapter that has a share, and how large it is.')
  if (status !== 'draft' && fundId === null) return fundNeeded()
  return undefined
}

export const fundNeeded = () => fault('fundId', 'campaign_fund_needed', 'Choose the fund that gifts go to.')

export const isOver = (endsOn: string) =>
  fault('endsOn', 'campaign_over', `Its last day was ${endsOn}. Choose a later one first.`, { params: { on: endsOn } })

const given = (change: CampaignChange): Partial<Facts> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
