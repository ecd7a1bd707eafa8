import { Button, NativeSelect } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Plural } from '@lingui/react/macro'
import { useState } from 'react'
import { AppLink } from '../../platform/navigation/app-link.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { Section } from '../../ui/page/page.tsx'
import { SearchField } from '../../ui/filter/search-field.tsx'
import { findingText } from './finding-text.ts'
import { ImportChanges } from './import-changes.tsx'
import { useImportRows } from './imports-api.ts'
import type { Import, ImportKind, ImportRow, RowQuestion } from './imports-api.ts'
import { changeWord, nameWords, outcomeWords } from './imports-words.ts'
import { ShowMore } from '../../ui/list/show-more.tsx'
import classes from './imports.module.css'

const views = ['all', 'findings', 'doubles'] as const
type View = (typeof views)[number]
type Shown = ImportRow['outcome'] | View
const isView = (value: string): value is View => views.some((view) => view === value)

type Props = { item: Import; phase: RowQuestion['phase'] }

const outcomesOf: Record<RowQuestion['phase'], readonly ImportRow['outcome'][]> = {
  check: ['create', 'update', 'unchanged', 'skip', 'reject'],
  run: ['create', 'update', 'unchanged', 'skip', 'reject'],
  undo: ['removed', 'restored', 'kept'],
}

/** The ledger, row by row: whom each means, what it changes, what there is to say; by outcome, kind of change, name or number. */
export function ImportRows({ item, phase }: Props) {
  const { kind } = item
  const changes = item.changes[phase] ?? []
  // Where rows change what is there, that is what one wants to see; else what went wrong; else all there is.
  const messages = useImportRows({ importId: item.id, phase, withFindings: true, q: '' })
  const [chosen, setShown] = useState<Shown>()
  const shown = chosen ?? (changes.length > 0 || messages.data?.items.length === 0 ? 'all' : 'findings')
  const [change, setChange] = useState<string>()
  const [q, setQ] = useState('')
  const narrowed = shown !== 'findings' || change !== undefined || q !== ''
  const rows = useImportRows({
    importId: item.id,
    phase,
    outcome: isView(shown) ? undefined : shown,
    withFindings: shown === 'findings',
    doubles: shown === 'doubles',
    kind: change,
    q: q.trim(),
  })
  const { number } = useFormats()
  const words = outcomeWords()
  const items = rows.data?.items ?? []
  const total = rows.data?.total
  return (
    <Section title={t`Rows`} count={total === undefined ? undefined : number(total)}>
      {changes.length > 0 && (
        <div className={classes['kindsOfChange']} role="group" aria-label={t`Kinds of change`}>
          {changes.map(({ kind: each, rows: count }) => (
            <Button
              key={each}
              size="compact-sm"
              variant={change === each ? 'filled' : 'default'}
              aria-pressed={change === each}
              onClick={() => setChange(change === each ? undefined : each)}
            >
              {changeWord(kind, each)} · {number(count)}
            </Button>
          ))}
        </div>
      )}
      <div className={classes['row']}>
        <div className={classes['search']}>
          <SearchField label={t`Search by name or row number`} value={q} onChange={setQ} />
        </div>
        <NativeSelect
          aria-label={t`Show`}
          value={shown}
          data={[
            { value: 'all', label: t`All rows` },
            { value: 'findings', label: t`With messages` },
            ...(kind === 'people' && phase !== 'undo' ? [{ value: 'doubles', label: t`Same person twice` }] : []),
            ...outcomesOf[phase].map((value) => ({ value, label: words[value] })),
          ]}
          onChange={(event) => {
            const { value } = event.currentTarget
            setShown(isView(value) ? value : (outcomesOf[phase].find((outcome) => outcome === value) ?? 'all'))
          }}
        />
      </div>
      {rows.isError && <ProblemState problem={rows.error} title={t`The rows could not be loaded`} retry={() => void rows.refetch()} />}
      {rows.isSuccess && items.length === 0 && (
        <p className={classes['none']}>{narrowed ? t`No rows match.` : t`No warnings or errors.`}</p>
      )}
      {items.length > 0 && (
        <div className={classes['scroll']}>
          <table className={`${classes['table']} ${classes['ledger']}`}>
            <thead>
              <tr>
                <th scope="col">{t`Row`}</th>
                <th scope="col">{nameWords()[kind]}</th>
                <th scope="col">{t`Outcome`}</th>
                <th scope="col">{t`Changes and messages`}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((row, index) => (
                <tr key={row.line} data-double={(shown === 'doubles' && row.sameAs !== null) || undefined}>
                  <td>{number(row.line)}</td>
                  <th scope="row">
                    {hrefOf(kind, row, phase) ? <AppLink href={hrefOf(kind, row, phase) ?? ''}>{nameOf(row)}</AppLink> : nameOf(row)}
                  </th>
                  <td>{words[row.outcome]}</td>
                  {!repeats(items, index) && (
                    <td rowSpan={alike(items, index)}>
                      {row.changes.length > 0 && <ImportChanges changes={row.changes} kind={kind} />}
                      {row.findings.length > 0 && (
                        <ul className={classes['findings']}>
                          {row.findings.map((finding, at) => (
                            <Finding key={at} finding={finding} />
                          ))}
                          {alike(items, index) > 1 && (
                            <li className={classes['minor']}>
                              <Plural
                                value={alike(items, index) - 1}
                                one="The next row has the same message."
                                other="The next # rows have the same message."
                              />
                            </li>
                          )}
                        </ul>
                      )}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ShowMore query={rows} />
    </Section>
  )
}

function Finding({ finding }: { finding: ImportRow['findings'][number] }) {
  const { message, fix } = findingText(finding)
  return (
    <li>
      {finding.column && <strong>{finding.column}: </strong>}
      {message} <span className={classes['minor']}>{fix}</span>{' '}
      {finding.heldBy && (
        <AppLink href={`/account-management/imports?file=${finding.heldBy.id}`}>{t`Open ${finding.heldBy.fileName}`}</AppLink>
      )}
    </li>
  )
}

/** Whether a row has nothing to show but the messages of the row above it. */
function repeats(items: readonly ImportRow[], index: number): boolean {
  const [row, above] = [items[index], items[index - 1]]
  if (!row || !above || row.findings.length === 0 || row.changes.length > 0 || above.changes.length > 0) return false
  return messagesOf(row) === messagesOf(above)
}

/** How many rows in a row have the same messages, which are then shown once. */
function alike(items: readonly ImportRow[], index: number): number {
  let end = index + 1
  while (end < items.length && repeats(items, end)) end += 1
  return end - index
}

const messagesOf = ({ findings }: ImportRow) =>
  JSON.stringify(findings.map((finding) => [finding.column, findingText(finding), finding.heldBy]))

const nameOf = ({ name }: ImportRow) => name || t`No name`

/** The page of what a row means, for the kinds that have one; what a check would make, or an undo removed, has none. */
function hrefOf(kind: ImportKind, { entityId, outcome }: ImportRow, phase: Props['phase']): string | null {
  if (!entityId || outcome === 'removed' || (phase === 'check' && outcome === 'create')) return null
  if (kind === 'people') return `/person/${entityId}`
  if (kind === 'chapters') return `/chapter/${entityId}`
  if (kind === 'gifts') return `/fundraising/all/donations?open=${entityId}`
  return kind === 'groups' ? `/groups/${entityId}` : null
}
