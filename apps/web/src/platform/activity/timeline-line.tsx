import type { TimelineEntry } from '@guildhall/contract/features/timeline'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFormats } from '../../ui/display/dates.tsx'
import { PersonLink } from '../records/record-links.tsx'
import classes from './timeline-line.module.css'

/** One entry of a timeline: what happened, and when and by whom where that is known. */
export function TimelineLine({ entry: { at, actor }, icon: Picture, children }: { entry: TimelineEntry; icon: Icon; children: ReactNode }) {
  const { time, moment } = useFormats()
  return (
    <div className={classes['line']}>
      <Picture size={18} stroke={1.5} aria-hidden className={classes['icon']} />
      <span>{children}</span>
      <span className={classes['minor']}>
        {at && (
          <time dateTime={at} title={moment(at)}>
            {time(at)}
          </time>
        )}
        {at && actor && ', '}
        {actor && <PersonLink person={actor} />}
      </span>
    </div>
  )
}
