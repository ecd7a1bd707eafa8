import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { IconBuildingCommunity } from '@tabler/icons-react'
import { useMemo } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useKnownTab } from '../../../platform/navigation/tabs.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { treeOf } from '../../../ui/tree/tree-rows.ts'
import { TreeView } from '../../../ui/tree/tree-view.tsx'
import { Subtabs } from '../chapter-subtabs.tsx'
import { useChapterTree } from '../chapters-api.ts'
import type { Chapter, ChapterNode } from '../chapters-api.ts'
import { SubchapterList } from './subchapter-list.tsx'
import classes from '../chapters.module.css'

const here = getRouteApi('/signed-in/chapter/$chapterId/{-$tab}/{-$subtab}')

/** Everything below a chapter, as a tree or as rows with their figures. */
export function Subchapters({ chapter }: { chapter: Chapter }) {
  // The address may be at the next tab while this one is still shown.
  const { tab, subtab } = here.useParams()
  const active = useKnownTab(tab === 'subchapters' ? subtab : undefined, ['tree', 'list'], 'subtab')
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
      {below.length > 0 && (active === 'tree' ? <BelowTree nodes={below} /> : <SubchapterList chapter={chapter} nodes={below} />)}
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
