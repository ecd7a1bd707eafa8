import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { ButtonLink } from '../../platform/navigation/links.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useCan } from '../../platform/session/session.ts'
import { useFormats } from '../../ui/display/dates.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { FormInPlace } from '../../ui/dialog/form-dialog.tsx'
import { SearchField } from '../../ui/filter/search-field.tsx'
import { SkeletonLines } from '../../ui/page/skeletons.tsx'
import { treeOf } from '../../ui/tree/tree-rows.ts'
import { TreeView } from '../../ui/tree/tree-view.tsx'
import { useChapterTree } from './chapters-api.ts'
import type { ChapterNode } from './chapters-api.ts'
import { useNewChapter } from './new-chapter-dialog.tsx'

/** The tree to jump from one chapter to another; the navigation opens it, because chapters have no list page. */
export function ChapterSwitcher({ onChosen }: { onChosen: () => void }) {
  const tree = useChapterTree()
  const navigate = useNavigate()
  const { number } = useFormats()
  const mayManage = useCan('chapters.manage')
  const [wanted, setWanted] = useState('')
  const [creating, setCreating] = useState(false)
  const newChapter = useNewChapter(null, onChosen)
  const nodes = useMemo(() => withAncestors(tree.data?.items ?? [], wanted), [tree.data, wanted])
  const view = useMemo(() => treeOf(nodes, ({ name }) => name), [nodes])
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [nodes])
  const choose = (chapterId: string) => {
    onChosen()
    void navigate({ to: '/chapter/$chapterId/{-$tab}/{-$subtab}', params: { chapterId, tab: undefined, subtab: undefined } })
  }
  if (creating) return <FormInPlace {...newChapter} onClose={() => setCreating(false)} />
  if (tree.isPending) return <SkeletonLines count={8} />
  if (tree.isError && !tree.data)
    return <ProblemState problem={tree.error} title={t`The tree could not be loaded`} retry={() => void tree.refetch()} />
  if (tree.data.items.length === 0) {
    return (
      <EmptyState
        title={t`No chapters yet`}
        level={3}
        action={
          mayManage && (
            <>
              <ButtonLink to="/account-management/{-$tab}" params={{ tab: 'imports' }} onClick={onChosen}>
                <Trans>Import chapters</Trans>
              </ButtonLink>{' '}
              <Button variant="default" onClick={() => setCreating(true)}>
                <Trans>New chapter</Trans>
              </Button>
            </>
          )
        }
      >
        <Trans>The tree of the organisation grows here.</Trans>
      </EmptyState>
    )
  }
  return (
    <>
      <div
        onKeyDown={(event) => {
          if (!(event.target instanceof HTMLInputElement)) return
          // Of what stands in the field now: the tree follows a moment later.
          const found = event.key === 'Enter' && firstMatch(tree.data.items, event.target.value)
          if (found) choose(found.id)
          else if (event.key === 'ArrowDown') event.currentTarget.parentElement?.querySelector<HTMLElement>('[role="tree"]')?.focus()
          else return
          event.preventDefault()
        }}
      >
        <SearchField label={t`Find a chapter`} value={wanted} onChange={setWanted} delay={80} />
      </div>
      {nodes.length === 0 ? (
        <p role="status">
          <Trans>No chapter is called that.</Trans>
        </p>
      ) : (
        <TreeView
          key={wanted}
          label={t`Chapters`}
          nodes={view}
          {...(wanted ? { initiallyOpen: nodes.map(({ id }) => id) } : {})}
          startId={firstMatch(nodes, wanted)?.id}
          onSelect={choose}
          renderHint={({ id }) => number(byId.get(id)?.subtreeMembers ?? 0)}
        />
      )}
      {mayManage && (
        <Button variant="subtle" onClick={() => setCreating(true)}>
          <Trans>New chapter at the top</Trans>
        </Button>
      )}
    </>
  )
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase()

const matches = (node: ChapterNode, sought: string) => fold(`${node.name} ${node.code}`).includes(sought)

/** The one that Enter opens: a name that begins with the text before one that only holds it. */
function firstMatch(nodes: readonly ChapterNode[], text: string): ChapterNode | undefined {
  const sought = fold(text.trim())
  return nodes.find(({ name }) => fold(name).startsWith(sought)) ?? nodes.find((node) => matches(node, sought))
}

/** Chapters whose name or code holds the text, with everything above them so that the tree keeps its shape. */
function withAncestors(nodes: readonly ChapterNode[], text: string): readonly ChapterNode[] {
  const sought = fold(text.trim())
  if (!sought) return nodes
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const kept = new Set<string>()
  for (const node of nodes) {
    if (!matches(node, sought)) continue
    for (let at: ChapterNode | undefined = node; at && !kept.has(at.id); at = at.parentId === null ? undefined : byId.get(at.parentId))
      kept.add(at.id)
  }
  return nodes.filter(({ id }) => kept.has(id))
}
