import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { IconUserStar } from '@tabler/icons-react'
import { useMemo } from 'react'
import { tableRows } from '../../platform/api/paged.ts'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { PersonFace } from '../../platform/records/person-face.tsx'
import { GroupLink } from '../../platform/records/record-links.tsx'
import { DataTable } from '../../ui/list/data-table.tsx'
import type { TableColumn } from '../../ui/list/data-table.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListBar } from '../../ui/list/list-bar.tsx'
import { SearchField } from '../../ui/filter/search-field.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { useTitles } from './groups-api.ts'
import type { MembershipInGroup } from './groups-api.ts'
import { kindWords } from './groups-words.tsx'
import classes from './groups.module.css'

/** Titles over all groups: "chair" lists every chair with the committee, a name lists what that person does, a group who leads it. */
export function GroupTitles({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const titles = useTitles(q)
  const navigate = useNavigate()
  const columns = useColumns()
  return (
    <>
      <ListBar>
        <SearchField label={t`Search titles, people and groups`} value={q} onChange={onSearch} />
      </ListBar>
      <DataTable
        label={t`Who does what`}
        columns={columns}
        {...tableRows(titles)}
        rowId={({ id }) => id}
        rowLabel={({ person, group }) => t`${person.displayName} in ${group.name}`}
        onOpen={({ person }) => void navigate({ to: '/person/$personId/{-$tab}', params: { personId: person.id, tab: undefined } })}
        renderCard={(row) => (
          <>
            <PersonFace person={row.person} />
            <span className={classes['minor']}>
              {row.title} · {row.group.name}
            </span>
          </>
        )}
        empty={
          titles.isError ? (
            <ProblemState problem={titles.error} title={t`The titles could not be loaded`} retry={() => void titles.refetch()} />
          ) : (
            <EmptyState icon={<IconUserStar size={32} stroke={1.5} />} title={q ? t`Nothing matches` : t`Nobody has a title yet`}>
              <Trans>People get a title, such as Chair, on a group’s page or by an import of group members.</Trans>
            </EmptyState>
          )
        }
      />
    </>
  )
}

const useColumns = (): readonly TableColumn<MembershipInGroup>[] =>
  useMemo(
    () => [
      { id: 'person', label: t`Person`, width: 220, cell: (row) => <PersonFace person={row.person} /> },
      { id: 'title', label: t`Title`, width: 180, cell: ({ title }) => title },
      {
        id: 'group',
        label: t`Group`,
        width: 320,
        cell: ({ group }) => <GroupLink group={group} />,
      },
      { id: 'kind', label: t`Kind`, width: 140, priority: 2, cell: ({ group }) => kindWords()[group.kind] },
      { id: 'parent', label: t`Part of`, width: 240, priority: 3, cell: ({ group }) => group.parent?.name },
      { id: 'side', label: t`Side`, width: 110, priority: 2, cell: ({ side }) => side },
      {
        id: 'when',
        label: t`When`,
        width: 110,
        priority: 2,
        cell: ({ when }) =>
          when === 'past' ? (
            <StatusBadge>{t`Formerly`}</StatusBadge>
          ) : when === 'future' ? (
            <StatusBadge tone="info">{t`Later`}</StatusBadge>
          ) : null,
      },
    ],
    [],
  )
