import { t } from '@lingui/core/macro'
import { IconBinaryTree2 } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { LineRoot } from '@guildhall/contract/features/relationships.lines'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { tableRows } from '../../../platform/api/paged.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { SearchField } from '../../../ui/filter/search-field.tsx'
import { DataTable } from '../../../ui/list/data-table.tsx'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { ListBar } from '../../../ui/list/list-bar.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { useLineRoots } from '../lines-api.ts'
import type { LineScope } from '../lines-api.ts'
import type { LineKind } from './line-kinds.ts'
import { RecordLink } from './line-words.tsx'
import classes from './lines.module.css'
import { Count } from './pairs-view.tsx'
import { useLinesPlace } from './use-lines-place.ts'

/** Where the lines begin, the longest first. A row opens its tree. */
export function RootsView({ scope, kind }: { scope: LineScope; kind: LineKind }) {
  const { search, go } = useLinesPlace()
  const { number } = useFormats()
  const roots = useLineRoots({ ...scope, q: search.q })
  const ofChapters = kind.type === undefined
  // The first has the most unless only some are looked for.
  const rows = roots.data?.items
  const most = useMemo(() => (rows ?? []).reduce((high, { descendants }) => Math.max(high, descendants), 1), [rows])
  const columns = useColumns(ofChapters, most)
  return (
    <>
      <ListBar end={<Count query={roots} />}>
        <SearchField label={t`Search roots`} value={search.q ?? ''} onChange={(q) => go({ q: q || undefined }, { replace: true })} />
      </ListBar>
      <DataTable
        {...tableRows(roots)}
        label={t`Roots`}
        columns={columns}
        rowId={({ record }) => record.id}
        rowLabel={({ record }) => record.name}
        onOpen={({ record }) => go({ view: undefined, root: record.id, open: undefined, q: undefined })}
        renderCard={({ record, descendants }) => (
          <>
            <RecordLink record={record} ofChapters={ofChapters} />
            <div className={classes['dim']}>{t`${number(descendants)} descendants`}</div>
          </>
        )}
        empty={
          roots.isError ? (
            <ProblemState problem={roots.error} title={t`The roots could not be loaded`} retry={() => void roots.refetch()} />
          ) : (
            <EmptyState
              icon={<IconBinaryTree2 size={32} stroke={1.5} />}
              title={search.q || search.chapter ? t`No root matches` : t`No lines of this kind yet`}
            >
              {search.q || search.chapter ? t`Change the search or the filters.` : t`A line begins with its first relationship.`}
            </EmptyState>
          )
        }
      />
    </>
  )
}

function useColumns(ofChapters: boolean, most: number): readonly TableColumn<LineRoot>[] {
  const formats = useFormats()
  return useMemo(() => {
    const { number } = formats
    return [
      { id: 'record', label: t`Root`, width: 220, cell: ({ record }) => <RecordLink record={record} ofChapters={ofChapters} /> },
      {
        id: 'descendants',
        label: t`Descendants`,
        width: 260,
        cell: ({ descendants }) => (
          <span className={classes['measured']}>
            <span className={classes['bar']} style={{ inlineSize: `${(descendants / most) * 100}%` }} aria-hidden />
            <span className={classes['figure']}>{number(descendants)}</span>
          </span>
        ),
      },
      { id: 'children', label: t`Children`, width: 100, align: 'end', priority: 2, cell: ({ children }) => number(children) },
      { id: 'generations', label: t`Generations`, width: 120, align: 'end', cell: ({ generations }) => number(generations) },
      ...(ofChapters
        ? []
        : ([
            { id: 'living', label: t`Active members`, width: 140, align: 'end', priority: 2, cell: ({ living }) => number(living) },
            { id: 'chapter', label: t`Chapter`, width: 180, priority: 3, cell: ({ record }) => record.chapter?.name },
          ] satisfies TableColumn<LineRoot>[])),
    ]
  }, [formats, ofChapters, most])
}
