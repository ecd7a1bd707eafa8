import { Button, Progress } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { toast } from '../../platform/activity/toast.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { Section } from '../../ui/page/page.tsx'
import { useImportActs } from './imports-api.ts'
import type { Import } from './imports-api.ts'
import classes from './imports.module.css'

/** How far the work is. It goes on in the background: the page may be left and opened again. */
export function ImportProgress({ item }: { item: Import }) {
  const { number } = useFormats()
  const { cancel } = useImportActs()
  const [opened] = useState(() => Date.now())
  const done = item.job?.done ?? 0
  const total = item.job?.total ?? item.rowsTotal
  const share = total ? Math.min(100, (done / total) * 100) : 0
  const rate = done / Math.max(1, (Date.now() - (item.job?.startedAt ? Date.parse(item.job.startedAt) : opened)) / 1000)
  const left = total && rate > 0 ? Math.ceil((total - done) / rate) : null
  const titles: Partial<Record<Import['status'], string>> = { checking: t`Checking the file`, running: t`Importing`, undoing: t`Undoing` }
  return (
    <Section title={titles[item.status] ?? t`Working`}>
      <div className={classes['progress']}>
        <Progress.Root size="lg">
          <Progress.Section value={total ? share : 100} animated={!total} aria-label={titles[item.status] ?? t`Working`} />
        </Progress.Root>
        <p className={classes['none']} role="status">
          {total ? (
            <Trans>
              {number(done)} of {number(total)} rows
            </Trans>
          ) : (
            <Trans>Reading the file …</Trans>
          )}
          {left !== null && left > 2 && done > 0 && (
            <> · {left < 90 ? t`about ${number(left)} seconds left` : t`about ${number(Math.round(left / 60))} minutes left`}</>
          )}
        </p>
        <p className={classes['none']}>
          <Trans>You may leave this page; the work goes on.</Trans>
        </p>
        {item.status !== 'undoing' && (
          <div>
            <Button
              variant="default"
              loading={cancel.isPending}
              onClick={() =>
                void cancel.mutateAsync(item.id).catch((failure: unknown) => toast.error(t`It could not be stopped.`, failure))
              }
            >
              <Trans>Stop</Trans>
            </Button>
          </div>
        )}
      </div>
    </Section>
  )
}
