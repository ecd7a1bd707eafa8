import { Select, Switch } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { IconUsers } from '@tabler/icons-react'
import { Suspense, useMemo } from 'react'
import { tableRows } from '../../platform/api/paged.ts'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../platform/navigation/links.tsx'
import { useCan } from '../../platform/session/session.ts'
import { useKnownTab } from '../../platform/navigation/tabs.ts'
import { DataTable } from '../../ui/list/data-table.tsx'
import type { TableColumn } from '../../ui/list/data-table.tsx'
import { PlainDate, useFormats } from '../../ui/display/dates.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListBar } from '../../ui/list/list-bar.tsx'
import { SearchField } from '../../ui/filter/search-field.tsx'
import { PersonFace } from '../../platform/records/person-face.tsx'
import { ChapterLink } from '../../platform/records/record-links.tsx'
import { ChapterTransfers, MembershipRequests, Overrides } from '../membership/membership-public.tsx'
import { Subtabs } from './chapter-subtabs.tsx'
import { useRoster } from './chapters-api.ts'
import type { Chapter, ChapterMember } from './chapters-api.ts'
import { isKind, kindOptions, kindWords } from './chapters-words.tsx'
import classes from './chapters.module.css'

const here = getRouteApi('/signed-in/chapter/$chapterId/{-$tab}/{-$subtab}')

/** Who belongs here, now or formerly, with or without everything below. */
export function ChapterMembers({ chapter }: { chapter: Chapter }) {
  // The address may be at the next tab while this one is still shown.
  const { tab, subtab } = here.useParams()
  const search = here.useSearch()
  const setSearch = here.useNavigate()
  const navigate = useNavigate()
  const { number } = useFormats()
  const decides = useCan('memberships.manage', { chapterId: chapter.id })
  const active = useKnownTab(
    tab === 'members' ? subtab : undefined,
    decides ? ['roster', 'former', 'requests', 'transfers', 'overrides'] : ['roster', 'former'],
    'subtab',
  )
  const isRoster = active === 'roster' || active === 'former'
  const roster = useRoster({
    chapterId: chapter.id,
    q: search.q ?? '',
    subtree: search.below === 1,
    kind: search.kind,
    when: active === 'former' ? 'former' : 'current',
  })
  const columns = useRosterColumns(search.below === 1, active === 'former')
  const first = roster.data
  // The chapter counts everybody; who limits their visibility is not part of everybody's roster.
  const counts = search.below === 1 ? chapter.counts.subtree : chapter.counts.own
  const counted = search.kind ? counts[search.kind] : Object.values(counts).reduce((sum, count) => sum + count, 0)
  const hidden = active === 'former' || search.q ? 0 : Math.max(0, counted - (first?.total ?? counted))
  const filtered = Boolean(search.q ?? search.kind)
  return (
    <div className={classes['table']}>
      <div className={classes['stack']}>
        <Subtabs
          chapterId={chapter.id}
          tab="members"
          label={t`Members of ${chapter.name}`}
          active={active}
          tabs={[
            { key: 'roster', label: t`Roster` },
            { key: 'former', label: t`Former` },
            ...(decides
              ? ([
                  { key: 'requests', label: t`Requests` },
                  { key: 'transfers', label: t`Transfers` },
                  { key: 'overrides', label: t`Overrides` },
                ] as const)
              : []),
          ]}
        />
        {active === 'requests' && (
          <Suspense>
            <MembershipRequests chapterId={chapter.id} />
          </Suspense>
        )}
        {active === 'transfers' && (
          <Suspense>
            <ChapterTransfers chapterId={chapter.id} />
          </Suspense>
        )}
        {active === 'overrides' && (
          <Suspense>
            {/* The root shows people without a chapter as well. */}
            <Overrides {...(chapter.parent && { chapterId: chapter.id })} />
          </Suspense>
        )}
        {isRoster && (
          <>
            <ListBar
              end={
                <ButtonLink
                  variant="default"
                  to="/members"
                  search={{ filter: { and: [{ or: [{ field: 'chapter', op: 'in', value: [chapter.id] }] }] } }}
                >
                  <Trans>Open in Members</Trans>
                </ButtonLink>
              }
            >
              <SearchField
                label={t`Search these members`}
                value={search.q ?? ''}
                onChange={(q) => void setSearch({ search: (before) => ({ ...before, q: q || undefined }), replace: true })}
              />
              <Select
                aria-label={t`Kind`}
                placeholder={t`Every kind`}
                clearable
                data={kindOptions()}
                value={search.kind ?? null}
                onChange={(kind) => void setSearch({ search: (before) => ({ ...before, kind: isKind(kind) ? kind : undefined }) })}
              />
              {chapter.descendants > 0 && (
                <Switch
                  label={t`With all below`}
                  checked={search.below === 1}
                  onChange={(event) =>
                    void setSearch({ search: (before) => ({ ...before, below: event.currentTarget.checked ? 1 : undefined }) })
                  }
                />
              )}
            </ListBar>
            <p className={classes['none']} role="status">
              {first &&
                first.totalIsExact &&
                hidden > 0 &&
                t`${number(first.total ?? 0)} people; ${number(hidden)} more are not visible to you`}
              {first &&
                !(first.totalIsExact && hidden > 0) &&
                (first.totalIsExact ? t`${number(first.total ?? 0)} people` : t`More than ${number(first.total ?? 0)} people`)}
            </p>
          </>
        )}
      </div>
      {isRoster && (
        <DataTable
          label={t`Members of ${chapter.name}`}
          columns={columns}
          {...tableRows(roster)}
          rowId={(row) => row.id}
          rowLabel={(row) => row.person.displayName}
          onOpen={(row) => void navigate({ to: '/person/$personId/{-$tab}', params: { personId: row.person.id, tab: undefined } })}
          renderCard={(row) => <Card row={row} />}
          empty={
            roster.isError ? (
              <ProblemState problem={roster.error} title={t`The members could not be loaded`} retry={() => void roster.refetch()} />
            ) : (
              <EmptyState
                icon={<IconUsers size={32} stroke={1.5} />}
                title={filtered ? t`Nobody matches` : active === 'former' ? t`No former members` : t`Nobody belongs here yet`}
              >
                {filtered ? (
                  <Trans>Try another word, or every kind.</Trans>
                ) : (
                  active === 'roster' && <Trans>People come in through Members, New member, or an import.</Trans>
                )}
              </EmptyState>
            )
          }
        />
      )}
    </div>
  )
}

