import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Registration } from '@guildhall/contract/features/events'
import type { Person } from '@guildhall/contract/features/people'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { DateBlock } from '../event-parts.tsx'
import { registrationWords } from '../events-words.tsx'
import classes from '../list/event-list.module.css'

/** What the reader was registered for, with what became of it. */
export const OwnPastEvents = () => <Registrations past />

/** What somebody is registered for, came to, or missed, as far as the reader runs these events. */
export const PersonEvents = ({ person }: { person: Person }) => (
  <>
    <Registrations key={`${person.id} ahead`} personId={person.id} past={false} />
    <Registrations key={`${person.id} past`} personId={person.id} past />
  </>
)

/** Those of the reader without a person. */
function Registrations({ personId, past }: { personId?: string; past: boolean }) {
  const { mine } = useApi().data.events.registrations
  const query = useInfiniteQuery(pagedOptions(mine, { ...(personId !== undefined && { personId }), limit: 50, ...(past && { past }) }))
  const { items = [] } = query.data ?? {}
  const title = past ? t`Past events` : t`Upcoming events`
  return (
    <Section title={title}>
      {query.isError && !query.data ? (
        <ProblemState problem={query.error} title={t`The events could not be loaded`} retry={() => void query.refetch()} />
      ) : !query.data ? (
        <Loading label={t`Loading`}>
          <SkeletonLines count={3} />
        </Loading>
      ) : items.length === 0 ? (
        <EmptyState title={past ? t`No past events` : t`No upcoming events`} />
      ) : (
        <>
          <ul className={classes['rows']} aria-label={title}>
            {items.map(({ id, event, status, checkedInAt }) => (
              <li key={id} className={classes['row']}>
                <DateBlock startsLocal={event.startsLocal} />
                <div className={classes['text']}>
                  <div className={classes['titleLine']}>
                    <Link to="/event/$eventId" params={{ eventId: event.id }} className={classes['title']}>
                      {event.title}
                    </Link>
                    <StatusBadge>{past ? pastWord(status, event) : registrationWords()[status]}</StatusBadge>
                  </div>
                  {checkedInAt && (
                    <div className={classes['facts']}>
                      <RelativeTime at={checkedInAt} />
                    </div>
                  )}
                </div>
              </li>
            ))}
          </ul>
          <ShowMore query={query} />
        </>
      )}
    </Section>
  )
}

function pastWord(status: Registration['status'], { status: eventStatus, attendanceTaken }: Registration['event']): string {
  if (status === 'checked_in') return t`Attended`
  if (eventStatus === 'cancelled') return t`Event cancelled`
  if (status === 'confirmed') return attendanceTaken ? t`Did not come` : t`Registered`
  return status === 'waitlisted' || status === 'offered' ? t`No seat` : registrationWords()[status]
}
