import { t } from '@lingui/core/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { IconCalendarEvent } from '@tabler/icons-react'
import { useMemo } from 'react'
import { ChapterLink, GroupLink } from '../../../platform/records/record-links.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { RecordTable } from '../../lists/record-list-public.tsx'
import { EventState, PlaceLine, usePriceText } from '../event-parts.tsx'
import { useEventTimes } from '../event-times.ts'
import type { EventRow } from '../events-api.ts'
import { eventKindWords, eventVisibilityWords, stateOf, statusWords } from '../events-words.tsx'
import { useEventBulk } from './event-bulk.tsx'
import { exportColumns, useEventFields } from './event-fields.ts'
import { ExportEvents } from './event-months-list.tsx'
import type { EventListProps } from './event-months-list.tsx'
import classes from './event-list.module.css'

/** Events as a table, for those who run them: columns, and changes of many. */
export function EventTable({ view, events, exporting, onExporting }: EventListProps) {
  const navigate = useNavigate()
  const create = () => void navigate({ to: '/event/create' })
  return (
    <RecordTable
      list="events"
      view={view}
      records={events}
      columns={useColumns()}
      fields={useEventFields()}
      nameColumn="title"
      icon={IconCalendarEvent}
      words={{
        title: t`Events`,
        search: t`Search events`,
        noMatch: t`No event matches`,
        none: t`No events yet`,
        about: t`Meetings, trainings and celebrations stand here as soon as they are published.`,
        failed: t`The events could not be loaded`,
        create: t`New event`,
      }}
      onOpen={({ id }) => void navigate({ to: '/event/$eventId', params: { eventId: id } })}
      onNew={create}
      renderCard={(event) => <EventCard event={event} />}
      exportColumns={exportColumns}
      bulk={useEventBulk()}
      actions={<ExportEvents onClick={() => onExporting(true)} />}
      exporting={exporting}
      onExporting={onExporting}
    />
  )
}

const Title = ({ event }: { event: EventRow }) => (
  <Link to="/event/$eventId" params={{ eventId: event.id }}>
    {event.title}
  </Link>
)

function EventCard({ event }: { event: EventRow }) {
  const times = useEventTimes()
  return (
    <>
      <span className={classes['cardName']}>
        <Title event={event} />
      </span>
      <span className={classes['dim']}>
        {times.day(event.startsLocal)} · {statusWords()[event.status]}
      </span>
    </>
  )
}

function useColumns(): readonly TableColumn<EventRow>[] {
  const times = useEventTimes()
  const price = usePriceText()
  const { number, momentIn } = useFormats()
  return useMemo(
    () => [
      { id: 'title', label: t`Title`, width: 260, sortable: true, cell: (event) => <Title event={event} /> },
      {
        id: 'startsAt',
        label: t`Start`,
        width: 310,
        sortable: true,
        cell: (event) => `${times.day(event.startsLocal)}, ${times.clocks(event)}`,
      },
      {
        id: 'status',
        label: t`Status`,
        width: 130,
        cell: (event) => (stateOf(event, new Date()) ? <EventState event={event} /> : statusWords()[event.status]),
      },
      {
        id: 'host',
        label: t`Held by`,
        width: 170,
        priority: 2,
        cell: ({ group, chapter }) => (group ? <GroupLink group={group} /> : chapter && <ChapterLink chapter={chapter} />),
      },
      { id: 'place', label: t`Place`, width: 180, priority: 3, cell: (event) => <PlaceLine event={event} /> },
      {
        id: 'seats',
        label: t`Seats taken`,
        width: 120,
        align: 'end',
        priority: 2,
        cell: ({ taken, capacity }) => (capacity === null ? number(taken) : t`${number(taken)} of ${number(capacity)}`),
      },
      { id: 'waiting', label: t`Waiting list`, width: 110, align: 'end', priority: 3, cell: ({ waiting }) => number(waiting) },
      { id: 'kind', label: t`Kind`, width: 130, priority: 3, cell: ({ kind }) => eventKindWords()[kind] },
      { id: 'visibility', label: t`Visibility`, width: 190, priority: 3, cell: ({ visibility }) => eventVisibilityWords()[visibility] },
      { id: 'price', label: t`Price`, width: 110, priority: 3, cell: (event) => price(event) },
      {
        id: 'createdAt',
        label: t`Created`,
        width: 170,
        priority: 3,
        sortable: true,
        cell: ({ createdAt, timezone }) => momentIn(timezone, new Date(createdAt)),
      },
    ],
    [times, price, number, momentIn],
  )
}
