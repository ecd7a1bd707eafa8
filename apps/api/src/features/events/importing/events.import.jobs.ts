import {
  byPolicy,
  claimsOf,
  distinct,
  error,
  headerOf,
  isRejected,
  peopleOrNames,
  recordId,
  referredWords,
  refuseSecond,
  rejected,
  requireFields,
  textOf,
  warning,
} from '../../imports/imports.plan.public.ts'
import type { Draft, ImportPlan, Planned, Planner, Planning, Referred } from '../../imports/imports.plan.public.ts'
import { newId } from '../../../platform/records/new-id.ts'
import { eventsNamed, registrationsInUse, registrationsOf, registrationsTable } from './events.import.queries.ts'
import type { FoundEvent, FoundTicket } from './events.import.queries.ts'
import { readTime, seatsOf } from './events.import.rules.ts'

/** The statuses that a row may give. */
const statuses = { registered: 'confirmed', waiting: 'waitlisted', cancelled: 'cancelled', attended: 'checked_in' } as const
type Status = (typeof statuses)[keyof typeof statuses]
const isStated = (word: string): word is keyof typeof statuses => Object.hasOwn(statuses, word)
const takesSeat = (status: Status) => status === 'confirmed' || status === 'checked_in'
const ended = new Set(['cancelled', 'rejected'])

type Row = {
  draft: Draft
  label: string
  event: FoundEvent | undefined
  ticket: FoundTicket | undefined
  person: Referred | undefined
  name: string
  status: Status
  checkedInAt: string | null
}
type Whole = Row & { event: FoundEvent }
const isWhole = (row: Row): row is Whole => row.event !== undefined && !isRejected(row.draft)

/** How somebody is told from others at an event: the record, else the address, else the name. */
const who = ({ draft, person, name }: Row) => person?.id ?? (draft.emails[0] ?? name).toLowerCase()
/** Begins with whom it means; the rest says what seat it takes. */
const ofEvent = (eventId: string) => `registration:${eventId}:`
const prefixOf = (row: Whole) => `${ofEvent(row.event.id)}${who(row)}:`
const keyOf = (row: Whole, taking: boolean) => `${prefixOf(row)}${row.ticket?.id ?? ''}:${taking ? 1 : 0}`
function readKey(key: string) {
  const [, eventId = '', ...rest] = key.split(':')
  return { eventId, prefix: `${key.split(':').slice(0, -2).join(':')}:`, ticketId: rest.at(-2), taking: rest.at(-1) === '1' }
}

/** Who registered for, waited for or came to which event. */
export const planRegistrations: Planner = async (planning, drafts) => {
  const { db, orgId, options, phase } = planning
  const events = await eventsNamed(
    db,
    distinct(drafts.map((draft) => recordId(textOf(draft, 'eventId')) ?? undefined)),
    distinct(drafts.map((draft) => textOf(draft, 'eventTitle')?.toLowerCase())),
  )
  const people = await peopleOrNames(planning, drafts)
  const rows = drafts.map((draft) => readRow(draft, planning, events, people.get(draft)))
  const whole = rows.filter(isWhole)
  const found = Map.groupBy(
    await registrationsOf(
      db,
      orgId,
      whole.map(({ draft, event, person, name }) => ({
        ...{ line: draft.line, eventId: event.id, personId: person?.id ?? null },
        ...{ email: draft.emails[0] ?? '', name },
      })),
    ),
    ({ line }) => line,
  )
  const seats = seatsOf(events)
  // What earlier rows took is counted already in a run. In a check all of them matter where seats are limited.
  const counts = (row: Whole) => phase === 'check' && seats.isLimited(row.event.id)
  const earlier = (await planning.earlierUnder(distinct(whole.map((row) => (counts(row) ? ofEvent(row.event.id) : prefixOf(row)))))).map(
    ({ key, line }) => ({ ...readKey(key), line }),
  )
  const claims = claimsOf(new Map(earlier.map(({ prefix, line }) => [prefix, line])))
  if (phase === 'check') for (const { eventId, ticketId, taking } of earlier) if (taking) seats.take(eventId, ticketId)

  return rows.map((row): Planned => {
    const { draft, label } = row
    if (!isWhole(row)) return { ...rejected(draft), label }
    const { event, ticket, person, status } = row
    const mine = found.get(draft.line) ?? []
    const same =
      mine.find((one) => one.status === status) ??
      mine.find((one) => !ended.has(one.status)) ??
      (ended.has(status) ? mine.find((one) => ended.has(one.status)) : undefined)
    // Who cancelled and came back is there twice, in a file that was exported too.
    if (!same && refuseSecond(draft, claims, prefixOf(row))) return { ...rejected(draft), label }
    const taking = !same && options.onNew === 'create' && takesSeat(status)
    if (same && same.status !== status)
      warning(
        draft,
        'registration_kept',
        'This person is registered for the event already, with another status, which stays.',
        'Change it among the attendees of the event if it is wrong.',
        { column: headerOf(planning.mapped, 'registrationStatus'), value: textOf(draft, 'registrationStatus') },
      )
    if (taking && seats.isFull(event.id, ticket?.id))
      error(
        draft,
        'event_full',
        `There is no seat left at ${event.title}.`,
        'Raise the capacity of the event, or the quota of the ticket, or leave this row out.',
        { params: { event: event.title } },
      )
    const planned = byPolicy(options, draft, keyOf(row, taking), same ? { id: same.id, changes: [] } : null, () => {
      const id = newId()
      if (taking) seats.take(event.id, ticket?.id)
      const after = {
        event_id: event.id,
        person_id: person?.id ?? null,
        ticket_type_id: ticket?.id ?? null,
        status,
        name: row.name.slice(0, 200),
        email: draft.emails[0] ?? '',
        registered_on: textOf(draft, 'registeredOn') ?? null,
        checked_in_at: row.checkedInAt,
      }
      return { id, changes: [{ table: 'registrations', key: { id }, before: null, after }] }
    })
    return { ...planned, label }
  })
}

