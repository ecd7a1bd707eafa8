import { plural, t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { GroupLink } from '../../platform/records/record-links.tsx'
import { useRecordSources } from '../../platform/records/record-sources.ts'
import type { TableColumn } from '../../ui/list/data-table.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import type { FilterField } from '../../ui/filter/filter.ts'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { tagColumn, useTagFilter } from '../tags/tags-public.tsx'
import type { GroupRow } from './groups-api.ts'
import { joinOptions, joinWords, kindOptions, kindWords, statusWords, visibilityOptions } from './groups-words.tsx'
import classes from './groups.module.css'

export function GroupCard({ group }: { group: GroupRow }) {
  return (
    <>
      <span className={classes['cardName']}>
        <GroupLink group={group} />
      </span>
      <span className={classes['minor']}>
        {kindWords()[group.kind]} · {plural(group.members, { one: '# member', other: '# members' })}
      </span>
    </>
  )
}

export function useGroupColumns(): readonly TableColumn<GroupRow>[] {
  const { number } = useFormats()
  return useMemo(
    () => [
      { id: 'name', label: t`Name`, width: 240, sortable: true, cell: (group) => <GroupLink group={group} /> },
      { id: 'kind', label: t`Kind`, width: 130, cell: ({ kind }) => kindWords()[kind] },
      { id: 'parent', label: t`Part of`, width: 200, priority: 3, cell: ({ parent }) => parent && <GroupLink group={parent} /> },
      { id: 'chapter', label: t`Chapter`, width: 160, priority: 2, cell: ({ chapter }) => chapter?.name },
      { id: 'code', label: t`Code`, width: 110, priority: 3, cell: ({ code }) => code },
      {
        id: 'members',
        label: t`Members`,
        width: 110,
        align: 'end',
        sortable: true,
        cell: ({ members, capacity }) => (capacity ? t`${number(members)} of ${number(capacity)}` : number(members)),
      },
      tagColumn<GroupRow>(),
      { id: 'joining', label: t`Joining`, width: 140, priority: 3, cell: ({ joinPolicy }) => joinWords()[joinPolicy] },
      {
        id: 'mine',
        label: t`You`,
        width: 112,
        priority: 2,
        cell: ({ mine, archivedAt }) =>
          archivedAt ? (
            <StatusBadge>{t`Archived`}</StatusBadge>
          ) : (
            mine && <StatusBadge tone="accent">{mine.title || statusWords()[mine.status]}</StatusBadge>
          ),
      },
    ],
    [number],
  )
}

export function useGroupFields(): readonly FilterField[] {
  const { chapters, groups } = useRecordSources()
  const tag = useTagFilter()
  return useMemo(
    () => [
      { id: 'kind', label: t`Kind`, kind: 'choice', ops: ['in', 'notIn'], options: kindOptions() },
      { id: 'chapter', label: t`Chapter (with those below)`, kind: 'record', ...chapters },
      { id: 'parent', label: t`Part of`, kind: 'record', ...groups },
      { id: 'joinPolicy', label: t`Joining`, kind: 'choice', ops: ['in', 'notIn'], options: joinOptions() },
      { id: 'visibility', label: t`Visibility`, kind: 'choice', ops: ['in', 'notIn'], options: visibilityOptions() },
      tag,
      { id: 'name', label: t`Name`, kind: 'text' },
      { id: 'code', label: t`Code`, kind: 'text' },
      { id: 'mine', label: t`Mine`, kind: 'yesNo' },
      { id: 'archived', label: t`Archived`, kind: 'yesNo' },
    ],
    [chapters, groups, tag],
  )
}
