import { t } from '@lingui/core/macro'
import type { NewGift } from '@guildhall/contract/features/fundraising.gifts'
import { offlineMethods } from '../giving-words.tsx'
import { noDonor } from './donor-box.tsx'
import type { DonorValue } from './donor-box.tsx'
import { allocationsOf, splitFault } from './fund-split.tsx'
import type { Split } from './fund-split.tsx'
import { tributeFault, tributeOf } from './tribute-fields.tsx'
import type { TributeValues } from './tribute-fields.tsx'

export type OfflineMethod = (typeof offlineMethods)[number]
export const offlineMethod = (value: string): OfflineMethod => offlineMethods.find((one) => one === value) ?? 'other'

/** What the form begins with, where that is known. */
export type GiftStart = {
  person?: { id: string; displayName: string } | undefined
  campaign?: { id: string; name: string } | undefined
  /** The instalment of a pledge that the gift pays. */
  instalment?: { id: string; amount: number; currency: string; fundId: string } | undefined
}

export type GiftValues = TributeValues & {
  donor: DonorValue
  donorEmail: string
  amount: number | null | undefined
  receivedOn: string
  method: string
  reference: string
  campaignId: string | null
  /** Empty: all to the fund of the campaign. */
  splits: readonly Split[]
  isAnonymous: boolean
  sendReceipt: boolean
  note: string
}

/** What the office recorded last: the next gift is likely of the same kind. */
let last: Pick<GiftValues, 'method' | 'campaignId'> & { fundId: string } = { method: 'bank_transfer', campaignId: null, fundId: '' }
export const rememberGift = ({ method, campaignId, splits }: GiftValues) => {
  last = { method, campaignId, fundId: splits[0]?.fundId ?? last.fundId }
}

export function startOf({ person, campaign, instalment }: GiftStart, today: string): GiftValues {
  return {
    donor: person ? { personId: person.id, name: person.displayName } : noDonor,
    donorEmail: '',
    amount: instalment?.amount ?? null,
    receivedOn: today,
    method: last.method,
    reference: '',
    campaignId: campaign?.id ?? (instalment ? null : last.campaignId),
    splits: instalment ? [{ fundId: instalment.fundId, amount: null }] : [],
    tributeKind: '',
    tributeName: '',
    isAnonymous: false,
    sendReceipt: true,
    note: '',
  }
}

/** Without a campaign, a gift is the fund's that was last recorded for, or the first. */
export const usualFund = (funds: readonly { id: string }[]) => (funds.find(({ id }) => id === last.fundId) ?? funds[0])?.id ?? ''

/** The funds that the gift goes to as the form stands; nothing: that of its campaign. */
export const splitsOf = ({ splits, campaignId }: GiftValues, funds: readonly { id: string }[]): readonly Split[] =>
  splits.length === 0 && campaignId === null ? [{ fundId: usualFund(funds), amount: null }] : splits

export const giftRules = (today: string, funds: readonly { id: string }[]) => ({
  donor: ({ personId, name }: DonorValue, { isAnonymous }: GiftValues) =>
    personId === null && name.trim() === '' && !isAnonymous ? t`Enter who gave, or mark the gift as anonymous.` : null,
  amount: (amount: GiftValues['amount']) => (!amount || amount < 1 ? t`Enter an amount.` : null),
  receivedOn: (day: string) =>
    day === '' ? t`Enter the day the money was received.` : day > today ? t`Enter a day that is not in the future.` : null,
  splits: (_: unknown, values: GiftValues) => {
    const splits = splitsOf(values, funds)
    return splits.length === 0 ? null : splitFault(values.amount, splits)
  },
  tributeName: (_: unknown, values: GiftValues) => tributeFault(values),
})

/** Where a place in the request stands in the form. */
export function giftFieldOf(path: string): string {
  if (path === 'personId' || path === 'donorName') return 'donor'
  if (path.startsWith('money')) return 'amount'
  if (path.startsWith('allocations')) return 'splits'
  return path.startsWith('tribute') ? 'tributeName' : path
}

export function newGift(values: GiftValues, currency: string, funds: readonly { id: string }[], instalmentId: string | null): NewGift {
  const amount = values.amount ?? 0
  const { personId, name } = values.donor
  return {
    ...(personId ? { personId } : { donorName: name.trim(), donorEmail: values.donorEmail.trim() }),
    campaignId: values.campaignId,
    money: { amount, currency },
    method: offlineMethod(values.method),
    receivedOn: values.receivedOn,
    reference: values.reference.trim(),
    note: values.note.trim(),
    allocations: allocationsOf(amount, splitsOf(values, funds)),
    isAnonymous: values.isAnonymous,
    tribute: tributeOf(values),
    sendReceipt: values.sendReceipt,
    instalmentId,
  }
}