const Card = ({ row }: { row: ChapterMember }) => (
  <>
    <PersonFace person={row.person} />
    <span className={classes['minor']}>
      {kindWords()[row.kind]} · {row.chapter.name}
    </span>
  </>
)

function useRosterColumns(withChapter: boolean, former: boolean): readonly TableColumn<ChapterMember>[] {
  return useMemo(
    () => [
      { id: 'name', label: t`Name`, width: 240, cell: (row) => <PersonFace person={row.person} /> },
      { id: 'memberNo', label: t`Member number`, width: 130, priority: 2, cell: (row) => row.person.memberNo },
      { id: 'kind', label: t`Kind`, width: 110, cell: (row) => kindWords()[row.kind] },
      ...(withChapter
        ? [{ id: 'chapter', label: t`Chapter`, width: 200, cell: (row: ChapterMember) => <ChapterLink chapter={row.chapter} /> }]
        : []),
      { id: 'email', label: t`E-mail`, width: 240, priority: 2 as const, cell: (row) => row.primaryEmail },
      { id: 'startsOn', label: t`Since`, width: 130, cell: (row) => <PlainDate date={row.startsOn} /> },
      ...(former
        ? [{ id: 'endsOn', label: t`Until`, width: 130, cell: (row: ChapterMember) => row.endsOn && <PlainDate date={row.endsOn} /> }]
        : []),
      { id: 'gradYear', label: t`Graduated`, width: 100, align: 'end', priority: 3, cell: (row) => row.person.gradYear },
    ],
    [withChapter, former],
  )
}
