import { plural, t } from '@lingui/core/macro'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { IconBuildingCommunity } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { ChapterLink } from '../../../platform/records/record-links.tsx'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import type { FilterField } from '../../../ui/filter/filter.ts'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { useListWithFields } from '../../fields/fields-public.tsx'
import { useListView } from '../../lists/lists-public.tsx'
import type { BuiltInView } from '../../lists/lists-public.tsx'
import { ExportButton, RecordTable } from '../../lists/record-list-public.tsx'
import { tagColumn, useTagFilter } from '../../tags/tags-public.tsx'
import { useChapterBulk } from './chapter-bulk.tsx'
import { useChapterList } from '../chapters-api.ts'
import type { Chapter, ChapterNode, ChapterRow } from '../chapters-api.ts'
import { ChapterStatusBadge, allStatusOptions, levelOptions, levelWords } from '../chapters-words.tsx'
import classes from '../chapters.module.css'

const here = getRouteApi('/signed-in/chapter/$chapterId/{-$tab}/{-$subtab}')

const usual = {
  q: '',
  filter: emptyFilter,
  sort: 'name',
  columns: ['name', 'code', 'level', 'status', 'tags', 'members', 'subtree', 'officers', 'vacancies'],
  layout: 'table' as const,
}

/** Everything below a chapter as rows, with the figures that the tree has of them. */
export function SubchapterList({ chapter, nodes }: { chapter: Chapter; nodes: readonly ChapterNode[] }) {
  const search = here.useSearch()
  const setSearch = here.useNavigate()
  const navigate = useNavigate()
  const [exporting, setExporting] = useState(false)
  const view = useListView({
    list: 'chapters',
    builtIn: useBuiltIn(),
    usual,
    search,
    onSearch: (next, { replace }) => void setSearch({ search: (before) => ({ ...before, ...next }), replace }),
  })
  const { columns, fields } = useListWithFields('chapters', { columns: useColumns(nodes), fields: useFields() })
  const within = useMemo(() => [{ or: [{ field: 'below', op: 'is' as const, value: chapter.id }] }], [chapter.id])
  return (
    <div className={classes['table']}>
      <RecordTable
        list="chapters"
        view={view}
        records={useChapterList(view.look, view.look.columns, within, view.ready)}
        within={within}
        columns={columns}
        fields={fields}
        nameColumn="name"
        icon={IconBuildingCommunity}
        words={{
          title: t`Chapters`,
          search: t`Search chapters`,
          noMatch: t`No chapter matches`,
          none: t`No open chapters below`,
          about: t`Closed chapters are in the view Closed.`,
          failed: t`The chapters could not be loaded`,
          create: t`New sub-chapter`,
        }}
        onOpen={({ id }) =>
          void navigate({ to: '/chapter/$chapterId/{-$tab}/{-$subtab}', params: { chapterId: id, tab: undefined, subtab: undefined } })
        }
        onNew={undefined}
        renderCard={(row) => (
          <>
            <ChapterLink chapter={row} />
            <span className={classes['minor']}>
              {levelWords()[row.level]} · {plural(row.members, { one: '# member', other: '# members' })}
            </span>
          </>
        )}
        actions={<ExportButton onClick={() => setExporting(true)} />}
        exportColumns={exportColumns}
        bulk={useChapterBulk()}
        exporting={exporting}
        onExporting={setExporting}
      />
    </div>
  )
}

/** Figures of the tree are of no use in a file that knows no tree. */
const exportColumns = (shown: readonly string[]) => shown.filter((id) => !['subtree', 'officers', 'vacancies'].includes(id))

const useBuiltIn = () =>
  useMemo((): [BuiltInView, ...BuiltInView[]] => {
    const only = (field: string, value: boolean | string[]) => ({
      filter: { and: [{ or: [{ field, op: Array.isArray(value) ? ('in' as const) : ('is' as const), value }] }] },
    })
    return [
      { id: 'all', label: t`All`, spec: {} },
      { id: 'active', label: t`Active`, spec: only('status', ['active']) },
      { id: 'mine', label: t`Mine`, spec: only('mine', true) },
      { id: 'closed', label: t`Closed`, spec: only('status', ['closed']) },
    ]
  }, [])

function useColumns(nodes: readonly ChapterNode[]): readonly TableColumn<ChapterRow>[] {
  const { number } = useFormats()
  return useMemo(() => {
    const byId = new Map(nodes.map((node) => [node.id, node]))
    const figure = (id: 'subtreeMembers' | 'officers' | 'vacancies') => (row: ChapterRow) => {
      const value = byId.get(row.id)?.[id]
      return value === undefined ? '' : number(value)
    }
    return [
      { id: 'name', label: t`Name`, width: 260, sortable: true, cell: (row) => <ChapterLink chapter={row} /> },
      { id: 'code', label: t`Code`, width: 120, priority: 2, sortable: true, cell: ({ code }) => code },
      { id: 'parent', label: t`Parent chapter`, width: 200, priority: 2, cell: ({ parent }) => parent && <ChapterLink chapter={parent} /> },
      { id: 'level', label: t`Level`, width: 130, priority: 2, cell: ({ level }) => levelWords()[level] },
      { id: 'status', label: t`Status`, width: 130, cell: ({ status }) => <ChapterStatusBadge status={status} /> },
      { id: 'city', label: t`City`, width: 140, priority: 3, cell: ({ city }) => city },
      tagColumn<ChapterRow>(),
      { id: 'members', label: t`Members`, width: 110, align: 'end', cell: (row) => number(row.members) },
      { id: 'subtree', label: t`With all below`, width: 130, align: 'end', priority: 2, cell: figure('subtreeMembers') },
      { id: 'officers', label: t`Officers`, width: 100, align: 'end', priority: 3, cell: figure('officers') },
      { id: 'vacancies', label: t`Vacant`, width: 100, align: 'end', priority: 3, cell: figure('vacancies') },
      {
        id: 'charteredOn',
        label: t`Chartered`,
        width: 130,
        priority: 3,
        sortable: true,
        cell: ({ charteredOn }) => charteredOn && <PlainDate date={charteredOn} />,
      },
    ]
  }, [nodes, number])
}

function useFields(): readonly FilterField[] {
  const tag = useTagFilter()
  return useMemo(
    () => [
      { id: 'level', label: t`Level`, kind: 'choice', ops: ['in', 'notIn'], options: levelOptions() },
      { id: 'status', label: t`Status`, kind: 'choice', ops: ['in', 'notIn'], options: allStatusOptions() },
      tag,
      { id: 'name', label: t`Name`, kind: 'text' },
      { id: 'code', label: t`Code`, kind: 'text' },
      { id: 'city', label: t`City`, kind: 'text' },
      { id: 'charteredOn', label: t`Chartered`, kind: 'date' },
      { id: 'mine', label: t`Mine`, kind: 'yesNo' },
    ],
    [tag],
  )
}
