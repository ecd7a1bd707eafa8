import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { DateBlock, EventState, PlaceLine } from '../event-parts.tsx'
import { useEventTimes } from '../event-times.ts'
import { useEvents } from '../events-api.ts'
import { AnswerButtons } from './answer-buttons.tsx'
import classes from './register.module.css'

/** What comes up next for the reader: what they are registered for, and events of their chapters and of the whole organisation. */
const filter = JSON.stringify({
  and: [
    { or: [{ field: 'upcoming', op: 'is', value: true }] },
    { or: [{ field: 'status', op: 'is', value: 'published' }] },
    {
      or: [
        { field: 'mine', op: 'is', value: true },
        { field: 'myChapters', op: 'is', value: true },
        { field: 'chapter', op: 'empty' },
      ],
    },
  ],
})

/** The next three events with an answer in one click. */
export function NextEventsCard() {
  const events = useEvents({ filter, sort: 'startsAt', limit: 3 })
  const times = useEventTimes()
  if (events.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  }
  if (events.isError)
    return <ProblemState problem={events.error} title={t`The events could not be loaded`} retry={() => void events.refetch()} />
  const { items } = events.data
  return (
    <div className={classes['next']}>
      {items.length === 0 && <p className={classes['dim']}>{t`No upcoming events. They stand here as soon as they are published.`}</p>}
      {items.length > 0 && (
        <ul className={classes['next']}>
          {items.slice(0, 3).map((event) => (
            <li key={event.id} className={classes['nextEvent']}>
              <DateBlock startsLocal={event.startsLocal} />
              <div className={classes['nextText']}>
                <Link to="/event/$eventId" params={{ eventId: event.id }}>
                  {event.title}
                </Link>
                <span className={classes['dim']}>
                  {times.weekday(event.startsLocal)} {times.clocks(event)} <PlaceLine event={event} />
                </span>
                <span>
                  <EventState event={event} />
                </span>
              </div>
              <AnswerButtons event={event} />
            </li>
          ))}
        </ul>
      )}
      <div className={classes['acts']}>
        <ButtonLink to="/events" variant="default" size="compact-md">
          <Trans>All events</Trans>
        </ButtonLink>
        <ButtonLink to="/events" search={{ view: 'mine' }} variant="subtle" size="compact-md">
          <Trans>My events</Trans>
        </ButtonLink>
      </div>
    </div>
  )
}
