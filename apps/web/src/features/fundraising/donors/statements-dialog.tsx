import { Button } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { StatementRun } from '@guildhall/contract/features/fundraising.donors'
import { useApi } from '../../../platform/api/api.tsx'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Remedy } from '../../../ui/dialog/remedy.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { useBulkRun } from '../../lists/bulk-public.tsx'
import { useFundraisingChanged } from '../fundraising-api.ts'
import classes from '../giving.module.css'
import { isPeriod, PeriodFields } from '../period-fields.tsx'
import type { Period } from '../period-fields.tsx'
import { useRunPreview, useRuns } from './donors-api.ts'

/** Every donor of a period is mailed what they gave, once. */
export const StatementsDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog opened onClose={onClose} title={t`Mail statements`} size="lg">
    <div className={classes['stack']}>
      <NewRun />
      <Runs />
    </div>
  </Dialog>
)

function NewRun() {
  const { mailStatements } = useApi().actions.fundraising.donors
  const changed = useFundraisingChanged()
  const follow = useBulkRun(changed)
  const today = useToday()
  const year = Number(today.slice(0, 4))
  const [period, setPeriod] = useState<Period>({ since: `${year - 1}-01-01`, until: `${year - 1}-12-31` })
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const preview = useRunPreview(period, isPeriod(period))
  const people = preview.data && !preview.isPlaceholderData ? preview.data.people - preview.data.withoutAddress : 0
  const put = (next: Period) => {
    setFailure(undefined)
    setPeriod(next)
  }
  const mail = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const { result } = await mailStatements.call(period)
      await changed()
      void follow(result, (mailed) => plural(mailed, { one: '# statement mailed', other: '# statements mailed' }))
    } catch (problem) {
      setFailure(problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <PeriodFields value={period} onChange={put}>
        <Button variant="subtle" onClick={() => put({ since: `${year}-01-01`, until: today })}>
          <Trans>This year so far</Trans>
        </Button>
      </PeriodFields>
      <p role="status">
        {!isPeriod(period) ? null : preview.isError ? (
          problemText(preview.error)
        ) : preview.data && !preview.isPlaceholderData ? (
          <>
            {preview.data.people === 0
              ? t`Nobody gave in this period.`
              : plural(preview.data.people, { one: '# donor gave in this period.', other: '# donors gave in this period.' })}{' '}
            {preview.data.withoutAddress > 0 &&
              plural(preview.data.withoutAddress, {
                one: '# of them has no address that may be written to.',
                other: '# of them have no address that may be written to.',
              })}
          </>
        ) : (
          <Trans>Counting…</Trans>
        )}
      </p>
      {failure !== undefined && (
        <div role="alert" className={classes['alarm']}>
          {problemText(failure)}
          <Remedy after={failure} onDone={() => void mail()} />
        </div>
      )}
      <div>
        <Button loading={busy} disabled={people === 0} onClick={() => void mail()}>
          {people === 0 ? t`Mail statements` : plural(people, { one: 'Mail # statement', other: 'Mail # statements' })}
        </Button>
      </div>
    </>
  )
}

function Runs() {
  const runs = useRuns()
  if (runs.isError)
    return <ProblemState problem={runs.error} title={t`Earlier statements could not be loaded`} retry={() => void runs.refetch()} />
  const items = runs.data?.items ?? []
  if (items.length === 0) return null
  return (
    <section>
      <h3 className={classes['part']}>
        <Trans>Mailed so far</Trans>
      </h3>
      <ul className={classes['rows']} aria-label={t`Mailed so far`}>
        {items.map((run) => (
          <Run key={run.id} run={run} />
        ))}
      </ul>
      <ShowMore query={runs} />
    </section>
  )
}

function Run({ run: { since, until, state, people, mailed, withoutAddress, by, createdAt } }: { run: StatementRun }) {
  const { day, number } = useFormats()
  const done = mailed + withoutAddress
  return (
    <li className={classes['row']}>
      <span className={classes['what']}>
        <span className={classes['name']}>{t`${day(since)} to ${day(until)}`}</span>
        <span className={classes['dim']}>
          <RelativeTime at={createdAt} /> {by && <>· {by}</>}
        </span>
        {withoutAddress > 0 && (
          <span className={classes['dim']}>{plural(withoutAddress, { one: '# without an address', other: '# without an address' })}</span>
        )}
      </span>
      {state === 'done' ? (
        <StatusBadge tone="good">{plural(mailed, { one: '# mailed', other: '# mailed' })}</StatusBadge>
      ) : (
        <span className={classes['running']}>
          <span
            className={classes['progress']}
            role="progressbar"
            aria-label={t`Statements mailed`}
            aria-valuemin={0}
            aria-valuemax={people}
            aria-valuenow={done}
          >
            <span style={{ inlineSize: `${people === 0 ? 0 : (done / people) * 100}%` }} />
          </span>
          <span className={classes['dim']}>{t`${number(done)} of ${number(people)}`}</span>
        </span>
      )}
    </li>
  )
}
