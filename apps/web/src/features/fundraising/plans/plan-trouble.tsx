import { plural, t } from '@lingui/core/macro'
import type { Plan } from '@guildhall/contract/features/fundraising.plans'
import { useFormats } from '../../../ui/display/dates.tsx'
import classes from '../giving.module.css'

/** Why a recurring gift brings nothing now; nothing where it does. */
export function PlanTrouble({ plan: { status, failures, retryOn, pausedUntil, stoppedAt, stoppedBy, stopReason } }: { plan: Plan }) {
  const { day } = useFormats()
  switch (status) {
    case 'past_due': {
      const tried = plural(failures, { one: 'The card could not be charged.', other: 'The card could not be charged # times.' })
      return <p className={classes['alarm']}>{retryOn ? t`${tried} It is tried again on ${day(retryOn)}.` : tried}</p>
    }
    case 'paused':
      return <p className={classes['warning']}>{pausedUntil ? t`Paused until ${day(pausedUntil)}.` : t`Paused until it is resumed.`}</p>
    case 'cancelled': {
      const on = stoppedAt ? day(stoppedAt.slice(0, 10)) : ''
      const who =
        stoppedBy === 'donor'
          ? t`Stopped by the donor on ${on}.`
          : stoppedBy === 'failures'
            ? t`Stopped on ${on}, because the card could not be charged.`
            : t`Stopped by the office on ${on}.`
      return (
        <p className={classes['warning']}>
          {who} {stopReason}
        </p>
      )
    }
    case 'pending':
    case 'active':
    case 'completed':
      return null
  }
}
