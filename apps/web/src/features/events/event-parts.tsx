import { plural, t } from '@lingui/core/macro'
import { VisuallyHidden } from '@mantine/core'
import { IconMapPin, IconVideo } from '@tabler/icons-react'
import type { EventRow } from '@guildhall/contract/features/events'
import { useFormats } from '../../ui/display/dates.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { useEventTimes } from './event-times.ts'
import { registrationWords, stateOf } from './events-words.tsx'
import classes from './events.module.css'

/** The day of an event, as a leaf of a calendar. */
export function DateBlock({ startsLocal }: Pick<EventRow, 'startsLocal'>) {
  const times = useEventTimes()
  return (
    <time className={classes['date']} dateTime={startsLocal.slice(0, 10)}>
      <VisuallyHidden>{times.day(startsLocal)}</VisuallyHidden>
      <span aria-hidden className={classes['month']}>
        {times.month(startsLocal)}
      </span>
      <span aria-hidden className={classes['number']}>
        {times.dayNumber(startsLocal)}
      </span>
    </time>
  )
}

export function PlaceLine({ event }: { event: Pick<EventRow, 'mode' | 'venueName'> }) {
  const online = event.mode === 'online'
  const words = online ? t`Online` : [event.venueName, event.mode === 'hybrid' && t`also online`].filter(Boolean).join(', ')
  if (!words) return null
  const Icon = online ? IconVideo : IconMapPin
  return (
    <span className={classes['fact']}>
      <Icon size={14} stroke={1.5} aria-hidden />
      {words}
    </span>
  )
}

type Seats = Pick<EventRow, 'capacity' | 'taken' | 'waiting'>

/** How many come, against how many can. */
export function GoingBar({ event: { capacity, taken, waiting } }: { event: Seats }) {
  const { number } = useFormats()
  if (taken === 0 && capacity === null) return null
  const going = capacity === null ? plural(taken, { one: '# going', other: '# going' }) : t`${number(taken)} of ${number(capacity)} going`
  return (
    <span className={classes['going']}>
      <span>
        {going}
        {waiting > 0 && <span className={classes['dim']}> · {plural(waiting, { one: '# waiting', other: '# waiting' })}</span>}
      </span>
      {capacity !== null && (
        <span className={classes['bar']} aria-hidden>
          <span
            className={classes['filled']}
            data-full={taken >= capacity || undefined}
            style={{ inlineSize: `${Math.min(100, Math.round((taken / capacity) * 100))}%` }}
          />
        </span>
      )}
    </span>
  )
}

export function EventState({ event }: { event: EventRow }) {
  const state = stateOf(event, new Date())
  const { moment } = useFormats()
  const ownWord = ({ status, position, offerUntil }: NonNullable<EventRow['mine']>) => {
    if (status === 'waitlisted' && position !== null) return t`No. ${position} on the waiting list`
    if (status === 'offered' && offerUntil !== null) {
      const until = moment(offerUntil)
      return t`Seat offered until ${until}`
    }
    return registrationWords()[status]
  }
  return (
    <>
      {state && <StatusBadge tone={state.tone}>{state.text}</StatusBadge>}
      {event.mine && <StatusBadge tone="accent">{ownWord(event.mine)}</StatusBadge>}
    </>
  )
}

/** "Free", or the lowest price. */
export function usePriceText() {
  const money = useMoney()
  return ({ price }: Pick<EventRow, 'price'>) => {
    if (price === null) return t`Free`
    const lowest = money(price.amount, price.currency)
    return t`From ${lowest}`
  }
}
