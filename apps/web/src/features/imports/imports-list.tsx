import { Anchor } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { Section } from '../../ui/page/page.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import type { Tone } from '../../ui/display/status-badge.tsx'
import { useImports } from './imports-api.ts'
import type { ImportSummary } from './imports-api.ts'
import { kindWords, statusWords } from './imports-words.ts'
import { ShowMore } from '../../ui/list/show-more.tsx'
import classes from './imports.module.css'

const tones: Record<ImportSummary['status'], Tone> = {
  uploaded: 'neutral',
  checking: 'info',
  checked: 'info',
  running: 'info',
  done: 'good',
  failed: 'bad',
  cancelled: 'warning',
  undoing: 'info',
  undone: 'neutral',
  partly_undone: 'warning',
}

export const ImportStatusBadge = ({ status }: Pick<ImportSummary, 'status'>) => (
  <StatusBadge tone={tones[status]}>{statusWords()[status]}</StatusBadge>
)

/** Past imports, newest first, each with what it did. */
export function ImportsList({ onOpen }: { onOpen: (importId: string) => void }) {
  const imports = useImports()
  if (imports.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  }
  if (imports.isError)
    return <ProblemState problem={imports.error} title={t`Past imports could not be loaded`} retry={() => void imports.refetch()} />
  const items = imports.data.items
  return (
    <Section title={t`Past imports`} count={items.length}>
      {items.length === 0 && <p className={classes['none']}>{t`No imports yet.`}</p>}
      {items.length > 0 && (
        <div className={classes['scroll']}>
          <table className={classes['table']}>
            <thead>
              <tr>
                <th scope="col">{t`File`}</th>
                <th scope="col">{t`Kind`}</th>
                <th scope="col">{t`State`}</th>
                <th scope="col">{t`Rows`}</th>
                <th scope="col">{t`By`}</th>
                <th scope="col">{t`When`}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <tr key={item.id}>
                  <th scope="row">
                    <Anchor component="button" type="button" onClick={() => onOpen(item.id)}>
                      {item.fileName}
                    </Anchor>
                  </th>
                  <td>{kindWords()[item.kind]}</td>
                  <td>
                    <ImportStatusBadge status={item.status} />
                  </td>
                  <td>
                    <Counts item={item} />
                  </td>
                  <td>{item.createdBy.name}</td>
                  <td>
                    <RelativeTime at={item.createdAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ShowMore query={imports} />
    </Section>
  )
}

function Counts({ item: { counts, rowsTotal } }: { item: ImportSummary }) {
  const { number } = useFormats()
  const { run } = counts
  if (!run) return rowsTotal === null ? null : <>{number(rowsTotal)}</>
  const parts = [
    run.create > 0 && t`${number(run.create)} new`,
    run.update > 0 && t`${number(run.update)} changed`,
    run.unchanged > 0 && t`${number(run.unchanged)} unchanged`,
    run.skip > 0 && t`${number(run.skip)} skipped`,
    run.reject > 0 && t`${number(run.reject)} rejected`,
  ]
  return <>{parts.filter(Boolean).join(', ')}</>
}
