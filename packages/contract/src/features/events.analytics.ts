import * as z from 'zod'
import { get } from '../base.ts'
import { CalendarDate, Id, Instant } from '../shapes.ts'
import { EventHour, EventKind, EventMode, EventStatus, EventWeekday, RegistrationSource } from './events.ts'

const tag = 'Events'

// What those who run events learn from them. Numbers only: who is behind each of them is told by the list of registrations.

export const EventRevenue = z.object({
  currency: z.string(),
  charged: z.int().describe('Invoiced, less what was credited, in the smallest unit'),
  paid: z.int().describe('Received and not given back'),
  open: z.int().describe('Invoiced and still to be paid'),
  refunded: z.int().describe('Given back'),
})
export type EventRevenue = z.infer<typeof EventRevenue>

const BooksChapter = Id.nullable().describe(
  'The chapter in whose finances you find the invoices behind the revenue; null unless you read them',
)

/** A seat is a registration that is confirmed or checked in. */
const Attendance = {
  seats: z.int().describe('Registrations that are confirmed or checked in'),
  attended: z.int().describe('Checked in'),
}

const DaysBefore = z.object({
  days: z.int().describe('Days before the event began, by its clocks; 180 stands for 180 and more, below 0 is after it began'),
  registered: z.int().describe('Registrations made on that day, also those cancelled later'),
  seats: z.int().describe('Those of them that have a seat'),
})
export const EarlierEvent = z.object({
  id: Id,
  title: z.string(),
  startsLocal: z.string(),
  ...Attendance,
  days: z.array(DaysBefore),
})
export type EarlierEvent = z.infer<typeof EarlierEvent>

export const EventAnalytics = z.object({
  event: z.object({
    id: Id,
    title: z.string(),
    status: EventStatus,
    startsAt: Instant,
    endsAt: Instant,
    timezone: z.string(),
    startsLocal: z.string(),
    capacity: z.int().nullable(),
    seriesId: Id.nullable(),
  }),
  booksChapterId: BooksChapter,
  asOf: Instant,
  over: z.boolean().describe('It has ended'),
  ...Attendance,
  noShows: z.int().nullable().describe('Had a seat and did not come; null until the event is over, and where nobody was checked in'),
  guests: z.int().describe('Seats of people whom somebody brings along'),
  pendingApproval: z.int(),
  pendingPayment: z.int(),
  offered: z.int(),
  waiting: z.int(),
  cancelled: z.int().describe('Given back by people or organisers, and expired'),
  rejected: z.int(),
  firstTime: z.int().describe('People with a seat who had none before at an event that you manage'),
  newMembers: z.int().describe('People who came, and joined the organisation within 30 days'),
  funnel: z.object({
    invited: z.int().nullable().describe('Null where nobody was invited by name'),
    registered: z.int().describe('Registrations ever made'),
    confirmed: z.int().describe('Those that had a seat at some time'),
    attended: z.int(),
  }),
  days: z.array(DaysBefore).describe('The earliest first; days without registrations are left out'),
  earlier: z.array(EarlierEvent).describe('The one asked for, or the three before it in its series'),
  sources: z.array(z.object({ source: RegistrationSource, registered: z.int(), ...Attendance })),
  ticketTypes: z
    .array(
      z.object({
        id: Id.nullable().describe('Null for registrations without a type of ticket'),
        name: z.string(),
        quota: z.int().nullable(),
        registered: z.int(),
        ...Attendance,
        revenue: z.array(EventRevenue),
      }),
    )
    .describe('In the order of the event'),
  revenue: z.array(EventRevenue).describe('A line for each currency; empty where nothing was invoiced'),
  answers: z
    .array(
      z.object({
        questionId: Id,
        text: z.string(),
        kind: z.enum(['choice', 'choices', 'flag']),
        answered: z.int().describe('People with a seat who answered'),
        options: z.array(z.object({ value: z.string().describe('true or false of a yes-or-no question'), count: z.int() })),
      }),
    )
    .describe('Of questions with a choice, among people with a seat'),
  waitingList: z.object({
    joined: z.int(),
    offered: z.int(),
    accepted: z.int(),
    declined: z.int(),
    expired: z.int(),
    left: z.int().describe('Left the list before a seat was offered'),
  }),
  arrivals: z
    .array(z.object({ at: Instant, atLocal: z.string(), count: z.int() }))
    .describe('Checked in within 15 minutes from then; the first 400 quarters of an hour in which somebody came'),
})
export type EventAnalytics = z.infer<typeof EventAnalytics>

export const EventMoney = z.object({
  event: z.object({ id: Id, title: z.string(), startsLocal: z.string(), calledOff: z.boolean() }),
  booksChapterId: BooksChapter,
  capacity: z.int().nullable(),
  ...Attendance,
  revenue: z.array(EventRevenue).describe('A line for each currency; empty where nothing was invoiced'),
  ticketTypes: z
    .array(z.object({ id: Id.nullable(), name: z.string(), revenue: z.array(EventRevenue) }))
    .describe('Types of ticket that something was invoiced for'),
})
export type EventMoney = z.infer<typeof EventMoney>

