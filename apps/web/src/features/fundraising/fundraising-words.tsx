import { plural, t } from '@lingui/core/macro'
import type { CampaignKind, CampaignRow, CampaignStatus, CampaignVisibility, GoalKind } from '@guildhall/contract/features/fundraising'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import type { Tone } from '../../ui/display/status-badge.tsx'

const keys = <Key extends string>(words: Record<Key, string>) => Object.keys(words).filter((key): key is Key => key in words)
const options = <Key extends string>(words: Record<Key, string>) => keys(words).map((value) => ({ value, label: words[value] }))

export const campaignStatusWords = (): Record<CampaignStatus, string> => ({
  draft: t`Draft`,
  active: t`Active`,
  paused: t`Paused`,
  ended: t`Ended`,
})
const campaignTones: Record<CampaignStatus, Tone> = { draft: 'neutral', active: 'good', paused: 'warning', ended: 'neutral' }
export const campaignStatusOptions = () => options(campaignStatusWords())

export const CampaignStatusBadge = ({ campaign: { status, archivedAt } }: { campaign: Pick<CampaignRow, 'status' | 'archivedAt'> }) =>
  archivedAt ? (
    <StatusBadge>{t`Archived`}</StatusBadge>
  ) : (
    <StatusBadge tone={campaignTones[status]}>{campaignStatusWords()[status]}</StatusBadge>
  )

export const campaignKindWords = (): Record<CampaignKind, string> => ({
  appeal: t`Appeal`,
  crowdfund: t`Crowdfunding`,
  memorial: t`Memorial`,
  membership: t`Membership drive`,
})
export const campaignKindOptions = () => options(campaignKindWords())

export const goalKindWords = (): Record<GoalKind, string> => ({
  amount: t`Amount raised`,
  gifts: t`Number of gifts`,
  donors: t`Number of donors`,
  recurring: t`Recurring per month`,
})
export const goalKindOptions = () => options(goalKindWords())
/** Whether a goal is money; otherwise it is a count. */
export const isMoneyGoal = (kind: GoalKind) => kind === 'amount' || kind === 'recurring'

export const campaignVisibilityWords = (): Record<CampaignVisibility, string> => ({
  public: t`Everybody, also search engines`,
  unlisted: t`Everybody with the link`,
  members: t`Members only`,
})
export const campaignVisibilityOptions = () => options(campaignVisibilityWords())

/** How long a campaign still takes gifts; nothing where nothing ends it. */
export function daysLeftText({ status, endsOn }: Pick<CampaignRow, 'status' | 'endsOn'>, today: string): string | undefined {
  if (endsOn === null || status === 'ended') return undefined
  const days = Math.round((Date.parse(endsOn) - Date.parse(today)) / 86_400_000)
  if (days < 0) return t`Last day has passed`
  return days === 0 ? t`Last day` : plural(days, { one: '# day left', other: '# days left' })
}
