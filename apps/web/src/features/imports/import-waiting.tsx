import { Button, Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { Section } from '../../ui/page/page.tsx'
import { findingText } from './finding-text.ts'
import { ImportChanges } from './import-changes.tsx'
import { useImportActs, useImportRows } from './imports-api.ts'
import type { Import } from './imports-api.ts'
import { ShowMore } from '../../ui/list/show-more.tsx'
import classes from './imports.module.css'

/** Changes of chapters that are there, one by one: each stays out until someone ticks it. */
export function ImportWaiting({ item }: { item: Import }) {
  const { number } = useFormats()
  const { accept } = useImportActs()
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const rows = useImportRows({ importId: item.id, phase: 'check', waiting: true })
  const items = rows.data?.items ?? []
  const chosen = items.map(({ line }) => line).filter((line) => ticked.has(line))
  const give = (lines?: number[]) =>
    void accept
      .mutateAsync({ importId: item.id, ...(lines && { lines }) })
      .then(() => setTicked(new Set()))
      .catch((failure: unknown) => toast.error(t`The changes were not accepted.`, failure))
  const tick = (line: number, on: boolean) => setTicked(new Set(on ? [...ticked, line] : [...ticked].filter((other) => other !== line)))
  return (
    <Section title={t`Changes to existing chapters`} count={number(item.waiting)}>
      <p className={classes['none']}>
        <Trans>
          These rows rename, move or regrade chapters that already exist. Check that each row means the same chapter, then tick it. Rows
          without a tick are left out.
        </Trans>
      </p>
      {rows.isError && <ProblemState problem={rows.error} title={t`The rows could not be loaded`} retry={() => void rows.refetch()} />}
      <ul className={classes['waiting']} aria-label={t`Changes to existing chapters`}>
        {items.map((row) => (
          <li key={row.line}>
            <Checkbox
              checked={ticked.has(row.line)}
              disabled={accept.isPending}
              onChange={(event) => tick(row.line, event.currentTarget.checked)}
              label={t`Accept the changes to ${row.name ?? ''} (row ${number(row.line)})`}
            />
            <ImportChanges changes={row.changes} kind={item.kind} />
            {row.findings.map((finding, index) => (
              <p key={index} className={classes['minor']}>
                {findingText(finding).message}
              </p>
            ))}
          </li>
        ))}
      </ul>
      <div className={classes['row']}>
        <ShowMore query={rows} />
        <Button variant="default" disabled={chosen.length === 0} loading={accept.isPending} onClick={() => give(chosen.slice(0, 1000))}>
          <Trans>
            Accept <Plural value={chosen.length} _0="selected" one="# selected change" other="# selected changes" />
          </Trans>
        </Button>
        {/* Whoever accepts all has seen all. */}
        {!rows.hasNextPage && items.length > 1 && (
          <Button variant="default" loading={accept.isPending} onClick={() => give()}>
            <Trans>Accept all {number(item.waiting)}</Trans>
          </Button>
        )}
      </div>
    </Section>
  )
}
