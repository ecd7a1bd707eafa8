import { Button, TextInput } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Chapter } from '@guildhall/contract/features/chapters'
import type { DuesRun } from '@guildhall/contract/features/finance'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { Section } from '../../ui/page/page.tsx'
import { useBulkRun } from '../lists/bulk-public.tsx'
import { useBooksChanged } from './finance-api.ts'
import { countInvoices } from './finance-words.tsx'
import table from '../../ui/display/small-table.module.css'
import classes from './finance.module.css'

/** Charges of dues so far; each can be undone as far as nothing was paid. */
export function DuesRuns({ chapter }: { chapter: Chapter }) {
  const runs = useInfiniteQuery(pagedOptions(useApi().data.finance.runs.list, { chapterId: chapter.id, limit: 20 }))
  const [undone, setUndone] = useState<DuesRun>()
  if (runs.isError)
    return <ProblemState problem={runs.error} title={t`The dues runs could not be loaded`} retry={() => void runs.refetch()} />
  if (!runs.data || runs.data.items.length === 0) return null
  return (
    <Section title={t`Charged so far`}>
      <div className={table['scroll']}>
        <table className={table['table']}>
          <thead>
            <tr>
              <th scope="col">{t`Rate`}</th>
              <th scope="col">{t`Period`}</th>
              <th scope="col">{t`Where`}</th>
              <th scope="col">{t`Status`}</th>
              <th scope="col" className={table['figure']}>{t`Invoices`}</th>
              <th scope="col">{t`Started`}</th>
              <th scope="col">{t`Actions`}</th>
            </tr>
          </thead>
          <tbody>
            {runs.data.items.map((run) => (
              <tr key={run.id}>
                <th scope="row">{run.rate.name}</th>
                <td>{run.period.label || '–'}</td>
                <td>{run.chapter?.name ?? t`Whole organisation`}</td>
                <td>
                  <RunState run={run} />
                </td>
                <td className={table['figure']}>
                  {run.charged}
                  {run.skipped > 0 && <div className={classes['dim']}>{plural(run.skipped, { one: '# skipped', other: '# skipped' })}</div>}
                  {run.voided > 0 && <div className={classes['dim']}>{plural(run.voided, { one: '# voided', other: '# voided' })}</div>}
                </td>
                <td className={classes['dim']}>
                  <RelativeTime at={run.createdAt} /> {run.by && `· ${run.by}`}
                </td>
                <td>
                  {run.may.undo && (
                    <Button variant="subtle" size="compact-sm" onClick={() => setUndone(run)}>
                      <Trans>Undo</Trans>
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ShowMore query={runs} />
      <UndoDialog run={undone} onClose={() => setUndone(undefined)} />
    </Section>
  )
}

function RunState({ run: { state, planned, charged } }: { run: DuesRun }) {
  if (state === 'done') return <StatusBadge tone="good">{t`Done`}</StatusBadge>
  if (state === 'undone') return <StatusBadge>{t`Undone`}</StatusBadge>
  if (state === 'undoing') return <StatusBadge tone="warning">{t`Being undone`}</StatusBadge>
  return <StatusBadge tone="info">{t`${charged} of ${planned}`}</StatusBadge>
}

function UndoDialog({ run, onClose }: { run: DuesRun | undefined; onClose: () => void }) {
  const api = useApi()
  const changed = useBooksChanged()
  const follow = useBulkRun(changed)
  const preview = useQuery({
    ...api.data.finance.runs.undoPreview.queryOptions({ input: { runId: run?.id ?? '' } }),
    enabled: run !== undefined,
    staleTime: 0,
  })
  return (
    <FormDialog
      opened={run !== undefined}
      onClose={onClose}
      title={t`Undo dues run`}
      version={run?.version}
      values={{ reason: '' }}
      rules={{ reason: (reason) => (reason.trim() === '' ? t`Enter a reason.` : null) }}
      submitLabel={<Trans>Void invoices</Trans>}
      onSubmit={async ({ reason }, sent) => {
        const { result } = await api.actions.finance.runs.undo.call({ runId: run?.id ?? '', reason: reason.trim() }, sent)
        await follow(result, (count) => t`${countInvoices(count)} voided`)
        await changed()
      }}
    >
      {(form) => (
        <>
          <p role="status">
            {preview.data ? (
              <>
                {plural(preview.data.voids, { one: '# invoice will be voided.', other: '# invoices will be voided.' })}{' '}
                {preview.data.keeps > 0 &&
                  plural(preview.data.keeps, {
                    one: '# stays, because something was paid or credited.',
                    other: '# stay, because something was paid or credited.',
                  })}
              </>
            ) : (
              <Trans>Counting…</Trans>
            )}
          </p>
          <TextInput label={t`Reason`} maxLength={500} data-autofocus {...form.getInputProps('reason')} />
        </>
      )}
    </FormDialog>
  )
}
