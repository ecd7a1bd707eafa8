import type { TimelineEntry, TimelineKind } from '@guildhall/contract/features/timeline'
import { t } from '@lingui/core/macro'
import { IconId } from '@tabler/icons-react'
import { TimelineLine } from '../../platform/activity/timeline-line.tsx'
import { useFormats } from '../../ui/display/dates.tsx'

/** What happened to a membership: "Full member renewed until 3 Dec 2026". */
export function MembershipEntry({ entry }: { entry: TimelineEntry }) {
  const { day } = useFormats()
  const { kind, subject, params } = entry
  if (!subject) return null
  const until = params['until'] ? day(params['until']) : undefined
  return (
    <TimelineLine entry={entry} icon={IconId}>
      {words(kind, subject.name, until)}
    </TimelineLine>
  )
}

function words(kind: TimelineKind, type: string, until: string | undefined): string | null {
  switch (kind) {
    case 'membership-applied':
      return t`Applied for ${type}`
    case 'membership-approved':
      return t`Application for ${type} approved`
    case 'membership-declined':
      return t`Application for ${type} declined`
    case 'membership-began':
      return until ? t`${type} began, until ${until}` : t`${type} began`
    case 'membership-renewed':
      return until ? t`${type} renewed until ${until}` : t`${type} renewed`
    case 'membership-lapsed':
      return t`${type} lapsed`
    case 'membership-cancelled':
      return t`${type} cancelled`
    case 'membership-paused':
      return t`${type} paused`
    case 'membership-resumed':
      return t`${type} resumed`
    default:
      return null
  }
}
