import type { TimelineEntry } from '@guildhall/contract/features/timeline'
import { Trans } from '@lingui/react/macro'
import { IconBriefcase } from '@tabler/icons-react'
import { TimelineLine } from '../../../platform/activity/timeline-line.tsx'
import { ChapterLink } from '../../../platform/records/record-links.tsx'

export function OfficeEntry({ entry }: { entry: TimelineEntry }) {
  const { kind, subject, params } = entry
  const { title = '' } = params
  if (!subject) return null
  return (
    <TimelineLine entry={entry} icon={IconBriefcase}>
      {kind === 'office-began' ? (
        <Trans>
          Took office as {title}, <ChapterLink chapter={subject} />
        </Trans>
      ) : (
        <Trans>
          Left office as {title}, <ChapterLink chapter={subject} />
        </Trans>
      )}
    </TimelineLine>
  )
}
