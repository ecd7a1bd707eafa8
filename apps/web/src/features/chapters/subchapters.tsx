import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { IconBuildingCommunity } from '@tabler/icons-react'
import { useMemo } from 'react'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useKnownTab } from '../../platform/navigation/tabs.ts'
import { DataTable } from '../../ui/list/data-table.tsx'
import type { TableColumn } from '../../ui/list/data-table.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { treeOf } from '../../ui/tree/tree-rows.ts'
import { TreeView } from '../../ui/tree/tree-view.tsx'
import { ChapterLink } from '../../platform/records/record-links.tsx'
import { Subtabs } from './chapter-subtabs.tsx'
import { useChapterTree } from './chapters-api.ts'
import type { Chapter, ChapterNode } from './chapters-api.ts'
import { ChapterStatusBadge, levelWords } from './chapters-words.tsx'
import classes from './chapters.module.css'

const here = getRouteApi('/signed-in/chapter/$chapterId/{-$tab}/{-$subtab}')

/** Everything below a chapter, as a tree or as rows with their figures. */
export function Subchapters({ chapter }: { chapter: Chapter }) {
  const { subtab } = here.useParams()
  const active = useKnownTab(subtab, ['tree', 'list'], 'subtab')
  const tree = useChapterTree(chapter.status === 'closed')
  const below = useMemo(() => subtreeOf(tree.data?.items ?? [], chapter.id), [tree.data, chapter.id])
  return (
    <div className={classes['stack']}>
      <Subtabs
        chapterId={chapter.id}
        tab="subchapters"
        label={t`Chapters below ${chapter.name}`}
        active={active}
        tabs={[
          { key: 'tree', label: t`Tree` },
          { key: 'list', label: t`List` },
        ]}
      />
      {tree.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={8} />
        </Loading>
      )}
      {tree.isError && !tree.data && (
        <ProblemState problem={tree.error} title={t`The tree could not be loaded`} retry={() => void tree.refetch()} />
      )}
      {tree.data && below.length === 0 && (
        <EmptyState icon={<IconBuildingCommunity size={32} stroke={1.5} />} title={t`No chapters below`}>
          <Trans>A chapter without sub-chapters is a leaf of the tree.</Trans>
        </EmptyState>
      )}
      {below.length > 0 && (active === 'tree' ? <BelowTree nodes={below} /> : <BelowList nodes={below} />)}
    </div>
  )
}

/** The server sends parents before their children, so one pass finds all descendants. */
export function subtreeOf(nodes: readonly ChapterNode[], rootId: string): ChapterNode[] {
  const inside = new Set([rootId])
  return nodes.filter(({ id, parentId }) => {
    const below = parentId !== null && inside.has(parentId)
    if (below) inside.add(id)
    return below
  })
}

function BelowTree({ nodes }: { nodes: readonly ChapterNode[] }) {
  const navigate = useNavigate()
  const tree = useMemo(() => treeOf(nodes, ({ name }) => name), [nodes])
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [nodes])
  return (
    <TreeView
      label={t`Chapters`}
      nodes={tree}
      maxHeight="70dvh"
      onSelect={(chapterId) =>
        void navigate({ to: '/chapter/$chapterId/{-$tab}/{-$subtab}', params: { chapterId, tab: undefined, subtab: undefined } })
      }
      renderHint={({ id }) => plural(byId.get(id)?.subtreeMembers ?? 0, { one: '# member', other: '# members' })}
    />
  )
}

function BelowList({ nodes }: { nodes: readonly ChapterNode[] }) {
  const navigate = useNavigate()
  const { number } = useFormats()
  const columns = useMemo<TableColumn<ChapterNode>[]>(
    () => [
      { id: 'name', label: t`Name`, width: 260, cell: (node) => <ChapterLink chapter={node} /> },
      { id: 'code', label: t`Code`, width: 120, priority: 2, cell: ({ code }) => code },
      { id: 'level', label: t`Level`, width: 130, priority: 2, cell: ({ level }) => levelWords()[level] },
      { id: 'status', label: t`Status`, width: 130, cell: ({ status }) => <ChapterStatusBadge status={status} /> },
      { id: 'members', label: t`Members`, width: 110, align: 'end', cell: (node) => number(node.members) },
      { id: 'subtree', label: t`With all below`, width: 130, align: 'end', priority: 2, cell: (node) => number(node.subtreeMembers) },
      { id: 'officers', label: t`Officers`, width: 100, align: 'end', priority: 3, cell: (node) => number(node.officers) },
      { id: 'vacancies', label: t`Vacant`, width: 100, align: 'end', priority: 3, cell: (node) => number(node.vacancies) },
    ],
    [number],
  )
  return (
    <div className={classes['table']}>
      <span />
      <DataTable
        label={t`Chapters`}
        columns={columns}
        rows={nodes}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        total={nodes.length}
        onOpen={({ id }) =>
          void navigate({ to: '/chapter/$chapterId/{-$tab}/{-$subtab}', params: { chapterId: id, tab: undefined, subtab: undefined } })
        }
        renderCard={(node) => (
          <>
            <ChapterLink chapter={node} />
            <span className={classes['minor']}>
              {levelWords()[node.level]} · {plural(node.subtreeMembers, { one: '# member', other: '# members' })}
            </span>
          </>
        )}
        empty={null}
      />
    </div>
  )
}
