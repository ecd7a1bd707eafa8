import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import type { FilterField } from '../../../ui/filter/filter.ts'
import { eventKindWords, eventVisibilityWords, modeWords, optionsOf, statusWords } from '../events-words.tsx'

/** What the columns of the table are called in a file; a file also says who came, and what was paid. */
export const exportColumns = (shown: readonly string[]): string[] => [
  ...shown.flatMap((id) => inFile[id] ?? [id]).filter((key) => key !== 'price'),
  ...['attended', 'paid', 'currency'],
]
const inFile: Readonly<Record<string, readonly string[]>> = {
  startsAt: ['startsAt', 'endsAt'],
  host: ['chapter', 'group'],
  place: ['venueName'],
  seats: ['capacity', 'taken'],
}

/** What events can be filtered by. */
export function useEventFields(): readonly FilterField[] {
  const { chapters, groups } = useRecordSources()
  return useMemo(
    () => [
      { id: 'kind', label: t`Kind`, kind: 'choice', ops: ['in', 'notIn'], options: optionsOf(eventKindWords()) },
      { id: 'mode', label: t`Place or online`, kind: 'choice', ops: ['in', 'notIn'], options: optionsOf(modeWords()) },
      { id: 'startsAt', label: t`Day`, kind: 'date', ops: ['is', 'before', 'after', 'between'] },
      { id: 'chapter', label: t`Chapter (with those below)`, kind: 'record', ...chapters },
      { id: 'group', label: t`Group`, kind: 'record', ...groups },
      { id: 'status', label: t`Status`, kind: 'choice', ops: ['in', 'notIn'], options: optionsOf(statusWords()) },
      { id: 'visibility', label: t`Visibility`, kind: 'choice', ops: ['in', 'notIn'], options: optionsOf(eventVisibilityWords()) },
      { id: 'upcoming', label: t`Upcoming`, kind: 'yesNo' },
      { id: 'past', label: t`Past`, kind: 'yesNo' },
      { id: 'myChapters', label: t`My chapters`, kind: 'yesNo' },
      { id: 'drafts', label: t`Drafts`, kind: 'yesNo' },
      { id: 'archived', label: t`Archived`, kind: 'yesNo' },
      { id: 'full', label: t`Full`, kind: 'yesNo' },
      { id: 'mine', label: t`Mine`, kind: 'yesNo' },
      { id: 'title', label: t`Title`, kind: 'text' },
    ],
    [chapters, groups],
  )
}
