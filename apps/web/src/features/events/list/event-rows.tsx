import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { usePicture } from '../../../platform/records/picture.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { byDay } from '../../../ui/list/by-day.ts'
import { DateBlock, EventState, GoingBar, PlaceLine, usePriceText } from '../event-parts.tsx'
import { useEventTimes } from '../event-times.ts'
import type { EventRow } from '../events-api.ts'
import { AnswerButtons } from '../register/answer-buttons.tsx'
import classes from './event-list.module.css'

/** Events in order of time, month by month. */
export function EventRows({ events, label, stale }: { events: readonly EventRow[]; label: string; stale?: boolean }) {
  const times = useEventTimes()
  const months = byDay(events, ({ startsLocal }) => startsLocal.slice(0, 7))
  return (
    <div className={classes['months']} data-stale={stale || undefined}>
      {months.map(([month, inMonth]) => (
        <section key={`${month} ${inMonth[0]?.id ?? ''}`} className={classes['monthPart']}>
          <h2 className={classes['monthName']}>{times.monthAndYear(`${month}-01T12:00:00`)}</h2>
          <ul className={classes['rows']} aria-label={t`${label}, ${times.monthAndYear(`${month}-01T12:00:00`)}`}>
            {inMonth.map((event) => (
              <Row key={event.id} event={event} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Row({ event }: { event: EventRow }) {
  const times = useEventTimes()
  const price = usePriceText()
  const yours = times.yours(event)
  const host = event.group ?? event.chapter
  return (
    <li className={classes['row']} data-quiet={event.status === 'cancelled' || undefined}>
      <DateBlock startsLocal={event.startsLocal} />
      {event.coverFileId && <Thumbnail pictureId={event.coverFileId} alt={event.coverAlt} />}
      <div className={classes['text']}>
        <div className={classes['titleLine']}>
          <Link to="/event/$eventId" params={{ eventId: event.id }} className={classes['title']}>
            {event.title}
          </Link>
          <EventState event={event} />
          {event.seriesId && <StatusBadge>{t`Series`}</StatusBadge>}
        </div>
        <div className={classes['facts']}>
          <span>
            {times.weekday(event.startsLocal)} {times.clocks(event)}
            {yours && (
              <span className={classes['dim']}>
                {' '}
                {times.place(event.timezone)}, {yours}
              </span>
            )}
          </span>
          <PlaceLine event={event} />
          {host && <span>{host.name}</span>}
        </div>
      </div>
      <div className={classes['end']}>
        {event.status !== 'draft' && <GoingBar event={event} />}
        {event.status === 'published' && (
          <div className={classes['answer']}>
            <AnswerButtons event={event} />
          </div>
        )}
        {event.price && <span className={classes['dim']}>{price(event)}</span>}
      </div>
    </li>
  )
}

/** Its place is kept while it is fetched. */
function Thumbnail({ pictureId, alt }: { pictureId: string; alt: string }) {
  const picture = usePicture(pictureId)
  return <span className={classes['cover']}>{picture && <img src={picture} alt={alt} width={96} height={54} />}</span>
}
