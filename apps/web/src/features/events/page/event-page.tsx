import { msg, t } from '@lingui/core/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { recordId } from '../../../platform/api/no-such-record.ts'
import { inOrder, openTo } from '../../../platform/navigation/sections.tsx'
import { useSlot } from '../../../platform/navigation/slots.tsx'
import type { EventTab } from '../../../platform/navigation/slots.tsx'
import { RecordFrame } from '../../../platform/records/record-frame.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { useEvent } from '../events-api.ts'
import type { Event } from '../events-api.ts'
import { RegisterPanel } from '../register/register-panel.tsx'
import { EventBody } from './event-body.tsx'
import { EventHead } from './event-head.tsx'

export const route = createLazyRoute('/signed-in/event/$eventId')({ component: EventPage })

const Prompt = lazy(async () => ({ default: (await import('../survey/survey-prompt.tsx')).SurveyPrompt }))
const Invitation = lazy(async () => ({ default: (await import('../invitations/invitation-prompt.tsx')).InvitationPrompt }))
const came: ReadonlySet<string> = new Set(['confirmed', 'checked_in'])

function AboutEvent({ event }: { event: Event }) {
  const asksHowItWas = event.mine !== null && came.has(event.mine.status) && Date.parse(event.endsAt) <= Date.now()
  const isInvited =
    event.invitation !== null && event.mine === null && event.status === 'published' && Date.parse(event.startsAt) > Date.now()
  return (
    <EventBody event={event}>
      {isInvited && (
        <Suspense>
          <Invitation event={event} />
        </Suspense>
      )}
      {asksHowItWas && (
        <Suspense>
          <Prompt event={event} />
        </Suspense>
      )}
      <RegisterPanel event={event} />
    </EventBody>
  )
}

/** What belongs to the event itself; other features add theirs. */
const own: readonly EventTab[] = [
  { key: 'about', label: msg`About`, order: 10, content: AboutEvent },
  {
    key: 'attendees',
    label: msg`Attendees`,
    order: 20,
    may: ({ event: { may, status } }) => may.seeRegistrations && status !== 'draft',
    content: lazy(async () => ({ default: (await import('../manage/attendees.tsx')).Attendees })),
    fill: true,
  },
  {
    key: 'seats',
    label: msg`Seats`,
    order: 30,
    may: ({ event: { may, status } }) => may.copy && status !== 'draft',
    content: lazy(async () => ({ default: (await import('../manage/seats.tsx')).Seats })),
  },
  {
    key: 'check-in',
    label: msg`Check-in`,
    order: 40,
    may: ({ event: { may } }) => may.checkIn,
    content: lazy(async () => ({ default: (await import('../door/check-in.tsx')).CheckIn })),
  },
]

function EventPage() {
  const eventId = recordId(route.useParams().eventId)
  const { section } = route.useSearch()
  const tabs = inOrder(own, useSlot('eventTabs'))
  const can = useRights()
  return (
    <RecordFrame
      key={eventId}
      kind="event"
      id={eventId}
      to={`/event/${eventId}`}
      noun={t`Event`}
      failed={t`This event could not be loaded`}
      query={useEvent(eventId)}
      name={({ title }) => title}
      subject={(event) => ({ event })}
      tabs={tabs}
      asked={section}
      link={(key, props) => (
        <Link to="/event/$eventId" params={{ eventId }} search={key ? { section: key } : {}} activeOptions={{ exact: true }} {...props} />
      )}
      header={(event, sections) => (
        <EventHead event={event} isPage={openTo(tabs, { event }, can).findIndex(({ key }) => key === section) < 1}>
          {sections}
        </EventHead>
      )}
    />
  )
}
