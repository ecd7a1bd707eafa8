import type { ReactNode } from 'react'
import { DetailHeader } from '../../../ui/page/detail-header.tsx'
import { EventState } from '../event-parts.tsx'
import { useEventTimes } from '../event-times.ts'
import type { Event } from '../events-api.ts'
import { EventActs } from './event-acts.tsx'
import classes from './event-acts.module.css'

type Props = {
  event: Event
  /** The page of the event has its own title, larger. */
  isPage: boolean
  children: ReactNode
}

export function EventHead({ event, isPage, children }: Props) {
  const times = useEventTimes()
  if (isPage)
    return (
      <div className={classes['head']}>
        {children}
        <EventActs event={event} />
      </div>
    )
  return (
    <DetailHeader
      name={event.title}
      square
      status={<EventState event={event} />}
      facts={[times.day(event.startsLocal), `${times.clocks(event)} ${times.place(event.timezone)}`]}
      actions={<EventActs event={event} />}
    >
      {children}
    </DetailHeader>
  )
}
