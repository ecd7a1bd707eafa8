import { Button, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconBinaryTree2, IconTarget } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { LineNode, LineRecord } from '@guildhall/contract/features/relationships.lines'
import { toast } from '../../../platform/activity/toast.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useCan, useMe } from '../../../platform/session/session.ts'
import { useAfterPaint } from '../../../ui/after-paint.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { ComboboxPicker } from '../../../ui/form/combobox-picker.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useLineSearch, useLineTree, useTopOfLine } from '../lines-api.ts'
import type { LineQuestion } from '../lines-api.ts'
import { TreeTable } from '../tree/tree-table.tsx'
import { useTree } from '../tree/use-tree.ts'
import type { LineKind } from './line-kinds.ts'
import classes from './lines.module.css'
import { useLinesPlace } from './use-lines-place.ts'

/** Far more code than the page, so it comes when the table stands. */
const LineGraph = lazy(async () => ({ default: (await import('../tree/line-graph.tsx')).LineGraph }))

type Props = { question: LineQuestion; kind: LineKind; hasRoot: boolean; root: LineRecord | undefined }

/** A line as a picture and as a table, which share what is open and where the reader is. */
export function LineTreeView({ question, kind, hasRoot, root }: Props) {
  const line = useLineTree(question, hasRoot)
  if (!hasRoot)
    return (
      <Nothing
        title={t`Choose where the tree begins`}
        text={t`Your account isn’t linked to a person, so there is no line of yours. Choose somebody as the root.`}
      />
    )
  if (line.isError && !line.data)
    return <ProblemState problem={line.error} title={t`The tree could not be loaded`} retry={() => void line.refetch()} />
  if (!line.data)
    return (
      <Loading label={t`Loading the tree`}>
        <SkeletonLines count={12} />
      </Loading>
    )
  const { first, nodes } = line.data
  if (nodes.length === 0) return <Nothing title={t`There are no chapters to show`} text={t`Chapters that you may see stand here.`} />
  if (kind.type && root && nodes.length === 1 && first.path.length === 0 && !nodes[0]?.continues)
    return (
      <Nothing
        title={t`${root.name} has no place in any line of this kind`}
        text={t`Choose another root or another kind, or look at where the lines begin.`}
      />
    )
  return <Line question={question} kind={kind} line={line} nodes={nodes} first={first.nodes} path={first.path} total={first.total} />
}

function Nothing({ title, text }: { title: string; text: string }) {
  const { go } = useLinesPlace()
  const mayReport = useCan('reports.read')
  return (
    <EmptyState
      icon={<IconBinaryTree2 size={32} stroke={1.5} />}
      title={title}
      action={
        mayReport && (
          <Button variant="default" onClick={() => go({ view: 'roots', open: undefined })}>
            <Trans>Show the roots</Trans>
          </Button>
        )
      }
    >
      {text}
    </EmptyState>
  )
}

type LineProps = {
  question: LineQuestion
  kind: LineKind
  line: ReturnType<typeof useLineTree>
  nodes: readonly LineNode[]
  first: readonly LineNode[]
  path: readonly LineRecord[]
  total: number
}

function Line({ question, kind, line, nodes, first, path, total }: LineProps) {
  const { search, go } = useLinesPlace()
  const phone = useMediaQuery('(max-width: 599.98px)', undefined, { getInitialValueInEffect: false })
  const state = useTree(nodes, first, search.open)
  const ofChapters = kind.type === undefined
  const shown = search.show ?? (phone ? 'table' : 'both')
  const growth = search.grow ?? 'across'
  const [opened, setOpened] = useState(search.open)
  if (opened !== search.open) {
    // From elsewhere: the palette, a search, the browser's history.
    setOpened(search.open)
    if (search.open && state.active?.node.record.id !== search.open) state.flyTo(search.open)
  }
  const choose = (recordId: string) => go({ open: recordId }, { replace: search.open !== undefined })
  const name = first[0]?.record.name ?? ''
  const label = ofChapters && question.rootId === undefined ? t`Chapters` : t`Line of ${name}`
  const common = { state, selectedId: search.open, onChoose: choose }
  const after = useAfterPaint()
  return (
    <>
      <div className={classes['treeBar']} role="group" aria-label={t`Tree`}>
        <Finder question={question} onFound={(recordId) => state.flyTo(recordId)} />
        {!ofChapters && <MyLine question={question} rootId={first[0]?.record.id} onHere={(recordId) => state.flyTo(recordId)} />}
        <Button variant="default" onClick={state.openAll}>
          <Trans>Expand all</Trans>
        </Button>
        <Button variant="default" onClick={state.closeAll}>
          <Trans>Collapse all</Trans>
        </Button>
        <SegmentedControl
          aria-label={t`Show`}
          value={shown}
          onChange={(value) => go({ show: value === 'table' ? 'table' : value === 'picture' ? 'picture' : 'both' }, { replace: true })}
          data={[
            ...(phone ? [] : [{ value: 'both', label: t`Both` }]),
            { value: 'table', label: t`Table` },
            { value: 'picture', label: t`Picture` },
          ]}
        />
        {shown !== 'table' && (
          <SegmentedControl
            aria-label={t`Direction`}
            value={growth}
            onChange={(value) => go({ grow: value === 'down' ? 'down' : undefined }, { replace: true })}
            data={[
              { value: 'across', label: t`Across` },
              { value: 'down', label: t`Down` },
            ]}
          />
        )}
      </div>
      <div className={classes['where']}>
        {path.length > 0 && <Above path={path} name={name} />}
        <Progress line={line} total={total} />
      </div>
      <div className={classes['panes']} data-shown={shown}>
        {shown !== 'table' && (
          <div className={classes['picture']}>
            {after && (
              <Suspense fallback={<Loading label={t`Loading the picture`}>{null}</Loading>}>
                <LineGraph {...common} label={t`${label}, picture`} growth={growth} />
              </Suspense>
            )}
          </div>
        )}
        <div className={classes['table']} data-paper-only={shown === 'picture' || undefined}>
          <TreeTable {...common} label={label} ofChapters={ofChapters} onContinue={(recordId) => go({ root: recordId, open: undefined })} />
        </div>
      </div>
    </>
  )
}

