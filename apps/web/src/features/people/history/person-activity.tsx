import { SegmentedControl } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormats } from '../../../ui/display/dates.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { byDay } from './by-day.ts'
import { lifeOf } from './life-events.ts'
import type { LifeEvent } from './life-events.ts'
import classes from '../people.module.css'
import type { Person } from '../people-api.ts'
import { ChapterLink } from '../../../platform/records/record-links.tsx'
import { affiliationWords, isAffiliationKind } from '../people-words.tsx'

const kinds = ['all', 'chapters', 'offices', 'groups'] as const

/** One stream of what happened: joined, left, took and left office. */
export function PersonActivity({ person }: { person: Person }) {
  const { day } = useFormats()
  const [kind, setKind] = useState<(typeof kinds)[number]>('all')
  const words = { all: t`All`, chapters: t`Chapters`, offices: t`Offices`, groups: t`Groups` }
  const events = lifeOf(person, new Date().toISOString().slice(0, 10)).filter((event) => kind === 'all' || event.kind === kind)
  return (
    <div className={classes['stack']}>
      <div>
        <SegmentedControl
          aria-label={t`Kind of activity`}
          value={kind}
          onChange={(value) => setKind(kinds.find((known) => known === value) ?? 'all')}
          data={kinds.map((value) => ({ value, label: words[value] }))}
        />
      </div>
      {events.length === 0 && (
        <EmptyState title={t`Nothing happened yet`}>
          <Trans>Joining and leaving chapters and groups, and terms of office, will be listed here.</Trans>
        </EmptyState>
      )}
      <div>
        {byDay(events, ({ on }) => on).map(([date, ofDay]) => (
          <section key={date}>
            <h2 className={classes['day']}>{day(date)}</h2>
            {ofDay.map((event) => (
              <p key={`${event.kind} ${event.id} ${event.what} ${event.name}`} className={classes['entry']}>
                <EventText event={event} />
              </p>
            ))}
          </section>
        ))}
      </div>
    </div>
  )
}

function EventText({ event: { kind, what, name, id, detail } }: { event: LifeEvent }) {
  switch (kind) {
    case 'chapters': {
      const as = isAffiliationKind(detail) ? affiliationWords()[detail] : detail
      return (
        <span>
          {what === 'began' ? <Trans>Joined</Trans> : <Trans>Left</Trans>}{' '}
          <ChapterLink chapter={{ id, name }} className={classes['quiet']} /> <span className={classes['dim']}>{as}</span>
        </span>
      )
    }
    case 'offices':
      return (
        <span>
          {what === 'began' ? <Trans>Took office as {name}</Trans> : <Trans>Left office as {name}</Trans>}{' '}
          <ChapterLink chapter={{ id, name: detail }} className={classes['quiet']} />
        </span>
      )
    case 'groups':
      return (
        <span>
          {what === 'began' ? <Trans>Joined the group</Trans> : <Trans>Left the group</Trans>}{' '}
          <Link to="/groups/$groupId" params={{ groupId: id }}>
            {name}
          </Link>{' '}
          <span className={classes['dim']}>{detail}</span>
        </span>
      )
  }
}
