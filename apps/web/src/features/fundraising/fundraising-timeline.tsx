import type { TimelineEntry, TimelineKind } from '@guildhall/contract/features/timeline'
import { useLingui } from '@lingui/react'
import { t } from '@lingui/core/macro'
import { IconGift } from '@tabler/icons-react'
import { TimelineLine } from '../../platform/activity/timeline-line.tsx'
import { CampaignLink } from './campaigns/campaign-cards.tsx'

/** What somebody gave or promised: "Gave €50.00", with its campaign. */
export function GivingEntry({ entry }: { entry: TimelineEntry }) {
  const { i18n } = useLingui()
  const { kind, subject, params } = entry
  const { currency = '', interval = '' } = params
  const amount = currency
    ? new Intl.NumberFormat(i18n.locales ?? i18n.locale, { style: 'currency', currency }).format(Number(params['amount']))
    : ''
  return (
    <TimelineLine entry={entry} icon={IconGift}>
      {words(kind, amount, interval)}
      {subject && (
        <>
          {' '}
          · <CampaignLink campaign={subject} />
        </>
      )}
    </TimelineLine>
  )
}

function words(kind: TimelineKind, amount: string, interval: string): string | null {
  switch (kind) {
    case 'gift-given':
      return t`Gave ${amount}`
    case 'pledge-made':
      return t`Pledged ${amount}`
    case 'recurring-gift-began':
      return t`Recurring gift began: ${every(amount, interval)}`
    case 'recurring-gift-stopped':
      return t`Recurring gift stopped: ${every(amount, interval)}`
    default:
      return null
  }
}

function every(amount: string, interval: string): string {
  if (interval === 'quarter') return t`${amount} a quarter`
  return interval === 'year' ? t`${amount} a year` : t`${amount} a month`
}
