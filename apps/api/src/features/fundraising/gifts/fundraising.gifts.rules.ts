import { isCurrency } from '@guildhall/contract/money'
import { fault } from '../../../platform/procedures/problem.ts'
import type { FieldRefusal } from '../../../platform/procedures/problem.ts'

/** What a gift needs to know of its campaign. */
export type CampaignFacts = { id: string; name: string; currency: string; fundId: string | null; isDraft: boolean; isArchived: boolean }
type Allocation = { fundId: string; amount: number }
type Said = {
  personId: string | null
  donorName: string
  isAnonymous: boolean
  amount: number
  currency: string
  receivedOn: string
  allocations: readonly Allocation[]
}
/** Where in the request the parts of a gift stand: of a batch, `rows.3.amount`. */
type Paths = Record<'donor' | 'currency' | 'receivedOn' | 'campaignId' | 'allocations', string>
export const ownPaths: Paths = {
  donor: 'donorName',
  currency: 'money.currency',
  receivedOn: 'receivedOn',
  campaignId: 'campaignId',
  allocations: 'allocations',
}

/** What keeps a gift from being recorded, as far as it can be said before the database says it. */
export function faultOfGift(said: Said, campaign: CampaignFacts | null, today: string, paths: Paths): FieldRefusal | undefined {
  if (said.personId === null && said.donorName === '' && !said.isAnonymous)
    return fault(paths.donor, 'gift_donor_needed', 'Choose who gave, enter a name, or record it as anonymous.')
  if (!isCurrency(said.currency)) return fault(paths.currency, 'not_a_currency', 'Enter a currency of ISO 4217, such as EUR.')
  if (said.receivedOn > today) return fault(paths.receivedOn, 'payment_in_future', 'Enter the day on which the money came.')
  return faultOfCampaign(said.currency, campaign, paths) ?? faultOfAllocations(said, campaign, paths.allocations)
}

export function faultOfCampaign(currency: string, campaign: CampaignFacts | null, paths: Paths): FieldRefusal | undefined {
  if (campaign === null) return undefined
  if (campaign.isDraft) return fault(paths.campaignId, 'gift_campaign_closed', 'This campaign takes no gifts yet. Start it first.')
  if (campaign.isArchived)
    return fault(paths.campaignId, 'campaign_archived', 'This campaign is archived. Restore it or choose another one.')
  if (campaign.currency !== currency)
    return fault(paths.currency, 'gift_currency', `Gifts to this campaign are in ${campaign.currency}.`, {
      params: { currency: campaign.currency },
    })
  return undefined
}

/** They add up to the gift, each fund once; without any, all goes to the fund of the campaign. */
export function faultOfAllocations(
  { amount, allocations }: { amount: number; allocations: readonly Allocation[] },
  campaign: CampaignFacts | null,
  path: string,
): FieldRefusal | undefined {
  if (allocations.length === 0)
    return campaign?.fundId ? undefined : fault(path, 'gift_fund_needed', 'Choose the fund that this gift goes to.')
  const twice = allocations.findIndex(({ fundId }, nth) => allocations.findIndex((other) => other.fundId === fundId) < nth)
  if (twice >= 0) return fault(`${path}.${twice}.fundId`, 'gift_fund_twice', 'This fund is there twice. Put both amounts into one line.')
  const allocated = allocations.reduce((sum, one) => sum + BigInt(one.amount), 0n)
  if (allocated !== BigInt(amount)) return fault(path, 'gift_allocation', 'The amounts of the funds do not add up to the gift.')
  return undefined
}

/** The values of a request that change a gift, as the database takes them; what is left out stays. */
export const correctionOf = (change: {
  personId?: string | null | undefined
  donorName?: string | undefined
  campaignId?: string | null | undefined
  allocations?: readonly Allocation[] | undefined
  isAnonymous?: boolean | undefined
  tribute?: { kind: string; name: string } | null | undefined
  note?: string | undefined
}): Record<string, unknown> => ({
  ...(change.personId !== undefined && { person_id: change.personId }),
  // Whoever is a person of the directory goes by that name and has addresses there.
  ...(change.personId ? { donor_name: '', donor_email: '' } : change.donorName !== undefined && { donor_name: change.donorName }),
  ...(change.campaignId !== undefined && { campaign_id: change.campaignId }),
  ...(change.allocations && { allocations: rowsOf(change.allocations) }),
  ...(change.isAnonymous !== undefined && { is_anonymous: change.isAnonymous }),
  ...(change.tribute !== undefined && { tribute_kind: change.tribute?.kind ?? null, tribute_name: change.tribute?.name ?? '' }),
  ...(change.note !== undefined && { note: change.note }),
})

export const rowsOf = (allocations: readonly Allocation[]) => allocations.map(({ fundId, amount }) => ({ fund_id: fundId, amount }))
