import { Button, NativeSelect } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { AppLink } from '../../platform/app-link.tsx'
import { ProblemState } from '../../platform/problem-state.tsx'
import { useFormats } from '../../ui/dates.tsx'
import { Section } from '../../ui/page.tsx'
import { useImportRows } from './imports-api.ts'
import type { ImportKind, ImportRow, RowQuestion } from './imports-api.ts'
import { outcomeWords } from './imports-words.ts'
import classes from './imports.module.css'

type Props = { importId: string; phase: RowQuestion['phase']; kind: ImportKind }

const outcomesOf: Record<RowQuestion['phase'], readonly ImportRow['outcome'][]> = {
  check: ['create', 'update', 'unchanged', 'skip', 'reject'],
  run: ['create', 'update', 'unchanged', 'skip', 'reject'],
  undo: ['removed', 'restored', 'kept'],
}

/** The ledger: one line per row of the file; those with something to say first. */
export function ImportRows({ importId, phase, kind }: Props) {
  const [shown, setShown] = useState<ImportRow['outcome'] | 'findings' | 'all'>('findings')
  const rows = useImportRows({
    importId,
    phase,
    outcome: shown === 'all' || shown === 'findings' ? undefined : shown,
    withFindings: shown === 'findings',
  })
  const { number } = useFormats()
  const words = outcomeWords()
  const items = rows.data?.pages.flatMap((page) => page.items) ?? []
  const total = rows.data?.pages[0]?.total
  return (
    <Section
      title={t`Rows`}
      count={total === undefined || total === null ? undefined : number(total)}
      actions={
        <NativeSelect
          aria-label={t`Show`}
          value={shown}
          data={[
            { value: 'findings', label: t`With something to say` },
            { value: 'all', label: t`All` },
            ...outcomesOf[phase].map((value) => ({ value, label: words[value] })),
          ]}
          onChange={(event) => {
            const { value } = event.currentTarget
            setShown(value === 'all' || value === 'findings' ? value : (outcomesOf[phase].find((outcome) => outcome === value) ?? 'all'))
          }}
        />
      }
    >
      {rows.isError && <ProblemState problem={rows.error} title={t`The rows could not be loaded`} retry={() => void rows.refetch()} />}
      {rows.isSuccess && items.length === 0 && (
        <p className={classes['none']}>{shown === 'findings' ? t`There is nothing to say about any row.` : t`No such rows.`}</p>
      )}
      {items.length > 0 && (
        <div className={classes['scroll']}>
          <table className={classes['table']}>
            <thead>
              <tr>
                <th scope="col">{t`Row`}</th>
                <th scope="col">{t`Outcome`}</th>
                <th scope="col">{t`Why`}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((row) => (
                <tr key={row.line}>
                  <th scope="row">
                    {hrefOf(kind, row) ? <AppLink href={hrefOf(kind, row) ?? ''}>{number(row.line)}</AppLink> : number(row.line)}
                  </th>
                  <td>{words[row.outcome]}</td>
                  <td>
                    <ul className={classes['findings']}>
                      {row.findings.map((finding, index) => (
                        <li key={index}>
                          {finding.column && <strong>{finding.column}: </strong>}
                          {finding.message} <span className={classes['minor']}>{finding.fix}</span>
                        </li>
                      ))}
                    </ul>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows.hasNextPage && (
        <Button variant="subtle" loading={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </Section>
  )
}

/** The page of what a row became, for the kinds that have one. */
function hrefOf(kind: ImportKind, { entityId }: ImportRow): string | null {
  if (!entityId) return null
  if (kind === 'people') return `/person/${entityId}`
  if (kind === 'chapters') return `/chapter/${entityId}`
  return kind === 'groups' ? `/groups/${entityId}` : null
}