/** Who stands above the root, each of whom can become it. */
function Above({ path, name }: { path: readonly LineRecord[]; name: string }) {
  const { go } = useLinesPlace()
  return (
    <nav aria-label={t`Above ${name}`} className={classes['above']}>
      <ol>
        {path.map((record) => (
          <li key={record.id}>
            <button type="button" className={classes['linkButton']} onClick={() => go({ root: record.id, open: undefined })}>
              {record.name}
            </button>
          </li>
        ))}
        <li aria-current="true">{name}</li>
      </ol>
    </nav>
  )
}

/** Somebody of this tree is flown to; somebody of another line brings that line. */
function Finder({ question, onFound }: { question: LineQuestion; onFound: (recordId: string) => boolean }) {
  const { go } = useLinesPlace()
  const find = useLineSearch(question)
  const topOf = useTopOfLine()
  const fly = async (recordId: string) => {
    if (onFound(recordId)) return go({ open: recordId })
    try {
      go({ root: await topOf(question, recordId), open: recordId })
    } catch (failure) {
      toast.error(t`The line could not be found`, failure)
    }
  }
  return (
    <ComboboxPicker
      label={t`Find in the tree`}
      placeholder={t`Name`}
      value={null}
      search={find}
      onChange={(option) => option && void fly(option.value)}
    />
  )
}

type MyLineProps = { question: LineQuestion; rootId: string | undefined; onHere: (recordId: string) => boolean }

function MyLine({ question, rootId, onHere }: MyLineProps) {
  const { go } = useLinesPlace()
  const topOf = useTopOfLine()
  const person = useMe().data?.person
  const [busy, setBusy] = useState(false)
  if (!person) return null
  const isRoot = rootId === person.id
  const show = async () => {
    // Whoever stands in the line that is shown is only flown to, unless it begins with them: then the whole of it is wanted.
    if (!isRoot && onHere(person.id)) return go({ open: person.id })
    setBusy(true)
    try {
      go({ root: await topOf(question, person.id), open: person.id, depth: undefined })
    } catch (failure) {
      toast.error(t`Your line could not be found`, failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="default" loading={busy} leftSection={<IconTarget size={16} stroke={1.5} aria-hidden />} onClick={() => void show()}>
      <Trans>My line</Trans>
    </Button>
  )
}

/** How much of the line is here, while the rest is fetched. */
function Progress({ line, total }: { line: ReturnType<typeof useLineTree>; total: number }) {
  const { number, moment } = useFormats()
  const { loaded, hasNextPage, isFetchNextPageError, waits, more } = line
  const at = line.data?.first.at
  if (!hasNextPage)
    return (
      <p className={classes['count']}>
        <span role="status">{plural(loaded, { one: '# entry', other: '# entries' })}</span>
        {at && ` · ${t`data of ${moment(at)}`}`}
      </p>
    )
  const text = t`${number(loaded)} of ${number(total)} loaded`
  return (
    <div className={classes['progress']} data-no-print>
      <span
        role="progressbar"
        aria-label={t`Loading the tree`}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={loaded}
        aria-valuetext={text}
      >
        <span style={{ inlineSize: `${(loaded / total) * 100}%` }} />
      </span>
      <span className={classes['count']}>{text}</span>
      {waits && (
        <Button variant="subtle" size="compact-sm" onClick={more}>
          {isFetchNextPageError ? <Trans>Try again</Trans> : <Trans>Load more</Trans>}
        </Button>
      )}
    </div>
  )
}
