import type { TimelineEntry } from '@guildhall/contract/features/timeline'
import { Trans } from '@lingui/react/macro'
import { IconNote } from '@tabler/icons-react'
import { TimelineLine } from '../../platform/activity/timeline-line.tsx'

export const NoteEntry = ({ entry }: { entry: TimelineEntry }) => (
  <TimelineLine entry={entry} icon={IconNote}>
    <Trans>Note added</Trans>
  </TimelineLine>
)
