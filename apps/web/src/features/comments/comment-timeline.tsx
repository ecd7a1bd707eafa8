import type { TimelineEntry } from '@guildhall/contract/features/timeline'
import { Trans } from '@lingui/react/macro'
import { IconMessage } from '@tabler/icons-react'
import { TimelineLine } from '../../platform/activity/timeline-line.tsx'
import { GroupLink } from '../../platform/records/record-links.tsx'

export function CommentEntry({ entry }: { entry: TimelineEntry }) {
  const { subject } = entry
  if (!subject) return null
  return (
    <TimelineLine entry={entry} icon={IconMessage}>
      <Trans>
        Commented in <GroupLink group={subject} />
      </Trans>
    </TimelineLine>
  )
}
