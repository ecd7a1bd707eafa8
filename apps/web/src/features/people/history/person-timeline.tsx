import type { TimelineEntry } from '@guildhall/contract/features/timeline'
import { Trans } from '@lingui/react/macro'
import { IconBuildingCommunity, IconTag, IconUserCheck, IconUserPlus } from '@tabler/icons-react'
import { TimelineLine } from '../../../platform/activity/timeline-line.tsx'
import { ChapterLink } from '../../../platform/records/record-links.tsx'
import { lifecycleWords } from '../../../platform/records/lifecycle-badge.tsx'
import { affiliationWords, isAffiliationKind } from '../people-words.tsx'
import { viaText } from './history-words.ts'

export function ChapterEntry({ entry }: { entry: TimelineEntry }) {
  const { subject, kind, params } = entry
  const { as = '' } = params
  if (!subject) return null
  const word = isAffiliationKind(as) ? affiliationWords()[as] : as
  return (
    <TimelineLine entry={entry} icon={IconBuildingCommunity}>
      {kind === 'chapter-joined' ? (
        <Trans>
          Joined <ChapterLink chapter={subject} />
        </Trans>
      ) : (
        <Trans>
          Left <ChapterLink chapter={subject} />
        </Trans>
      )}
      {` (${word})`}
    </TimelineLine>
  )
}

export function RecordEntry({ entry }: { entry: TimelineEntry }) {
  const { kind, subject, params } = entry
  if (kind === 'tag-added') {
    const name = subject?.name ?? ''
    return (
      <TimelineLine entry={entry} icon={IconTag}>
        <Trans>Tagged {name}</Trans>
      </TimelineLine>
    )
  }
  if (kind === 'status-changed') {
    const status = wordFor(params['to'])
    return (
      <TimelineLine entry={entry} icon={IconUserCheck}>
        <Trans>Status changed to {status}</Trans>
      </TimelineLine>
    )
  }
  const via = viaText(params['via'] || null)
  return (
    <TimelineLine entry={entry} icon={IconUserPlus}>
      <Trans>Added to the records</Trans>
      {via && ` (${via})`}
    </TimelineLine>
  )
}

function wordFor(status = ''): string {
  const known = Object.entries(lifecycleWords()).find(([lifecycle]) => lifecycle === status)
  return known?.[1] ?? status
}
