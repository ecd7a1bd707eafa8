import { Button, Group } from '@mantine/core'
import { Plural, Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { BulkPreview, BulkResult } from '@guildhall/contract/bulk'
import type { NewExport } from '@guildhall/contract/features/lists'
import type { Icon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { useShortcuts } from '../../../platform/navigation/shortcuts.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import type { Filter } from '../../../ui/filter/filter.ts'
import { BulkActionBar } from '../../../ui/list/bulk-action-bar.tsx'
import type { Selection } from '../../../ui/list/selection.ts'
import classes from '../lists.module.css'
import { isTooFine, mostTicked, toSelection } from './bulk-selection.ts'
import { useBulkRun } from './use-bulk-run.ts'

/** One thing that can be done with the selected records. */
export type BulkAction<Change> = {
  key: string
  label: string
  icon: Icon
  /** `records` is such as "3 groups". */
  title: (records: string) => string
  verb: (changed: number) => string
  done: (records: string, label: string) => string
  /** What is counted beforehand, where it is not that records would change. */
  would?: (count: number) => string
  /** A key of the page. */
  shortcut?: { keys: string; label: string; group: string }
  /** Why the other rows stay as they are, where it is not that they are up to date already or not the reader's to change. */
  stays?: {
    unchanged?: (count: number) => string
    refused?: (count: number) => string
    /** In words, one of the reasons that the server gives. */
    why?: (reason: string, count: number) => string
  }
  /** What is done without a choice. */
  change?: Change
  note?: string
  /** Asks what exactly is to be done; the label is for the message afterwards. */
  choose?: (tell: (change: Change | undefined, label?: string) => void) => ReactNode
}

type Request<Change> = { selection: NewExport['selection']; change: Change }

/** What a list says of changing many of its records. */
export type BulkOf<Change> = {
  /** Those that the reader may take; without one, rows are not ticked. */
  actions: readonly BulkAction<Change>[]
  count: (records: number) => string
  preview: (request: Request<Change>) => Promise<BulkPreview>
  run: (request: Request<Change>) => Promise<BulkResult>
  /** Afterwards, and after the undo. */
  changed: () => unknown
}

export type BulkBarProps<Change> = BulkOf<Change> & {
  selection: Selection
  question: { q: string; filter: Filter }
  total: number
  totalIsExact: boolean
  /** Further buttons; given what keeps too many ticks from being sent. */
  further?: (guarded: (act: () => void) => void) => ReactNode
}

/** At the bottom while records are selected: what can be done with them, counted beforehand, with Undo afterwards. */
export function BulkBar<Change extends object>(props: BulkBarProps<Change>) {
  const { actions, count, selection, question, total, totalIsExact, further } = props
  const { number } = useFormats()
  const [chosen, setChosen] = useState<BulkAction<Change>>()
  const guarded = (act: () => void) => {
    if (isTooFine(selection)) toast.error(t`Select at most ${number(mostTicked)} rows, or select all that match and narrow the filter.`)
    else act()
  }
  useShortcuts(actions.flatMap((action) => (action.shortcut ? [{ ...action.shortcut, run: () => guarded(() => setChosen(action)) }] : [])))
  const selected = selection.count(total)
  const records = totalIsExact || selection.state.kind === 'some' ? count(selected) : t`${number(selected)}+ records`
  return (
    <BulkActionBar selection={selection} total={total} totalIsExact={totalIsExact}>
      {actions.map((action) => (
        <Button
          key={action.key}
          variant="subtle"
          size="compact-md"
          leftSection={<action.icon size={16} stroke={1.5} aria-hidden />}
          onClick={() => guarded(() => setChosen(action))}
        >
          {action.label}
        </Button>
      ))}
      {further?.(guarded)}
      <Dialog opened={chosen !== undefined} onClose={() => setChosen(undefined)} title={chosen?.title(records)}>
        {chosen && (
          <Body
            key={chosen.key}
            {...props}
            action={chosen}
            target={toSelection(selection, question)}
            onClose={() => setChosen(undefined)}
            onDone={selection.clear}
          />
        )}
      </Dialog>
    </BulkActionBar>
  )
}

type BodyProps<Change> = BulkOf<Change> & {
  action: BulkAction<Change>
  target: NewExport['selection']
  onClose: () => void
  onDone: () => void
}

/** Chooses what to do, shows what it would come to, does it. What cannot be undone says so in its note. */
function Body<Change extends object>({ action, target, count, preview, run, changed, onClose, onDone }: BodyProps<Change>) {
  const follow = useBulkRun(changed)
  const [change, setChange] = useState(action.change)
  const [label, setLabel] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const previewed = useQuery({
    queryKey: ['bulk', action.key, target, change],
    queryFn: () => (change ? preview({ selection: target, change }) : null),
    enabled: change !== undefined,
    staleTime: 0,
    gcTime: 0,
  })
  const counts = change && previewed.data
  const go = async () => {
    if (!change || !counts) return
    setBusy(true)
    setFailure(undefined)
    try {
      await follow(await run({ selection: target, change }), (done) => action.done(count(done), label))
      onDone()
      onClose()
    } catch (problem) {
      setFailure(problemText(problem))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className={classes['stack']}
      onSubmit={(event) => {
        event.preventDefault()
        void go()
      }}
    >
      {action.choose?.((next, name = '') => {
        setChange(next)
        setLabel(name)
      })}
      {action.note && <p>{action.note}</p>}
      <div role="status" className={classes['tight']}>
        {change && previewed.isPending && <Trans>Counting…</Trans>}
        {counts && <Counts {...counts} count={count} stays={action.stays} would={action.would} />}
      </div>
      {(failure ?? (change && previewed.isError)) && <p role="alert">{failure ?? problemText(previewed.error)}</p>}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" loading={busy} disabled={!counts || counts.changed === 0}>
          {counts ? action.verb(counts.changed) : <Trans>Continue</Trans>}
        </Button>
      </Group>
    </form>
  )
}

type CountsProps = BulkPreview & Pick<BulkOf<never>, 'count'> & { stays: BulkAction<never>['stays']; would: BulkAction<never>['would'] }
function Counts({ changed, unchanged, refused, sample, refusedSample, unchangedWhy = [], count, stays, would }: CountsProps) {
  const records = count(changed)
  const { why } = stays ?? {}
  return (
    <>
      <p>
        {would ? would(changed) : changed === 0 ? t`Nothing would change.` : t`${records} would change.`}
        {unchanged > 0 && !why && (
          <> {stays?.unchanged?.(unchanged) ?? <Plural value={unchanged} one="# already up to date." other="# already up to date." />}</>
        )}
      </p>
      <Names of={sample} total={changed} />
      {why &&
        unchangedWhy.map(({ reason, total, first }) => (
          <div key={reason}>
            <p>{why(reason, total)}</p>
            <Names of={first} total={total} />
          </div>
        ))}
      {refused > 0 && (
        <p>
          {stays?.refused?.(refused) ?? (
            <Plural value={refused} one="# is not yours to change and stays." other="# are not yours to change and stay." />
          )}
        </p>
      )}
      <Names of={refusedSample} total={refused} />
    </>
  )
}

function Names({ of, total }: { of: BulkPreview['sample']; total: number }) {
  const { list, number } = useFormats()
  if (of.length === 0) return null
  const names = of.map(({ name }) => name)
  const rest = total - names.length
  return <p className={classes['dim']}>{list(rest > 0 ? [...names, t`${number(rest)} more`] : names)}</p>
}
