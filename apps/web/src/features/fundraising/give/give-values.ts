import { t } from '@lingui/core/macro'
import { feeToCover } from '@guildhall/contract/gift-fees'
import type { FundraisingSettings } from '@guildhall/contract/features/fundraising'
import type { Gift, GiftInterval, OwnGift, TributeKind } from '@guildhall/contract/features/fundraising.gifts'
import type { Campaign } from '../fundraising-api.ts'

/** What somebody fills in to give. */
export type GiveValues = {
  /** In minor units; null where nothing is entered, undefined where what is typed is no amount. */
  amount: number | null | undefined
  /** Another amount than those suggested. */
  isOwn: boolean
  interval: GiftInterval | null
  /** Null for the campaign's own fund. */
  fundId: string | null
  coverFee: boolean
  isAnonymous: boolean
  tributeKind: TributeKind | null
  tributeName: string
  message: string
}
export type GiveFaults = Partial<Record<'amount' | 'tributeName' | 'message', string>>

/** What the page of a campaign offers. */
export type Offer = Pick<
  Campaign,
  'currency' | 'suggested' | 'minAmount' | 'maxAmount' | 'allowsRecurring' | 'allowsCoverFees' | 'fund' | 'funds' | 'share'
>
export type Fees = Pick<FundraisingSettings, 'feeBps' | 'feeFixed' | 'maxAmount'>
export const noFees: Fees = { feeBps: 0, feeFixed: 0, maxAmount: null }

/** What the form begins with: the amount in the middle of those suggested. */
export function firstValues({ suggested }: Pick<Offer, 'suggested'>): GiveValues {
  const middle = suggested[Math.floor((suggested.length - 1) / 2)]
  return {
    amount: middle?.amount ?? null,
    isOwn: !middle,
    interval: null,
    fundId: null,
    coverFee: false,
    isAnonymous: false,
    tributeKind: null,
    tributeName: '',
    message: '',
  }
}

/** What was filled in for a gift that was not paid in the end. */
export function valuesOf(gift: Gift, interval: GiftInterval | null, { suggested, fund, funds }: Offer): GiveValues {
  const amount = gift.money.amount - gift.feeCovered
  const chosen = gift.allocations[0]?.fund.id
  return {
    amount,
    isOwn: suggested.every((one) => one.amount !== amount),
    interval,
    fundId: chosen !== fund?.id && funds.some(({ id }) => id === chosen) ? (chosen ?? null) : null,
    coverFee: gift.feeCovered > 0,
    isAnonymous: gift.isAnonymous,
    tributeKind: gift.tribute?.kind ?? null,
    tributeName: gift.tribute?.name ?? '',
    message: gift.message,
  }
}

/** No single gift by card is larger. */
export const mostOf = ({ maxAmount }: Pick<Offer, 'maxAmount'>, fees: Fees): number | null => {
  const most = [maxAmount, fees.maxAmount].filter((amount) => amount !== null)
  return most.length > 0 ? Math.min(...most) : null
}

/** What the donor adds to cover the fee. */
export const feeOf = ({ amount, coverFee }: Pick<GiveValues, 'amount' | 'coverFee'>, { allowsCoverFees }: Offer, fees: Fees): number =>
  coverFee && allowsCoverFees && amount ? feeToCover(amount, fees) : 0

export function faultsOf(values: GiveValues, offer: Offer, fees: Fees, money: (amount: number, currency: string) => string): GiveFaults {
  const { amount, tributeKind, tributeName, message } = values
  const most = mostOf(offer, fees)
  const wrong = (): string | undefined => {
    if (amount === undefined || amount === null || amount === 0) return t`Choose an amount, or enter your own.`
    if (amount < offer.minAmount) return t`The smallest gift is ${money(offer.minAmount, offer.currency)}.`
    if (most !== null && amount + feeOf(values, offer, fees) > most) return t`The largest gift is ${money(most, offer.currency)}.`
    return undefined
  }
  const inAmount = wrong()
  return {
    ...(inAmount && { amount: inAmount }),
    ...(tributeKind !== null && tributeName.trim() === '' && { tributeName: t`Enter the name.` }),
    ...(message.length > 500 && { message: t`Keep this to 500 characters.` }),
  }
}

export const toSend = (campaignId: string, attempt: string, currency: string, values: GiveValues): OwnGift => ({
  campaignId,
  money: { amount: values.amount ?? 0, currency },
  coverFee: values.coverFee,
  fundId: values.fundId,
  interval: values.interval,
  isAnonymous: values.isAnonymous,
  tribute: values.tributeKind && { kind: values.tributeKind, name: values.tributeName.trim() },
  message: values.message.trim(),
  attempt,
})
