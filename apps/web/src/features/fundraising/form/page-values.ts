import { t } from '@lingui/core/macro'
import { CampaignChange } from '@guildhall/contract/features/fundraising'
import { faultsOf } from '../../../platform/api/form-rules.ts'
import type { Campaign } from '../fundraising-api.ts'

/** In minor units; null where nothing is entered, undefined where what is typed is no amount. */
type Typed = number | null | undefined
export type Suggestion = { amount: Typed; words: string }

/** The fields of a giving page as they stand in the form. */
export type PageValues = Pick<
  Campaign,
  'name' | 'summary' | 'story' | 'coverFileId' | 'coverAlt' | 'allowsRecurring' | 'allowsCoverFees' | 'thanks' | 'goalKind'
> & {
  suggested: readonly Suggestion[]
  minAmount: Typed
  maxAmount: Typed
  goal: Typed
  fundId: string | null
  fundIds: readonly string[]
  /** A day, or nothing. */
  startsOn: string
  endsOn: string
}
export type PageKey = keyof PageValues

export const valuesOf = (campaign: Campaign): PageValues => ({
  name: campaign.name,
  summary: campaign.summary,
  story: campaign.story,
  coverFileId: campaign.coverFileId,
  coverAlt: campaign.coverAlt,
  allowsRecurring: campaign.allowsRecurring,
  allowsCoverFees: campaign.allowsCoverFees,
  thanks: campaign.thanks,
  goalKind: campaign.goalKind,
  suggested: campaign.suggested,
  minAmount: campaign.minAmount,
  maxAmount: campaign.maxAmount,
  goal: campaign.goal,
  fundId: campaign.fund?.id ?? null,
  fundIds: campaign.funds.map(({ id }) => id),
  startsOn: campaign.startsOn ?? '',
  endsOn: campaign.endsOn ?? '',
})

export const isBlank = ({ amount, words }: Suggestion) => amount === null && words.trim() === ''

/** Some fields as they are sent. */
export function changeOf(values: PageValues, keys: readonly PageKey[]): CampaignChange {
  const all: CampaignChange = {
    name: values.name.trim(),
    summary: values.summary.trim(),
    story: values.story,
    coverFileId: values.coverFileId,
    coverAlt: values.coverAlt.trim(),
    allowsRecurring: values.allowsRecurring,
    allowsCoverFees: values.allowsCoverFees,
    thanks: values.thanks.trim(),
    goalKind: values.goalKind,
    suggested: values.suggested.filter((one) => !isBlank(one)).map(({ amount, words }) => ({ amount: amount ?? 0, words: words.trim() })),
    minAmount: values.minAmount ?? 0,
    maxAmount: values.maxAmount ?? null,
    goal: values.goal ?? null,
    fundId: values.fundId,
    fundIds: [...values.fundIds],
    startsOn: values.startsOn || null,
    endsOn: values.endsOn || null,
  }
  return Object.fromEntries(Object.entries(all).filter(([key]) => keys.some((one) => one === key)))
}

/** What is wrong with some fields before anything is sent, by the place where it stands. */
export function pageFaults(values: PageValues, keys: readonly PageKey[]): Record<string, string> {
  const has = (key: PageKey) => keys.includes(key)
  const noAmount = t`Enter an amount.`
  return {
    ...faultsOf(CampaignChange, changeOf(values, keys)),
    ...(has('minAmount') && !values.minAmount && { minAmount: noAmount }),
    ...(has('maxAmount') && values.maxAmount === undefined && { maxAmount: noAmount }),
    ...(has('goal') && values.goal === undefined && { goal: noAmount }),
    ...(has('suggested') &&
      Object.fromEntries(
        values.suggested.flatMap((one, nth) => (!one.amount && !isBlank(one) ? [[`suggested.${nth}.amount`, noAmount]] : [])),
      )),
  }
}

/** What the toast calls a change. */
export function labelOf(key: PageKey): string {
  const labels: Record<PageKey, string> = {
    name: t`Name`,
    summary: t`Summary`,
    story: t`Story`,
    coverFileId: t`Cover picture`,
    coverAlt: t`Alternative text`,
    allowsRecurring: t`Recurring gifts`,
    allowsCoverFees: t`Covering fees`,
    thanks: t`Thank-you text`,
    goalKind: t`Goal`,
    suggested: t`Suggested amounts`,
    minAmount: t`Smallest gift`,
    maxAmount: t`Largest gift`,
    goal: t`Goal`,
    fundId: t`Fund`,
    fundIds: t`Other funds`,
    startsOn: t`First day`,
    endsOn: t`Last day`,
  }
  return labels[key]
}