/** Reads a row, noting all that is wrong with it. */
function readRow(draft: Draft, planning: Planning, events: readonly FoundEvent[], person: Referred | undefined): Row {
  const { mapped, today } = planning
  const event = eventOf(draft, planning, events)
  if ((textOf(draft, 'registeredOn') ?? '') > today)
    error(draft, 'day_in_future', 'This day has not come yet.', 'Correct the date, or choose another date order.', {
      column: headerOf(mapped, 'registeredOn'),
      value: textOf(draft, 'registeredOn'),
      params: { field: 'registeredOn' },
    })
  const given = textOf(draft, 'fullName') ?? [textOf(draft, 'givenName'), textOf(draft, 'familyName')].filter(Boolean).join(' ')
  const name = person?.name ?? given
  return {
    draft,
    label: [name || referredWords(draft), event?.title ?? textOf(draft, 'eventTitle')].filter(Boolean).join(' · '),
    event,
    ticket: event && ticketOf(draft, event, headerOf(mapped, 'ticketType')),
    person,
    name,
    ...statusOf(draft, planning, event),
  }
}

function eventOf(draft: Draft, { mapped }: Planning, events: readonly FoundEvent[]): FoundEvent | undefined {
  const [stated, title, on] = [textOf(draft, 'eventId'), textOf(draft, 'eventTitle'), textOf(draft, 'eventStartsOn')]
  if (stated === undefined && title === undefined) {
    requireFields(draft, mapped, { eventTitle: 'event' })
    return undefined
  }
  const id = recordId(stated)
  const [event, second] = events.filter(
    (one) =>
      (stated === undefined ? one.title.toLowerCase() === title?.toLowerCase() : one.id === id) &&
      (on === undefined || one.startsOn === on),
  )
  const about = { column: headerOf(mapped, stated === undefined ? 'eventTitle' : 'eventId'), value: stated ?? title }
  if (second) {
    error(draft, 'ambiguous_event', 'Several events fit this row.', 'Give the day on which the event starts, or its id.', about)
    return undefined
  }
  if (!event)
    error(
      draft,
      'unknown_event',
      'There is no published event with this title and day.',
      'Create and publish the event first, or correct the title or the day.',
      about,
    )
  else if (!event.manages) error(draft, 'not_allowed', 'This event is not yours to manage.', 'Ask an administrator to import this row.')
  return event
}

/** The status of a row; somebody with a time of check-in was there. */
function statusOf(draft: Draft, { mapped }: Planning, event: FoundEvent | undefined): Pick<Row, 'status' | 'checkedInAt'> {
  const [stated, time] = [textOf(draft, 'registrationStatus'), textOf(draft, 'checkedInAt')]
  const said = stated !== undefined && isStated(stated) ? statuses[stated] : 'confirmed'
  const status = time !== undefined && said === 'confirmed' ? 'checked_in' : said
  const about = { column: headerOf(mapped, stated === undefined ? 'checkedInAt' : 'registrationStatus'), value: stated ?? time }
  if (event && status === 'checked_in' && !event.hasBegun)
    error(draft, 'event_not_begun', 'Nobody can have attended an event that has not begun.', 'Correct the status, or the event.', about)
  if (time === undefined || !event) return { status, checkedInAt: null }
  const clock = { column: headerOf(mapped, 'checkedInAt'), value: time }
  if (status !== 'checked_in')
    error(
      draft,
      'check_in_without_seat',
      'A person without a seat cannot have been checked in.',
      'Correct the status, or remove the time.',
      clock,
    )
  const at = readTime(time, mapped.reading.dateOrder, event)
  if (at === null) error(draft, 'not_a_time', 'This is not a time.', 'Write it as 18:05, or with the day as 2026-05-31 18:05.', clock)
  else if (Date.parse(at) > Date.now())
    error(draft, 'day_in_future', 'This day has not come yet.', 'Correct the date, or choose another date order.', {
      ...clock,
      params: { field: 'checkedInAt' },
    })
  else if (Date.parse(at) < Date.parse(event.doorsFrom))
    error(draft, 'check_in_early', 'This is more than a day before the event.', 'Correct the time of check-in, or the event.', clock)
  return { status, checkedInAt: at }
}

function ticketOf(draft: Draft, { tickets }: FoundEvent, column: string | undefined): FoundTicket | undefined {
  const word = textOf(draft, 'ticketType')
  const [only] = tickets
  if (word === undefined && tickets.length <= 1) return only
  const ticket = tickets.find(({ name }) => name.toLowerCase() === word?.toLowerCase())
  if (ticket) return ticket
  const names = tickets.map(({ name }) => name).join(', ')
  error(
    draft,
    'unknown_ticket',
    names === '' ? 'This event has no tickets.' : `This event has these tickets: ${names}.`,
    'Correct the name of the ticket, or create it for the event.',
    { column, value: word, params: { tickets: names } },
  )
  return undefined
}

export const registrationsImport: ImportPlan = {
  plan: planRegistrations,
  tables: [registrationsTable],
  root: 'registrations',
  shared: {},
  inUse: registrationsInUse,
}