export const EventGrouping = z.enum(['event', 'chapter', 'group', 'series', 'kind', 'mode', 'month', 'weekday', 'hour'])
export type EventGrouping = z.infer<typeof EventGrouping>

export const EventFigures = z.object({
  events: z.int().describe('Events that took or will take place'),
  calledOff: z.int().describe('Events that were cancelled; they count nowhere else'),
  capacity: z.int().describe('Places at events with a limit'),
  filled: z.int().describe('Seats at events with a limit: the fill rate is filled / capacity'),
  ...Attendance,
  expected: z.int().describe('Seats at events that are over and at which somebody was checked in: the attendance rate is came / expected'),
  came: z.int().describe('Checked in at those events'),
  cancelled: z.int(),
  managed: z.boolean().describe('You manage all of these events; of others, you keep the books'),
  people: z
    .int()
    .nullable()
    .describe(
      'Different people with a seat; null, as the next two, where you do not manage all events that are compared, and, as the next three, where there are more than 200,000 registrations: choose a shorter period or a chapter',
    ),
  repeat: z.int().nullable().describe('Of them, people with a seat at two or more events of all that are compared'),
  firstTime: z.int().nullable().describe('Of them, people whose first seat at an event that you manage is here'),
  revenue: z.array(EventRevenue).nullable(),
})
export type EventFigures = z.infer<typeof EventFigures>

export const EventComparison = z.object({
  total: EventFigures,
  items: z
    .array(
      EventFigures.extend({
        key: z.string().describe('An id, or what the grouping says: 2026-12, meeting, 1 for Monday, 19 for the hour'),
        label: z.string(),
        startsOn: CalendarDate.nullable().describe('Of one event: its first day, by its own clocks'),
      }),
    )
    .describe('The 200 with the most seats; months, weekdays and hours in their order'),
  groups: z.int().describe('How many there are in all'),
  booksChapterId: BooksChapter,
})
export type EventComparison = z.infer<typeof EventComparison>

export const EventComparisonInput = z
  .strictObject({
    from: CalendarDate.describe('The first day, by the clocks of the events'),
    to: CalendarDate.describe('The last day, at most 731 days later'),
    by: EventGrouping,
    chapterId: Id.or(z.literal('none')).optional().describe('With the chapters below it; none: events of the whole organisation'),
    groupId: Id.or(z.literal('none')).optional().describe('none: events of no group'),
    kind: EventKind.optional(),
    mode: EventMode.optional(),
    seriesId: Id.or(z.literal('none')).optional().describe('none: events that are in no series'),
    weekday: EventWeekday.optional(),
    hour: EventHour.optional(),
  })
  .meta({ examples: [{ from: '2026-01-01', to: '2026-12-31', by: 'kind' }] })

const EventMonth = z.object({
  month: z.string(),
  events: z.int().describe('Events that took place'),
  expected: z.int().describe('Seats at those of them at which somebody was checked in'),
  came: z.int().describe('Checked in at them'),
})
export const EventsOverview = z.object({
  upcoming: z.int().describe('Published events that you see and that are not over'),
  attendance: z
    .object({
      months: z.array(EventMonth).describe('The last twelve, the oldest first; the last one is not over'),
      before: z.array(EventMonth).describe('The twelve before them'),
    })
    .nullable()
    .describe('Of events that you manage and that are over; null for those who manage none there'),
})
export type EventsOverview = z.infer<typeof EventsOverview>

export const eventsAnalytics = {
  one: get('/events/{eventId}/analytics', 'getEventAnalytics', {
    needs: 'signed-in',
    tag,
    summary: 'Attendance, registrations, revenue and answers of an event that you manage',
  })
    .input(
      z
        .strictObject({
          eventId: Id,
          compareTo: Id.optional().describe('An event to compare it with; the three before it in its series unless stated'),
        })
        .meta({ examples: [{ eventId: '01920000-0000-7000-8000-000000000001' }] }),
    )
    .output(EventAnalytics),
  revenue: get('/events/{eventId}/revenue', 'getEventRevenue', {
    needs: 'signed-in',
    tag,
    summary: 'Revenue of an event that you manage, or whose chapter’s finances you read',
  })
    .input(z.strictObject({ eventId: Id }).meta({ examples: [{ eventId: '01920000-0000-7000-8000-000000000001' }] }))
    .output(EventMoney),
  compare: get('/events/analytics', 'compareEvents', {
    needs: 'signed-in',
    tag,
    summary: 'Events that you manage, or whose chapter’s finances you read, compared by chapter, kind, month and more',
  })
    .input(EventComparisonInput)
    .output(EventComparison),
  overview: get('/events/overview', 'getEventsOverview', {
    needs: 'signed-in',
    tag,
    summary: 'How many events are to come, and for those who manage events the attendance of twelve months',
  })
    .input(z.strictObject({ chapterId: Id.optional().describe('With the chapters below it'), groupId: Id.optional() }))
    .output(EventsOverview),
}
