import { Button } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { IconUsersGroup } from '@tabler/icons-react'
import { useMemo } from 'react'
import { tableRows } from '../../platform/api/paged.ts'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { GroupLink } from '../../platform/records/record-links.tsx'
import { useRecordSources } from '../../platform/records/record-sources.ts'
import { ColumnPicker } from '../../ui/list/column-picker.tsx'
import { DataTable } from '../../ui/list/data-table.tsx'
import type { TableColumn } from '../../ui/list/data-table.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { FilterChips } from '../../ui/filter/filter-chips.tsx'
import { emptyFilter } from '../../ui/filter/filter.ts'
import type { FilterField } from '../../ui/filter/filter.ts'
import { ListBar } from '../../ui/list/list-bar.tsx'
import { SearchField } from '../../ui/filter/search-field.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import type { useListView } from '../lists/lists-public.tsx'
import type { GroupRow, useGroups } from './groups-api.ts'
import { joinOptions, joinWords, kindOptions, kindWords, statusWords, visibilityOptions } from './groups-words.tsx'
import classes from './groups.module.css'

type Props = { groups: ReturnType<typeof useGroups>; view: ReturnType<typeof useListView>; onNew: (() => void) | undefined }

export function GroupRows({ groups, view, onNew }: Props) {
  const { look, base, set } = view
  const navigate = useNavigate()
  const columns = useColumns()
  const fields = useFields()
  const narrowed = look.q !== '' || look.filter.and.length > 0
  return (
    <>
      <ListBar
        end={
          <ColumnPicker
            columns={columns}
            shown={look.columns}
            onChange={(shown) => set({ columns: shown.includes('name') ? shown : ['name', ...shown] }, { replace: true })}
            onReset={() => set({ columns: base.columns }, { replace: true })}
          />
        }
      >
        <SearchField label={t`Search groups`} value={look.q} onChange={(q) => set({ q }, { replace: true })} />
        <FilterChips fields={fields} value={look.filter} onChange={(filter) => set({ filter })} />
      </ListBar>
      <DataTable
        label={t`Groups`}
        columns={columns}
        shown={look.columns}
        {...tableRows(groups)}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        sort={{ column: look.sort.replace(/^-/, ''), direction: look.sort.startsWith('-') ? 'desc' : 'asc' }}
        onSort={({ column, direction }) => set({ sort: direction === 'desc' ? `-${column}` : column })}
        onOpen={({ id }) => void navigate({ to: '/groups/$groupId', params: { groupId: id } })}
        renderCard={(group) => <Card group={group} />}
        empty={
          groups.isError ? (
            <ProblemState problem={groups.error} title={t`The groups could not be loaded`} retry={() => void groups.refetch()} />
          ) : narrowed ? (
            <EmptyState
              icon={<IconUsersGroup size={32} stroke={1.5} />}
              title={t`No group matches`}
              action={
                <Button variant="default" onClick={() => set({ q: '', filter: emptyFilter })}>
                  <Trans>Clear search and filters</Trans>
                </Button>
              }
            />
          ) : (
            <EmptyState
              icon={<IconUsersGroup size={32} stroke={1.5} />}
              title={t`No groups yet`}
              action={onNew && <Button onClick={onNew}>{t`New group`}</Button>}
            >
              <Trans>Committees, cohorts, interests and teams: people who do something together, across chapters.</Trans>
            </EmptyState>
          )
        }
      />
    </>
  )
}

function Card({ group }: { group: GroupRow }) {
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

function useColumns(): readonly TableColumn<GroupRow>[] {
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

function useFields(): readonly FilterField[] {
  const { chapters, groups } = useRecordSources()
  return useMemo(
    () => [
      { id: 'kind', label: t`Kind`, kind: 'choice', ops: ['in', 'notIn'], options: kindOptions() },
      { id: 'chapter', label: t`Chapter (with those below)`, kind: 'record', ...chapters },
      { id: 'parent', label: t`Part of`, kind: 'record', ...groups },
      { id: 'joinPolicy', label: t`Joining`, kind: 'choice', ops: ['in', 'notIn'], options: joinOptions() },
      { id: 'visibility', label: t`Visibility`, kind: 'choice', ops: ['in', 'notIn'], options: visibilityOptions() },
      { id: 'name', label: t`Name`, kind: 'text' },
      { id: 'code', label: t`Code`, kind: 'text' },
      { id: 'mine', label: t`Mine`, kind: 'yesNo' },
      { id: 'archived', label: t`Archived`, kind: 'yesNo' },
    ],
    [chapters, groups],
  )
}
