import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { Event } from '@guildhall/contract/features/events'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { registrationWords } from '../events-words.tsx'
import { useLedger, useRegistrations } from './manage-api.ts'
import { causeWords, RegistrationState } from './manage-words.tsx'
import classes from './manage.module.css'

/** Why each seat is taken or free, line by line, and who is next. */
export function Seats({ event }: { event: Event }) {
  const ledger = useLedger(event.id)
  const { momentIn, number } = useFormats()
  if (ledger.isPending)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  if (ledger.isError || !ledger.data.first)
    return <ProblemState problem={ledger.error} title={t`The seats could not be loaded`} retry={() => void ledger.refetch()} />
  const { items } = ledger.data
  const { counts, capacity, differences } = ledger.data.first
  const words = registrationWords()
  return (
    <div className={classes['stack']}>
      <div className={classes['figures']}>
        <Stat label={t`Taken`} value={number(counts.taken)} />
        <Stat label={t`Free`} value={capacity === null ? t`No limit` : number(Math.max(0, capacity - counts.taken))} />
        <Stat label={words.confirmed} value={number(counts.confirmed)} />
        <Stat label={words.checked_in} value={number(counts.checkedIn)} />
        <Stat label={words.offered} value={number(counts.offered)} />
        <Stat label={words.pending_payment} value={number(counts.pendingPayment)} />
        <Stat label={words.waitlisted} value={number(counts.waiting)} />
        <Stat label={words.cancelled} value={number(counts.cancelled)} />
      </div>
      <p className={classes['agrees']} data-bad={differences > 0 || undefined}>
        {differences === 0 ? (
          <IconCircleCheck size={18} stroke={1.5} aria-hidden />
        ) : (
          <IconAlertTriangle size={18} stroke={1.5} aria-hidden />
        )}
        {differences === 0 ? (
          <Trans>Reconciled: counts, lines and registrations agree.</Trans>
        ) : (
          <Plural
            value={differences}
            one="# difference between counts, lines and registrations. Tell your administrator."
            other="# differences between counts, lines and registrations. Tell your administrator."
          />
        )}
      </p>
      {counts.waiting + counts.offered > 0 && <Waiting event={event} />}
      <Section title={t`Seat history`}>
        {items.length === 0 && (
          <p className={classes['dim']}>
            <Trans>No seat has been taken yet.</Trans>
          </p>
        )}
        <ol className={classes['lines']}>
          {items.map(({ entry, name, ticketType, cause, by, at, seats, taken }) => (
            <li key={entry} className={classes['line']}>
              <span className={classes['what']}>
                <span>
                  <strong>{name}</strong> · {causeWords()[cause]}
                </span>
                <span className={classes['dim']}>
                  {[momentIn(event.timezone, new Date(at)), ticketType, by].filter(Boolean).join(' · ')}
                </span>
              </span>
              <span className={classes['seats']}>
                {seats !== 0 && <strong>{seats > 0 ? `+${number(seats)}` : `−${number(-seats)}`}</strong>}{' '}
                <span className={classes['dim']}>{t`${number(taken)} taken`}</span>
              </span>
            </li>
          ))}
        </ol>
        <ShowMore query={ledger} />
      </Section>
    </div>
  )
}

const inLine = JSON.stringify({ and: [{ or: [{ field: 'status', op: 'in', value: ['waitlisted', 'offered'] }] }] })

function Waiting({ event }: { event: Event }) {
  const waiting = useRegistrations({ eventId: event.id, filter: inLine, sort: 'waiting', limit: 50 })
  if (!waiting.data) return null
  return (
    <Section title={t`Waiting list`}>
      <ol className={classes['lines']}>
        {waiting.data.items.map((registration) => (
          <li key={registration.id} className={classes['line']}>
            <span className={classes['what']}>
              <strong>{registration.name}</strong>
              {registration.ticketType && <span className={classes['dim']}>{registration.ticketType.name}</span>}
            </span>
            {registration.waiting ? (
              t`${registration.waiting.position} of ${registration.waiting.of}`
            ) : (
              <RegistrationState registration={registration} />
            )}
          </li>
        ))}
      </ol>
      <ShowMore query={waiting} />
    </Section>
  )
}
