import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { TimelineEntry } from '@guildhall/contract/features/timeline'
import { IconCalendarEvent } from '@tabler/icons-react'
import { TimelineLine } from '../../../platform/activity/timeline-line.tsx'

/** "Attended Winter lecture". */
export const EventEntry = ({ entry }: { entry: TimelineEntry }) => (
  <TimelineLine entry={entry} icon={IconCalendarEvent}>
    {entry.subject && (
      <Trans>
        Attended{' '}
        <Link to="/event/$eventId" params={{ eventId: entry.subject.id }}>
          {entry.subject.name}
        </Link>
      </Trans>
    )}
  </TimelineLine>
)
