import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { IconRepeat } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { dayOf, useEventTimes } from '../event-times.ts'
import type { Event } from '../events-api.ts'
import { ruleText } from '../series-text.ts'
import classes from './event-body.module.css'

const SeriesDialog = lazy(async () => ({ default: (await import('./series-dialog.tsx')).SeriesDialog }))

/** That the event is one of several, and when the others are. */
export function EventSeries({ event }: { event: Event }) {
  const times = useEventTimes()
  const [changing, setChanging] = useState(false)
  const { series } = event
  if (!series) return null
  const first = series.dates[0]
  const ahead = series.dates.filter(({ id, startsLocal }) => id === event.id || startsLocal >= new Date().toISOString().slice(0, 10))
  return (
    <li className={classes['fact']}>
      <span className={classes['icon']} aria-hidden>
        <IconRepeat size={20} stroke={1.5} />
      </span>
      <div className={classes['factText']}>
        <strong>
          <Trans>Series</Trans>
        </strong>
        <span className={classes['dim']}>
          {first && ruleText(series, dayOf(first.startsLocal), times)}, {t`until ${times.day(`${series.untilOn}T12:00:00`)}`}
        </span>
        <details>
          <summary>
            <Plural value={ahead.length} one="# date" other="# dates" />
          </summary>
          <ul>
            {ahead.map(({ id, startsLocal, status }) => (
              <li key={id}>
                {id === event.id ? (
                  <strong>{times.day(startsLocal)}</strong>
                ) : (
                  <Link to="/event/$eventId" params={{ eventId: id }} className={classes['link']}>
                    {times.day(startsLocal)}
                  </Link>
                )}{' '}
                {status === 'cancelled' && <Trans>Cancelled</Trans>}
                {status === 'draft' && <Trans>Draft</Trans>}
              </li>
            ))}
          </ul>
        </details>
        {event.may.cancel && (
          <div>
            <Button variant="default" size="compact-sm" onClick={() => setChanging(true)}>
              <Trans>Change dates</Trans>
            </Button>
          </div>
        )}
        {changing && (
          <Suspense>
            <SeriesDialog event={event} series={series} onClose={() => setChanging(false)} />
          </Suspense>
        )}
      </div>
    </li>
  )
}
