import { Alert } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import type { LineRecord } from '@guildhall/contract/features/relationships.lines'
import { maxLineDepth } from '@guildhall/contract/features/relationships.lines'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { useMe, useRights, useToday } from '../../../platform/session/session.ts'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { PathTabs } from '../../../ui/page/detail-header.tsx'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useLineNodes } from '../lines-api.ts'
import type { LineQuestion, LineScope } from '../lines-api.ts'
import { useTypes } from '../relationships-api.ts'
import type { LinesSearch } from '../relationships-search.ts'
import { chosenKind } from './line-kinds.ts'
import type { LineKind } from './line-kinds.ts'
import { LinesFiles } from './lines-files.tsx'
import { LinesFilters } from './lines-filters.tsx'
import { LineTreeView } from './line-tree-view.tsx'
import { NodePanel } from './node-panel.tsx'
import classes from './lines.module.css'
import { stepsIn, useLinesPlace } from './use-lines-place.ts'

export const route = createLazyRoute('/signed-in/reports/parent-child')({ component: LinesPage })

const PairsView = lazy(async () => ({ default: (await import('./pairs-view.tsx')).PairsView }))
const RootsView = lazy(async () => ({ default: (await import('./roots-view.tsx')).RootsView }))
const ProblemsView = lazy(async () => ({ default: (await import('./problems-view.tsx')).ProblemsView }))
const StatisticsView = lazy(async () => ({ default: (await import('./statistics-view.tsx')).StatisticsView }))

type View = NonNullable<LinesSearch['view']> | 'tree'
/** Those that scroll inside the window. */
const filling: readonly View[] = ['tree', 'pairs', 'roots']

function LinesPage() {
  usePageTitle(t`Parent-child report`)
  const types = useTypes(false)
  if (types.data) return <Report types={types.data.items} />
  return (
    <Page>
      <PageHeader title={t`Parent-child report`} />
      {types.isError ? (
        <ProblemState problem={types.error} title={t`The kinds of relationships could not be loaded`} retry={() => void types.refetch()} />
      ) : (
        <Loading label={t`Loading`}>
          <SkeletonLines count={8} />
        </Loading>
      )}
    </Page>
  )
}

function Report({ types }: { types: Parameters<typeof chosenKind>[0] }) {
  const { search, go } = useLinesPlace()
  const can = useRights()
  const today = useToday()
  const { kinds, kind, isUnknown } = chosenKind(types, search.kind)
  const mayReport = can('reports.read')
  const view: View = mayReport ? (search.view ?? 'tree') : 'tree'
  const scope: LineScope = {
    kind: kind.key,
    asOf: search.asOf && search.asOf <= today ? search.asOf : undefined,
    chapterId: search.chapter,
  }
  const question: LineQuestion = { ...scope, rootId: search.root, depth: stepsIn(search.depth) ?? maxLineDepth }
  // Of the caller's own line the answer says whose it is.
  const hasRoot = useHasRoot(kind, search.root)
  const line = useLineNodes(question, view === 'tree' && hasRoot)
  const root = search.root || kind.type ? line.data?.first.nodes[0]?.record : undefined
  return (
    <Page
      fill={filling.includes(view)}
      panel={
        view === 'tree' &&
        search.open && <NodePanel recordId={search.open} question={question} kind={kind} onClose={() => go({ open: undefined })} />
      }
    >
      <PageHeader
        title={t`Parent-child report`}
        actions={<LinesFiles question={question} kind={kind} root={view === 'tree' ? root : undefined} />}
      />
      {mayReport && <Views current={view} />}
      {isUnknown && (
        <Alert role="status" color="amber" variant="light">
          <Trans>
            There is no kind “{search.kind}”. This is {kind.name}.
          </Trans>
        </Alert>
      )}
      {kind.type?.isMinorsOnly && !can('people.sensitive') && (
        <Alert role="status" color="gray" variant="light">
          <Trans>This kind is about minors. Your role does not see them, so only relationships of your own are shown.</Trans>
        </Alert>
      )}
      <LinesFilters kinds={kinds} kind={kind} view={view} scope={scope} root={root} />
      <OnPaper kind={kind} asOf={scope.asOf ?? today} root={view === 'tree' ? root : undefined} />
      <Suspense
        fallback={
          <Loading label={t`Loading`}>
            <SkeletonLines count={8} />
          </Loading>
        }
      >
        {view === 'tree' ? (
          <LineTreeView key={JSON.stringify(question)} question={question} kind={kind} hasRoot={hasRoot} root={root} />
        ) : (
          shown(view, { scope, kind })
        )}
      </Suspense>
    </Page>
  )
}

function shown(view: Exclude<View, 'tree'>, props: { scope: LineScope; kind: LineKind }): ReactNode {
  switch (view) {
    case 'pairs':
      return <PairsView {...props} />
    case 'roots':
      return <RootsView {...props} />
    case 'problems':
      return <ProblemsView {...props} />
    case 'statistics':
      return <StatisticsView {...props} />
  }
}

function Views({ current }: { current: View }) {
  const views: readonly (readonly [View, string])[] = [
    ['tree', t`Tree`],
    ['pairs', t`Pairs`],
    ['roots', t`Roots`],
    ['problems', t`Problems`],
    ['statistics', t`Statistics`],
  ]
  return (
    <PathTabs label={t`Views of the report`}>
      {views.map(([view, label]) => (
        <Link
          key={view}
          to="/reports/parent-child"
          // The tree's address holds less than those of the others, and would count as a part of each.
          activeOptions={{ exact: true }}
          search={(before) => ({ ...before, view: view === 'tree' ? undefined : view, open: undefined, q: undefined })}
          aria-current={view === current ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </PathTabs>
  )
}

/** What a print was made of. */
const OnPaper = ({ kind, asOf, root }: { kind: LineKind; asOf: string; root: LineRecord | undefined }) => (
  <p className={classes['onPaper']}>
    {kind.name}
    {root && ` · ${root.name}`} · <PlainDate date={asOf} />
  </p>
)

/** People begin with their own line, for which their account has to be linked to a person. */
function useHasRoot(kind: LineKind, root: string | undefined): boolean {
  const me = useMe().data
  return root !== undefined || kind.type === undefined || Boolean(me?.person)
}
