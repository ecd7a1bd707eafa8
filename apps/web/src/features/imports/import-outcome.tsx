import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { ButtonLink } from '../../platform/navigation/links.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { PlainDate, useFormats } from '../../ui/display/dates.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Stat } from '../../ui/page/figures.tsx'
import { ImportRows } from './import-rows.tsx'
import { ImportWaiting } from './import-waiting.tsx'
import { useErrorFile, useImportActs } from './imports-api.ts'
import type { Import } from './imports-api.ts'
import { outcomeWords } from './imports-words.ts'
import classes from './imports.module.css'

/** What the check found or the run did, row by row where there is something to say, and what can be done now. */
export function ImportOutcome({ item }: { item: Import }) {
  const { number } = useFormats()
  const { check, run, undo } = item.counts
  const ran = run ?? check
  const words = outcomeWords()
  const phase = undo ? 'undo' : run ? 'run' : 'check'
  const figures = undo
    ? ([
        ['removed', undo.removed],
        ['restored', undo.restored],
        ['kept', undo.kept],
      ] as const)
    : ran
      ? ([
          ['create', ran.create],
          ['update', ran.update],
          ['unchanged', ran.unchanged],
          ['skip', ran.skip],
          ['reject', ran.reject],
        ] as const)
      : []
  return (
    <>
      <Section title={<Headline item={item} />} actions={<Acts item={item} />}>
        <div className={classes['counts']}>
          {figures.map(([outcome, value]) => (
            <div key={outcome} data-outcome={words[outcome]}>
              <Stat label={words[outcome]} value={number(value)} tone={outcome === 'reject' && value > 0 ? 'bad' : 'neutral'} />
            </div>
          ))}
        </div>
        {ran && ran.reject > 0 && <Rejected item={item} count={ran.reject} />}
        {item.undoUntil && (
          <p className={classes['none']}>
            {item.status === 'partly_undone' ? (
              <Trans>
                Some rows are still there; the reasons are below. Once those are gone, undo the rest until{' '}
                <PlainDate date={item.undoUntil.slice(0, 10)} />.
              </Trans>
            ) : (
              <Trans>
                Can be undone until <PlainDate date={item.undoUntil.slice(0, 10)} />.
              </Trans>
            )}
          </p>
        )}
      </Section>
      {item.waiting > 0 && <ImportWaiting item={item} />}
      <ImportRows item={item} phase={phase} />
    </>
  )
}

function Headline({ item }: { item: Import }) {
  const { check, run } = item.counts
  if (item.status === 'undone') return <Trans>The import is undone</Trans>
  if (item.status === 'partly_undone') return <Trans>The import is partly undone</Trans>
  if (item.status === 'cancelled')
    return run ? <Trans>The import was stopped; what is in stays</Trans> : <Trans>The check was stopped</Trans>
  if (item.status === 'failed') return <Trans>The import stopped</Trans>
  if (run)
    return run.create + run.update === 0 ? <Trans>Nothing changed: all of this was there already</Trans> : <Trans>The import is done</Trans>
  if (check && check.create + check.update === 0) {
    if (item.waiting > 0) return <Trans>Changes are waiting for your approval</Trans>
    return check.reject > 0 && check.unchanged === 0 ? <Trans>No row can be imported</Trans> : <Trans>This file would change nothing</Trans>
  }
  return <Trans>This is what would happen</Trans>
}

function Acts({ item }: { item: Import }) {
  const { number } = useFormats()
  const acts = useImportActs()
  const [asking, setAsking] = useState(false)
  const ready = item.counts.check ? item.counts.check.create + item.counts.check.update : 0
  const rest = item.status === 'partly_undone'
  const start = (act: 'run' | 'check') =>
    acts[act].mutateAsync(item.id).catch((failure: unknown) => toast.error(t`It could not start.`, failure))
  return (
    <div className={classes['row']}>
      {(item.status === 'checked' || item.status === 'failed' || item.status === 'cancelled') && (
        <>
          <Button
            variant="default"
            onClick={() =>
              void acts.configure
                .mutateAsync({ id: item.id, version: item.version, options: {} })
                .catch((failure: unknown) => toast.error(t`The columns cannot be changed now.`, failure))
            }
          >
            <Trans>Change columns</Trans>
          </Button>
          {item.counts.check && item.status !== 'checked' ? (
            <Button loading={acts.run.isPending} onClick={() => void start('run')}>
              <Trans>Continue</Trans>
            </Button>
          ) : (
            <Button loading={acts.run.isPending} disabled={ready === 0} onClick={() => void start('run')}>
              <Trans>
                Import <Plural value={ready} one="# row" other={`${number(ready)} rows`} />
              </Trans>
            </Button>
          )}
        </>
      )}
      {item.undoUntil && (
        <Button variant="default" onClick={() => setAsking(true)}>
          {rest ? <Trans>Undo the rest</Trans> : <Trans>Undo import</Trans>}
        </Button>
      )}
      {item.status === 'done' && item.kind === 'people' && (
        <ButtonLink
          to="/members"
          search={item.tag ? { filter: { and: [{ or: [{ field: 'tag', op: 'in', value: [item.tag.id] }] }] } } : {}}
        >
          <Trans>See the members</Trans>
        </ButtonLink>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={rest ? t`Undo the rest of this import?` : t`Undo this import?`}
        confirmLabel={rest ? t`Undo the rest` : t`Undo import`}
        danger
        onConfirm={async () => {
          await acts.undo.mutateAsync(item.id)
          setAsking(false)
        }}
      >
        <Trans>What it created is removed and what it changed is restored, except where somebody has changed it since.</Trans>
      </ConfirmDialog>
    </div>
  )
}

function Rejected({ item, count }: { item: Import; count: number }) {
  const download = useErrorFile()
  const { number } = useFormats()
  return (
    <div className={classes['row']}>
      <p className={classes['none']}>
        <Plural
          value={count}
          one="# row cannot be imported. Download it, correct it and import that file."
          other={`${number(count)} rows cannot be imported. Download them, correct them and import that file.`}
        />
      </p>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
        onClick={() => void download(item).catch((failure: unknown) => toast.error(t`The file could not be fetched.`, failure))}
      >
        <Trans>Download rejected rows</Trans>
      </Button>
    </div>
  )
}
