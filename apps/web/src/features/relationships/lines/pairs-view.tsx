import { t } from '@lingui/core/macro'
import { IconBinaryTree2 } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { LinePair } from '@guildhall/contract/features/relationships.lines'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { tableRows } from '../../../platform/api/paged.ts'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { SearchField } from '../../../ui/filter/search-field.tsx'
import { DataTable } from '../../../ui/list/data-table.tsx'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { ListBar } from '../../../ui/list/list-bar.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { useLinePairs } from '../lines-api.ts'
import type { LineScope } from '../lines-api.ts'
import type { LineKind } from './line-kinds.ts'
import { RecordLink, RelationshipBadge } from './line-words.tsx'
import classes from './lines.module.css'
import { stepsIn, useLinesPlace } from './use-lines-place.ts'

/** Who stands directly below whom. A row opens the tree at the child. */
export function PairsView({ scope, kind }: { scope: LineScope; kind: LineKind }) {
  const { search, go } = useLinesPlace()
  const pairs = useLinePairs({ ...scope, q: search.q, generation: stepsIn(search.generation) })
  const columns = useColumns(kind)
  const narrowed = Boolean(search.q ?? search.generation ?? search.chapter)
  return (
    <>
      <ListBar end={<Count query={pairs} />}>
        <SearchField label={t`Search pairs`} value={search.q ?? ''} onChange={(q) => go({ q: q || undefined }, { replace: true })} />
      </ListBar>
      <DataTable
        {...tableRows(pairs)}
        label={t`Pairs`}
        columns={columns}
        rowId={({ relationshipId, parent, child }) => relationshipId ?? `${parent.id} ${child.id}`}
        rowLabel={({ parent, child }) => t`${child.name} below ${parent.name}`}
        onOpen={({ parent, child }) => go({ view: undefined, root: parent.id, open: child.id, q: undefined })}
        renderCard={(pair) => <Card pair={pair} ofChapters={kind.type === undefined} />}
        empty={
          pairs.isError ? (
            <ProblemState problem={pairs.error} title={t`The pairs could not be loaded`} retry={() => void pairs.refetch()} />
          ) : (
            <EmptyState
              icon={<IconBinaryTree2 size={32} stroke={1.5} />}
              title={narrowed ? t`No pair matches` : t`No pairs of this kind yet`}
            >
              {narrowed ? t`Change the search or the filters.` : t`Relationships are recorded on the page of a person, or imported.`}
            </EmptyState>
          )
        }
      />
    </>
  )
}

export function Count({ query }: { query: { data?: { total: number | undefined; totalIsExact: boolean } | undefined } }) {
  const { number } = useFormats()
  if (query.data?.total === undefined) return null
  const { total, totalIsExact } = query.data
  return (
    <span className={classes['count']} role="status">
      {totalIsExact ? number(total) : t`more than ${number(total)}`}
    </span>
  )
}

const Card = ({ pair, ofChapters }: { pair: LinePair; ofChapters: boolean }) => (
  <>
    <RecordLink record={pair.child} ofChapters={ofChapters} />
    <div className={classes['dim']}>{t`below ${pair.parent.name}, generation ${pair.generation}`}</div>
  </>
)

function useColumns(kind: LineKind): readonly TableColumn<LinePair>[] {
  const formats = useFormats()
  return useMemo(() => {
    const { number } = formats
    const ofChapters = kind.type === undefined
    const people: TableColumn<LinePair>[] = [
      { id: 'kind', label: t`Kind`, width: 140, priority: 3, cell: () => kind.name },
      { id: 'since', label: t`Since`, width: 120, cell: ({ since }) => since && <PlainDate date={since} /> },
      { id: 'status', label: t`Status`, width: 110, cell: ({ state }) => <RelationshipBadge state={state} /> },
    ]
    const chapters: TableColumn<LinePair>[] = [
      { id: 'parentChapter', label: t`Chapter of the parent`, width: 170, priority: 3, cell: ({ parent }) => parent.chapter?.name },
      { id: 'childChapter', label: t`Chapter of the child`, width: 170, priority: 3, cell: ({ child }) => child.chapter?.name },
      { id: 'verifiedBy', label: t`Verified by`, width: 150, priority: 3, cell: ({ verifiedBy }) => verifiedBy },
    ]
    return [
      { id: 'parent', label: t`Parent`, width: 210, cell: ({ parent }) => <RecordLink record={parent} ofChapters={ofChapters} /> },
      { id: 'child', label: t`Child`, width: 210, cell: ({ child }) => <RecordLink record={child} ofChapters={ofChapters} /> },
      ...(ofChapters ? [] : people),
      { id: 'generation', label: t`Generation`, width: 110, align: 'end', priority: 2, cell: ({ generation }) => number(generation) },
      { id: 'descendants', label: t`Descendants`, width: 120, align: 'end', priority: 2, cell: ({ descendants }) => number(descendants) },
      ...(ofChapters ? [] : chapters),
    ]
  }, [formats, kind])
}
