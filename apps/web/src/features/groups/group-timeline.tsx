import type { TimelineEntry } from '@guildhall/contract/features/timeline'
import { Trans } from '@lingui/react/macro'
import { IconUsersGroup } from '@tabler/icons-react'
import { TimelineLine } from '../../platform/activity/timeline-line.tsx'
import { GroupLink } from '../../platform/records/record-links.tsx'

export function GroupEntry({ entry }: { entry: TimelineEntry }) {
  const { kind, subject, params } = entry
  const { title = '' } = params
  if (!subject) return null
  return (
    <TimelineLine entry={entry} icon={IconUsersGroup}>
      {kind === 'group-joined' ? (
        <Trans>
          Joined the group <GroupLink group={subject} />
        </Trans>
      ) : (
        <Trans>
          Left the group <GroupLink group={subject} />
        </Trans>
      )}
      {title && ` (${title})`}
    </TimelineLine>
  )
}
