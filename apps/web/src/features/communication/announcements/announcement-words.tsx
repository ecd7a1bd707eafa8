import type { AnnouncementAudience, AnnouncementState } from '@guildhall/contract/features/communication.announcements'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ChapterLink, GroupLink } from '../../../platform/records/record-links.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import type { Tone } from '../../../ui/display/status-badge.tsx'
import type { AnnouncementRow } from './announcements-api.ts'

export const stateWords = (): Record<AnnouncementState, string> => ({
  draft: t`Draft`,
  scheduled: t`Scheduled`,
  shown: t`Live`,
  over: t`Ended`,
  archived: t`Archived`,
})
const tones: Record<AnnouncementState, Tone> = { draft: 'neutral', scheduled: 'info', shown: 'good', over: 'neutral', archived: 'neutral' }

export const StateBadge = ({ state }: { state: AnnouncementState }) => <StatusBadge tone={tones[state]}>{stateWords()[state]}</StatusBadge>

export const audienceWords = (scope: AnnouncementRow['scope']): Record<AnnouncementAudience, string> =>
  scope === 'group'
    ? { officers: t`Leaders`, members: t`Group members`, everybody: t`Group members` }
    : scope === 'chapter'
      ? { officers: t`Officers`, members: t`Members, alumni and advisors`, everybody: t`Everybody, including friends and applicants` }
      : { officers: t`Officers`, members: t`Members, alumni and advisors`, everybody: t`Everybody with an account` }

/** The chapter, the group or the whole organisation. */
export function PlaceOf({ row: { scope, chapter, group } }: { row: Pick<AnnouncementRow, 'scope' | 'chapter' | 'group'> }) {
  if (scope === 'organisation') return <Trans>Whole organisation</Trans>
  if (chapter) return <ChapterLink chapter={chapter} />
  return group ? <GroupLink group={group} /> : <Trans>A group</Trans>
}
