import { usePicture } from '../../../platform/records/picture.tsx'
import { useEventTimes } from '../event-times.ts'
import type { Event } from '../events-api.ts'
import classes from './event-body.module.css'

type Covered = Pick<Event, 'coverFileId' | 'coverAlt' | 'startsLocal'>

/** The picture of an event; its day stands where there is none. */
export function EventCover({ event }: { event: Covered }) {
  const picture = usePicture(event.coverFileId, 'large')
  const times = useEventTimes()
  if (picture) return <img src={picture} alt={event.coverAlt} className={classes['cover']} />
  return (
    <div className={classes['cover']} data-plain aria-hidden>
      <span className={classes['coverMonth']}>{times.month(event.startsLocal)}</span>
      <span className={classes['coverDay']}>{times.dayNumber(event.startsLocal)}</span>
      <span className={classes['coverMonth']}>{times.weekday(event.startsLocal)}</span>
    </div>
  )
}
