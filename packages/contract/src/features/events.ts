import * as z from 'zod'
import { act, get, patch, post, put } from '../base.ts'
import { bulkProcedures } from '../bulk.ts'
import { FormattedText, formattedText } from '../formatted-text.ts'
import { refusal } from '../reasons.ts'
import { Repeats } from '../repeats.ts'
import {
  CalendarDate,
  ChapterRef,
  Currency,
  Cursor,
  EmailAddress,
  GroupRef,
  Id,
  Instant,
  Limit,
  ListInput,
  Money,
  PersonRef,
  Version,
  lines,
  page,
  text,
} from '../shapes.ts'
import { isTimezone } from '../zones.ts'
import { RefundFailure } from './payments.ts'

const tag = 'Events'

export const EventStatus = z.enum(['draft', 'published', 'cancelled', 'archived'])
export type EventStatus = z.infer<typeof EventStatus>
export const EventKind = z.enum(['meeting', 'social', 'training', 'conference', 'fundraiser', 'service', 'other'])
export type EventKind = z.infer<typeof EventKind>
export const EventMode = z.enum(['in_person', 'online', 'hybrid'])
export type EventMode = z.infer<typeof EventMode>
export const EventVisibility = z
  .enum(['public', 'unlisted', 'members', 'chapter', 'group', 'invite'])
  .describe(
    'public: everybody, also without signing in; unlisted: everybody with the link; members: all members; chapter: people of its chapter and the chapters below; group: members of its group; invite: people who are invited',
  )
export type EventVisibility = z.infer<typeof EventVisibility>
export const EventStaffRole = z
  .enum(['manager', 'checkin', 'speaker', 'host'])
  .describe('Managers may do everything with the event, check-in staff check people in; speakers and hosts are named on it')
export type EventStaffRole = z.infer<typeof EventStaffRole>
export const RegistrationStatus = z.enum([
  'pending_approval',
  'pending_payment',
  'confirmed',
  'waitlisted',
  'offered',
  'cancelled',
  'rejected',
  'checked_in',
])
export type RegistrationStatus = z.infer<typeof RegistrationStatus>
export const RegistrationSource = z.enum(['self', 'organiser', 'public', 'import'])
export type RegistrationSource = z.infer<typeof RegistrationSource>

// Lists -----------------------------------------------------------------------------------------------------------------------------

/** What events can be filtered by. Drafts, archived and unlisted events come only to those who manage them, archived ones only with `archived`. */
export const EventWeekday = z.enum(['1', '2', '3', '4', '5', '6', '7']).describe('On which an event begins, by its own clocks: 1 is Monday')
const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
export const EventHour = z.enum(hours).describe('In which an event begins, by its own clocks: 00 to 23')

export const eventsFilterFields = {
  title: { kind: 'text' },
  status: { kind: 'choice', options: EventStatus.options },
  kind: { kind: 'choice', options: EventKind.options },
  mode: { kind: 'choice', options: EventMode.options },
  visibility: { kind: 'choice', options: EventVisibility.options },
  chapter: { kind: 'id', of: 'chapter' },
  group: { kind: 'id', of: 'group' },
  series: { kind: 'id', of: 'series' },
  weekday: { kind: 'choice', options: EventWeekday.options },
  hour: { kind: 'choice', options: EventHour.options },
  startsAt: { kind: 'date' },
  upcoming: { kind: 'flag' },
  past: { kind: 'flag' },
  mine: { kind: 'flag' },
  myChapters: { kind: 'flag' },
  drafts: { kind: 'flag' },
  full: { kind: 'flag' },
  archived: { kind: 'flag' },
} as const satisfies Record<
  string,
  { kind: 'choice' | 'id' | 'text' | 'date' | 'number' | 'flag'; options?: readonly string[]; of?: string }
>
export type EventsFilterField = keyof typeof eventsFilterFields
export const EventSort = z.enum(['startsAt', 'title', 'createdAt', 'match'])
export type EventSort = z.infer<typeof EventSort>

export const EventsListInput = ListInput.extend({
  filter: ListInput.shape.filter.describe(
    'JSON of conditions on title, status, kind, mode, visibility, chapter (with those below), group, series, startsAt, weekday (1 is Monday) and hour (00 to 23) of its beginning, upcoming, past, mine (registered or on its staff), myChapters, drafts, full and archived',
  ),
  sort: ListInput.shape.sort.describe('startsAt (default), title, createdAt, match (best answer to q first); "-" in front reverses it'),
}).meta({ examples: [{ filter: '{"and":[{"or":[{"field":"upcoming","op":"is","value":true}]}]}' }] })

export const RegistrationState = z
  .enum(['none', 'not_yet', 'open', 'full', 'closed'])
  .describe(
    'none: not published; not_yet: opens later; full: registering puts on the waiting list where there is one; closed: over, or cancelled',
  )
export type RegistrationState = z.infer<typeof RegistrationState>

export const EventRow = z.object({
  id: Id,
  title: z.string(),
  summary: z.string(),
  status: EventStatus,
  kind: EventKind,
  mode: EventMode,
  visibility: EventVisibility,
  startsAt: Instant,
  endsAt: Instant,
  timezone: z.string().describe('IANA zone of the event'),
  startsLocal: z.string().describe('What clocks there show, as 2026-12-01T19:00:00'),
  endsLocal: z.string(),
  chapter: ChapterRef.nullable().describe('Null for the whole organisation'),
  group: GroupRef.nullable(),
  venueName: z.string(),
  coverFileId: Id.nullable().describe('Its picture, for getPicture'),
  coverAlt: z.string().describe('What the picture shows, for who does not see it'),
  capacity: z.int().nullable().describe('Null where there is no limit'),
  taken: z.int().describe('Seats taken: confirmed, checked in, offered, and held while somebody pays'),
  waiting: z.int().describe('People on the waiting list'),
  registration: RegistrationState,
  price: Money.nullable().describe('The lowest price of its tickets; null where nothing has to be paid'),
  oneClick: z.boolean().describe('Registering asks nothing: free, no tickets to choose from, no questions'),
  seriesId: Id.nullable(),
  mine: z
    .object({
      registrationId: Id,
      status: RegistrationStatus,
      position: z.int().nullable().describe('Place on the waiting list, 1 is next'),
      offerUntil: Instant.nullable().describe('The seat is offered until then'),
    })
    .nullable()
    .describe('The caller’s own registration, while it is not cancelled or rejected'),
  createdAt: Instant,
  version: Version,
})
export type EventRow = z.infer<typeof EventRow>

export const CalendarInput = z
  .strictObject({
    from: CalendarDate,
    to: CalendarDate.describe('The last day, at most 62 days after from'),
    chapterId: Id.optional().describe('Events of this chapter and the chapters below it'),
    groupId: Id.optional(),
    mine: z.boolean().optional().describe('Only those that the caller is registered for or runs'),
    perDay: z.int().min(1).max(200).optional().describe('At most so many events that begin on one day; 8 unless stated'),
  })
  .meta({ examples: [{ from: '2026-12-01', to: '2026-12-31' }] })
export const CalendarEvent = z.object({
  id: Id,
  title: z.string(),
  status: EventStatus,
  mode: EventMode,
  startsAt: Instant,
  endsAt: Instant,
  timezone: z.string(),
  startsLocal: z.string(),
  endsLocal: z.string(),
  chapter: ChapterRef.nullable(),
  mine: RegistrationStatus.nullable(),
})
export type CalendarEvent = z.infer<typeof CalendarEvent>
export const CalendarMonth = z.object({
  items: z.array(CalendarEvent),
  days: z
    .array(z.object({ date: CalendarDate, events: z.int() }))
    .describe('How many begin on each day, by the clocks of the events; days without one are left out'),
})
export type CalendarMonth = z.infer<typeof CalendarMonth>

// Parts of an event -----------------------------------------------------------------------------------------------------------------

const known = Id.optional().describe('Of one that is there already; left out, it is a new one')
const largestAmount = 100_000_000_000

const ProgrammeFacts = {
  title: text(150, 1),
  startsAt: Instant,
  endsAt: Instant.nullable(),
  room: text(100),
  speaker: text(200),
  about: lines(2000),
}
export const ProgrammeItem = z.object({ id: Id, ...z.object(ProgrammeFacts).shape })
export type ProgrammeItem = z.infer<typeof ProgrammeItem>
export const NewProgrammeItem = z.strictObject({
  id: known,
  title: ProgrammeFacts.title,
  startsAt: Instant,
  endsAt: Instant.nullable().default(null),
  room: ProgrammeFacts.room.default(''),
  speaker: ProgrammeFacts.speaker.default(''),
  about: ProgrammeFacts.about.default(''),
})

export const TicketAudience = z
  .enum(['everyone', 'members', 'chapter', 'staff'])
  .describe(
    'members: who holds a membership; chapter: people of the event’s chapter and the chapters below; staff: only those who run the event give them out',
  )
export type TicketAudience = z.infer<typeof TicketAudience>
export const TicketType = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  price: Money,
  memberPrice: z.int().nullable().describe('What people with a membership pay, in the smallest unit; the price where null'),
  myPrice: z.int().describe('What the caller pays'),
  quota: z.int().nullable(),
  taken: z.int(),
  audience: TicketAudience,
  sellsFrom: Instant.nullable(),
  sellsUntil: Instant.nullable(),
  minPerOrder: z.int(),
  maxPerOrder: z.int(),
  onSale: z.boolean().describe('Within its sale window; whether seats are left is said by quota and taken'),
})
export type TicketType = z.infer<typeof TicketType>
export const NewTicketType = z
  .strictObject({
    id: known,
    name: text(100, 1),
    description: text(500).default(''),
    price: z
      .strictObject({ amount: z.int().min(0).max(largestAmount), currency: Currency })
      .optional()
      .describe('Free, in the organisation’s currency, unless stated'),
    memberPrice: z.int().min(0).max(largestAmount).nullable().default(null),
    quota: z.int().min(1).max(1_000_000).nullable().default(null),
    audience: TicketAudience.default('everyone'),
    sellsFrom: Instant.nullable().default(null),
    sellsUntil: Instant.nullable().default(null),
    minPerOrder: z.int().min(1).max(20).default(1),
    maxPerOrder: z.int().min(1).max(50).default(1),
  })
  .describe('Of one that is there already everything is sent again; what is left out gets its default')
export type NewTicketType = z.infer<typeof NewTicketType>

const PromoFacts = {
  code: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z0-9][A-Z0-9-]{1,38}[A-Z0-9]$/, 'Use 3 to 40 letters, digits and hyphens.'),
  ticketTypeId: Id.nullable().describe('Null for tickets of all types'),
  percent: z.int().min(1).max(100).nullable(),
  amount: z.int().min(1).max(largestAmount).nullable().describe('Off each ticket, in the smallest unit of its currency'),
  usesLimit: z.int().min(1).max(1_000_000).nullable(),
  validFrom: Instant.nullable(),
  validUntil: Instant.nullable(),
}
export const PromoCode = z.object({ id: Id, ...z.object(PromoFacts).shape, code: z.string(), used: z.int() })
export type PromoCode = z.infer<typeof PromoCode>
export const NewPromoCode = z
  .strictObject({
    id: known,
    code: PromoFacts.code,
    ticketTypeId: PromoFacts.ticketTypeId.default(null),
    percent: PromoFacts.percent.default(null),
    amount: PromoFacts.amount.default(null),
    usesLimit: PromoFacts.usesLimit.default(null),
    validFrom: Instant.nullable().default(null),
    validUntil: Instant.nullable().default(null),
  })
  .refine(({ percent, amount }) => (percent === null) !== (amount === null), {
    ...refusal('promo_worth', 'Enter a percentage or an amount.'),
    path: ['percent'],
  })

export const QuestionKind = z.enum(['line', 'lines', 'choice', 'choices', 'flag'])
export type QuestionKind = z.infer<typeof QuestionKind>
export const EventQuestion = z.object({
  id: Id,
  text: z.string(),
  kind: QuestionKind,
  required: z.boolean(),
  options: z.array(z.string()),
  ofGuests: z.boolean().describe('Asked for each guest as well'),
})
export type EventQuestion = z.infer<typeof EventQuestion>
const QuestionFacts = {
  id: known,
  text: text(300, 1),
  kind: QuestionKind.default('line'),
  required: z.boolean().default(false),
  options: z.array(text(100, 1)).max(30).default([]),
}
const hasOptions = ({ kind, options }: { kind: QuestionKind; options: readonly string[] }) =>
  (kind === 'choice' || kind === 'choices') === options.length > 0
const optionsNeeded = { ...refusal('question_options', 'Enter the options to choose from.'), path: ['options'] }
export const NewQuestion = z.strictObject({ ...QuestionFacts, ofGuests: z.boolean().default(false) }).refine(hasOptions, optionsNeeded)
export const NewSurveyQuestion = z.strictObject(QuestionFacts).refine(hasOptions, optionsNeeded)

export const EventLink = z.object({ url: z.string(), note: z.string() })
const NewLink = z.strictObject({
  url: z
    .string()
    .trim()
    .max(1000)
    .refine(
      (value) => /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value),
      refusal('not_a_web_address', 'Enter an address that starts with https://.'),
    ),
  note: text(500).default('').describe('Such as how to dial in'),
})
export const NewStaff = z.strictObject({ personId: Id, role: EventStaffRole })

// One event -------------------------------------------------------------------------------------------------------------------------

export const EventCounts = z.object({
  taken: z.int(),
  confirmed: z.int(),
  checkedIn: z.int(),
  pendingPayment: z.int(),
  pendingApproval: z.int(),
  offered: z.int(),
  waiting: z.int(),
  cancelled: z.int(),
})
export type EventCounts = z.infer<typeof EventCounts>

/** What the caller may do with this event; screens offer nothing else. */
export const EventMay = z.object({
  edit: z.boolean(),
  publish: z.boolean().describe('Publish it now; what is missing is said by missing'),
  cancel: z.boolean(),
  archive: z.boolean(),
  restore: z.boolean(),
  copy: z.boolean(),
  checkIn: z.boolean(),
  seeRegistrations: z.boolean(),
  register: z.boolean().describe('Register, or join the waiting list'),
})

export const EventSeries = z.object({
  id: Id,
  rule: z.string().describe('Recurrence rule of RFC 5545, without its end'),
  untilOn: CalendarDate,
  dates: z
    .array(z.object({ id: Id, startsLocal: z.string(), status: EventStatus, exception: z.boolean() }))
    .describe('Its events that you may see, at most 400; those further ahead are made half a year before'),
})
export type EventSeries = z.infer<typeof EventSeries>
export const SeriesScope = z
  .enum(['this', 'following', 'all'])
  .describe('Of an event in a series: this one alone, which then stands apart; with those that follow; or with all that have not begun')
export type SeriesScope = z.infer<typeof SeriesScope>

/** What another rule comes to, for the first event that is still to come and those after it. */
export const SeriesPlan = z.object({
  startsOn: CalendarDate.describe('Day of the first event that follows the new rule; it stays'),
  days: z.array(CalendarDate).describe('All days of the new rule'),
  stay: z.int().describe('Events there already whose day the rule has, too'),
  dropped: z
    .array(z.object({ id: Id, startsLocal: z.string(), registrations: z.int(), exception: z.boolean() }))
    .describe('Events whose day it has not, with how many registrations are live; at most 400'),
})
export type SeriesPlan = z.infer<typeof SeriesPlan>

export const Event = EventRow.extend({
  description: FormattedText,
  templateName: z.string().nullable().describe('A template, under this name'),
  venue: z.object({ name: z.string(), address: z.string(), latitude: z.number().nullable(), longitude: z.number().nullable() }),
  link: EventLink.nullable().describe('Where it takes place online; null while it is not yours to see'),
  hasLink: z.boolean().describe('Has a link, which registered people see'),
  needsApproval: z.boolean(),
  waitingList: z.boolean(),
  offerMinutes: z.int().describe('How long a free seat is offered to the next on the waiting list'),
  guestsPerPerson: z.int(),
  showsAttendees: z.boolean().describe('People who see the event see who comes'),
  registrationOpensAt: Instant.nullable().describe('When it is published unless stated'),
  registrationClosesAt: Instant.nullable().describe('At the start unless stated'),
  cancelUntil: Instant.nullable().describe('People cancel by themselves until then; until the start unless stated'),
  recordsAttendance: z.boolean().describe('Entered afterwards, to record who came'),
  cancelReason: z.string(),
  publishedAt: Instant.nullable(),
  cancelledAt: Instant.nullable(),
  archivedAt: Instant.nullable(),
  seriesException: z.boolean().describe('Was changed apart from its series'),
  repeats: Repeats.nullable().describe('How a draft is going to repeat once it is published'),
  series: EventSeries.nullable().describe('The series it belongs to'),
  programme: z.array(ProgrammeItem),
  ticketTypes: z.array(TicketType).describe('Empty where registering is free and there is one kind of ticket'),
  promoCodes: z.array(PromoCode).nullable().describe('Null where they are not yours to see'),
  questions: z.array(EventQuestion),
  staff: z.array(z.object({ person: PersonRef, role: EventStaffRole })).describe('Of those you see'),
  counts: EventCounts.nullable().describe('Null where registrations are not yours to see'),
  invitation: z
    .object({ answer: z.enum(['accepted', 'declined']).nullable() })
    .nullable()
    .describe('The caller’s own; null for people who are not invited by name'),
  missing: z.array(z.enum(['place', 'link', 'future'])).describe('What publishing still needs'),
  updatedAt: Instant,
  may: EventMay,
})
export type Event = z.infer<typeof Event>

const Facts = {
  title: text(150, 1),
  summary: text(300),
  description: formattedText(),
  kind: EventKind,
  chapterId: Id.nullable().describe('Null for the whole organisation'),
  groupId: Id.nullable().describe('An event of a group belongs to the chapter of the group'),
  startsAt: Instant,
  endsAt: Instant.describe('Two hours after the start unless stated; at most 31 days'),
  timezone: text(60, 1)
    .refine(isTimezone, refusal('not_a_timezone', 'Enter a time zone such as Europe/Paris.'))
    .describe('That of the chapter, else of the organisation, unless stated'),
  mode: EventMode,
  venueName: text(150),
  venueAddress: lines(500),
  venueLatitude: z.number().min(-90).max(90).nullable(),
  venueLongitude: z.number().min(-180).max(180).nullable(),
  capacity: z.int().min(1).max(1_000_000).nullable(),
  visibility: EventVisibility,
  needsApproval: z.boolean(),
  waitingList: z.boolean(),
  offerMinutes: z.int().min(10).max(20_160),
  guestsPerPerson: z.int().min(0).max(20),
  showsAttendees: z.boolean(),
  registrationOpensAt: Instant.nullable(),
  registrationClosesAt: Instant.nullable(),
  cancelUntil: Instant.nullable(),
  coverFileId: Id.nullable().describe('A picture uploaded with setPicture for this event, or that of an event you see'),
  coverAlt: text(300).describe('What the picture shows, for who does not see it'),
  templateName: text(100, 1).nullable(),
  repeats: Repeats.nullable().describe('Makes a series of it: of a draft once it is published, of a published event at once'),
}
const SeriesRule = z
  .strictObject({
    eventId: Id,
    repeats: Repeats,
    scope: SeriesScope.extract(['following', 'all']).describe('This event and those that follow, or all that have not begun'),
  })
  .meta({ examples: [{ repeats: { every: 'week', interval: 2, untilOn: '2027-06-30' }, scope: 'following' }] })

/** Lists that a change replaces as a whole: what is not sent any more is removed, or archived where it was used. */
const Parts = {
  link: NewLink.nullable(),
  programme: z.array(NewProgrammeItem).max(200),
  ticketTypes: z.array(NewTicketType).max(50),
  promoCodes: z.array(NewPromoCode).max(100),
  questions: z.array(NewQuestion).max(30),
  staff: z.array(NewStaff).max(100),
}
export const NewEvent = z
  .strictObject({
    ...z.strictObject(Facts).partial().shape,
    ...z.strictObject(Parts).partial().shape,
    title: Facts.title,
    startsAt: Facts.startsAt,
    recordsAttendance: z.boolean().optional().describe('Needed for a start in the past: the event is entered to record who came'),
  })
  .meta({ examples: [{ title: 'Summer picnic', startsAt: '2027-07-01T16:00:00Z', timezone: 'Europe/Berlin', venueName: 'Tiergarten' }] })
export type NewEvent = z.infer<typeof NewEvent>
export const EventChange = z
  .strictObject({ ...Facts, ...Parts })
  .partial()
  .meta({ examples: [{ capacity: 80 }] })
export type EventChange = z.infer<typeof EventChange>
const OneEvent = z.strictObject({ eventId: Id })

export const EventTemplate = z.object({
  id: Id,
  templateName: z.string(),
  title: z.string(),
  chapter: ChapterRef.nullable(),
  version: Version,
})
export type EventTemplate = z.infer<typeof EventTemplate>

// Registrations -----------------------------------------------------------------------------------------------------------------------

export const RegistrationCause = z.enum([
  'registered',
  'approved',
  'rejected',
  'paid',
  'paid_late',
  'confirmed',
  'hold_expired',
  'waiting',
  'offered',
  'accepted',
  'declined',
  'offer_expired',
  'withdrawn',
  'cancelled',
  'event_cancelled',
  'payment_reversed',
  'transferred',
  'checked_in',
  'check_in_undone',
])
export type RegistrationCause = z.infer<typeof RegistrationCause>

export const Answer = z.strictObject({
  questionId: Id,
  value: z.union([lines(2000), z.boolean(), z.array(text(100)).max(30)]),
})
export type Answer = z.infer<typeof Answer>
const Answers = z.array(Answer).max(50)

export const RefundState = z
  .enum(['due', 'by_hand', 'in_progress', 'refunded', 'failed'])
  .describe('due: begins within a minute; by_hand: paid by hand, so the treasurer gives it back; failed: can be tried again')
export type RefundState = z.infer<typeof RefundState>
export const Registration = z.object({
  id: Id,
  event: z.object({
    id: Id,
    title: z.string(),
    status: EventStatus,
    startsAt: Instant,
    endsAt: Instant,
    timezone: z.string(),
    startsLocal: z.string(),
    attendanceTaken: z.boolean().describe('Somebody was checked in; otherwise nobody can tell who came'),
  }),
  person: PersonRef.nullable().describe('Who comes, where that is a person you see'),
  name: z.string(),
  email: z.string(),
  status: RegistrationStatus,
  cause: RegistrationCause.describe('What last changed its status'),
  reason: z.string(),
  source: RegistrationSource,
  hostId: Id.nullable().describe('The registration of the person who brings this guest'),
  guests: z.array(z.object({ id: Id, name: z.string(), status: RegistrationStatus })),
  ticketType: z.object({ id: Id, name: z.string() }).nullable(),
  price: Money,
  invoice: z.object({ id: Id, state: z.string() }).nullable(),
  refund: z.int().describe('What is to be given back, in the smallest unit'),
  refundState: RefundState.nullable().describe('Null where nothing was ever to be given back'),
  answers: z.array(z.object({ questionId: Id, text: z.string(), value: z.union([z.string(), z.boolean(), z.array(z.string())]) })),
  waiting: z.object({ position: z.int(), of: z.int() }).nullable().describe('Place on the waiting list, 1 is next'),
  holdUntil: Instant.nullable().describe('The seat is held until then while somebody pays'),
  offerUntil: Instant.nullable().describe('The seat is offered until then'),
  checkedInAt: Instant.nullable(),
  checkIn: z
    .object({ id: Id, at: Instant, device: z.string(), by: z.string() })
    .nullable()
    .describe('When, on which device and by whom they were checked in; null where that is not yours to see'),
  ticketCode: z.string().nullable().describe('For the QR code of the ticket; null without a seat, or where the ticket is not yours'),
  createdAt: Instant,
  version: Version,
  may: z.object({
    cancel: z.boolean(),
    transfer: z.boolean(),
    answerOffer: z.boolean(),
    decide: z.boolean().describe('Approve or reject it, or confirm it before it is paid'),
    offer: z.boolean().describe('Offer a free seat to somebody on the waiting list'),
    checkIn: z.boolean(),
    answer: z.boolean().describe('Change the answers to its questions'),
  }),
})
export type Registration = z.infer<typeof Registration>

/** A seat as those see it who keep the books. */
export const RegistrationRefund = Registration.extend({
  refundTotal: z.int().describe('What is to be given back, or was, in the smallest unit'),
  refundFailure: RefundFailure.nullable().describe('Why it failed the last time, where you see the payment'),
  changedAt: Instant.describe('When the refund or something else about the registration last changed'),
  mayRefund: z.boolean().describe('Note that it was given back by hand, or try it again after it failed'),
})
export type RegistrationRefund = z.infer<typeof RegistrationRefund>

const Attendee = { name: text(200, 1), email: z.union([EmailAddress, z.literal('')]).default('') }
export const NewRegistration = z
  .strictObject({
    ticketTypeId: Id.optional().describe('Needed where there are several to choose from'),
    personId: Id.optional().describe('Somebody else, by those who run the event'),
    name: Attendee.name.optional().describe('Somebody who is not among the people of the organisation, by those who run the event'),
    email: EmailAddress.optional(),
    guests: z
      .array(z.strictObject({ ...Attendee, answers: Answers.default([]) }))
      .max(20)
      .default([]),
    answers: Answers.default([]),
    promoCode: text(40).optional(),
  })
  .meta({ examples: [{}] })
export type NewRegistration = z.infer<typeof NewRegistration>

/** What registrations can be filtered by. */
export const registrationsFilterFields = {
  event: { kind: 'id', of: 'event' },
  status: { kind: 'choice', options: RegistrationStatus.options },
  ticketType: { kind: 'id', of: 'ticketType' },
  source: { kind: 'choice', options: ['self', 'organiser', 'public', 'import'] },
  createdAt: { kind: 'date' },
  checkedInAt: { kind: 'date' },
  live: { kind: 'flag' },
  noShow: { kind: 'flag' },
  paid: { kind: 'flag' },
  owing: { kind: 'flag' },
  guest: { kind: 'flag' },
  hadSeat: { kind: 'flag' },
  firstTime: { kind: 'flag' },
  newMember: { kind: 'flag' },
  waitingList: { kind: 'choice', options: ['joined', 'offered', 'accepted', 'declined', 'expired', 'left'] },
  answer: { kind: 'text' },
} as const satisfies Record<
  string,
  { kind: 'choice' | 'id' | 'text' | 'date' | 'number' | 'flag'; options?: readonly string[]; of?: string }
>
export const RegistrationSort = z.enum(['name', 'createdAt', 'checkedInAt', 'waiting'])
export type RegistrationSort = z.infer<typeof RegistrationSort>

export const RegistrationsInput = ListInput.extend({
  eventId: Id,
  q: z.string().max(200).optional().describe('Words of name or e-mail address'),
  own: z.boolean().optional().describe('Only your own, with your guests and what you pay for'),
  filter: ListInput.shape.filter.describe(
    'JSON of conditions on status, ticketType, source, createdAt, checkedInAt, live (neither cancelled nor rejected), noShow (confirmed, but not there when the event was over), paid, owing, guest, hadSeat (at some time), firstTime (no seat before at an event that you manage), newMember (came, and joined within 30 days), waitingList (joined, offered, accepted, declined, expired, left), answer (id of a question, =, and what was chosen)',
  ),
  sort: ListInput.shape.sort.describe(
    'name (default), createdAt, checkedInAt, waiting (place on the waiting list); "-" in front reverses it',
  ),
}).meta({ examples: [{ eventId: '01920000-0000-7000-8000-000000000001' }] })

export const RegistrationBulkChange = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('approve') }),
  z.strictObject({ do: z.literal('reject'), reason: text(500).default('') }),
  z.strictObject({ do: z.literal('cancel'), reason: text(500).default('') }),
  z.strictObject({ do: z.literal('check_in') }),
  z.strictObject({ do: z.literal('undo_check_in') }),
])
export type RegistrationBulkChange = z.infer<typeof RegistrationBulkChange>

export const PriceQuestion = z
  .strictObject({
    eventId: Id,
    ticketTypeId: Id.optional().describe('Free unless stated'),
    personId: Id.optional().describe('Somebody else, by those who run the event'),
    name: Attendee.name.optional().describe('Somebody who is not among the people of the organisation'),
    guests: z.int().min(0).max(20).default(0),
    promoCode: text(40).optional(),
  })
  .meta({ examples: [{ guests: 1 }] })
export const RegistrationPrice = z.object({
  price: z.int().describe('Of the person, in the smallest unit'),
  guestPrice: z.int().describe('Of each guest'),
  total: z.int(),
  currency: Currency,
})
export type RegistrationPrice = z.infer<typeof RegistrationPrice>

export const CapacityLine = z.object({
  entry: z.int(),
  at: Instant,
  registrationId: Id,
  name: z.string(),
  ticketType: z.string().nullable(),
  before: RegistrationStatus.nullable(),
  after: RegistrationStatus,
  cause: RegistrationCause,
  seats: z.int().describe('1 takes a seat, -1 gives one back'),
  taken: z.int().describe('Seats taken after this line'),
  by: z.string().describe('Who did it; empty for what happened by itself'),
})
export type CapacityLine = z.infer<typeof CapacityLine>

export const CheckInResult = z
  .enum(['checked_in', 'already', 'not_confirmed', 'transferred', 'unknown', 'invalid'])
  .describe(
    'already: checked in before, see first; not_confirmed: has no seat; transferred: the ticket went to somebody else; unknown: not of this event; invalid: no ticket of ours',
  )
export type CheckInResult = z.infer<typeof CheckInResult>
export const Scan = z.strictObject({
  code: z.string().min(1).max(100).describe('What the QR code says; of somebody found by name, the ticketCode of their registration'),
  clientId: z.string().min(8).max(100).describe('Made by the device for this scan: sending it again changes nothing'),
  device: text(100).default(''),
  list: text(60).default('').describe('Which list it is checked off on; the door unless stated'),
  at: Instant.optional().describe('When it was scanned, where that was offline'),
})
export type Scan = z.infer<typeof Scan>
export const ScanAnswer = z.object({
  clientId: z.string(),
  result: CheckInResult,
  checkInId: Id.nullable(),
  registration: z.object({ id: Id, name: z.string(), ticketType: z.string().nullable(), status: RegistrationStatus }).nullable(),
  first: z
    .object({ at: Instant, device: z.string(), by: z.string() })
    .nullable()
    .describe('When, on which device and by whom they were checked in'),
})
export type ScanAnswer = z.infer<typeof ScanAnswer>
export const RosterEntry = z.object({
  id: Id,
  name: z.string(),
  ticketType: z.string().nullable(),
  status: RegistrationStatus,
  code: z.string().describe('What the QR code of the ticket says'),
  checkedInAt: Instant.nullable(),
})
export type RosterEntry = z.infer<typeof RosterEntry>
const scanExample = { code: 'AZIAAAAAcACAAAAAAAAAAwABq83vEjRWeJCrze8S', clientId: 'door-1-0001', device: 'Door 1' }
const OneRegistration = z.strictObject({ registrationId: Id })
const done = { status: 200 as const }

// Messages --------------------------------------------------------------------------------------------------------------------------

export const MessageAudience = z
  .enum(['all', 'confirmed', 'waiting', 'checked_in', 'not_checked_in'])
  .describe('all: everybody who is registered, waits or is pending; not_checked_in: everybody with a seat who has not come')
export type MessageAudience = z.infer<typeof MessageAudience>
export const MessageState = z.enum(['waiting', 'sending', 'sent', 'withdrawn'])
export type MessageState = z.infer<typeof MessageState>
export const EventMessage = z.object({
  id: Id,
  kind: z
    .enum(['message', 'changed', 'event_cancelled', 'reminder', 'survey'])
    .describe('message: written by organisers; the others are automatic'),
  audience: MessageAudience,
  ticketType: z.object({ id: Id, name: z.string() }).nullable(),
  subject: z.string().describe('Empty for automatic messages'),
  body: FormattedText,
  state: MessageState,
  sendAt: Instant,
  sentAt: Instant.nullable(),
  by: z.string().describe('Empty where it was sent automatically'),
  recipients: z.int().describe('So many mails were written so far'),
  outcomes: z.object({
    waiting: z.int(),
    sent: z.int(),
    failed: z.int(),
    suppressed: z.int().describe('Went to nobody, such as people who unsubscribed'),
    unknown: z.int().describe('May have arrived'),
  }),
})
export type EventMessage = z.infer<typeof EventMessage>
const Audience = { audience: MessageAudience.default('all'), ticketTypeId: Id.optional().describe('Only those with this ticket') }
export const NewEventMessage = z
  .strictObject({
    ...Audience,
    subject: text(150, 1),
    body: formattedText(20_000, 1),
    sendAt: Instant.optional().describe('At once unless stated; at most a year ahead'),
  })
  .meta({
    examples: [
      {
        subject: 'Bring a warm coat',
        body: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'It will be cold.' }] }] },
      },
    ],
  })
export type NewEventMessage = z.input<typeof NewEventMessage>

export const EventMailKind = z.enum([
  'invitation',
  'requested',
  'confirmed',
  'payment',
  'waiting',
  'offered',
  'offer_expired',
  'hold_expired',
  'rejected',
  'cancelled',
  'received',
  'handed_over',
  'changed',
  'event_cancelled',
  'reminder',
  'survey',
])
export type EventMailKind = z.infer<typeof EventMailKind>
export const EventMailSetting = z.object({
  kind: EventMailKind,
  essential: z.boolean().describe('Cannot be switched off'),
  enabled: z.boolean(),
  extra: z.string().describe('A paragraph that is added to this mail'),
  hours: z.int().nullable().describe('Of the reminder: how long before the start it leaves; of the survey: how long after the end'),
})
export type EventMailSetting = z.infer<typeof EventMailSetting>

export const eventsData = {
  list: get('/events', 'listEvents', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Events that you may see, a page at a time',
  })
    .input(EventsListInput)
    .output(page(EventRow)),
  calendar: get('/events/calendar', 'getEventCalendar', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Events of some days or weeks, for a calendar',
  })
    .input(CalendarInput)
    .output(CalendarMonth),
  templates: get('/event-templates', 'listEventTemplates', {
    needs: 'signed-in',
    tag,
    summary: 'Templates that you may create events from',
  })
    .input(z.strictObject({}))
    .output(z.object({ items: z.array(EventTemplate).describe('At most 200') })),
  create: post('/events', 'createEvent', {
    needs: 'events.manage',
    tag,
    summary: 'Draft an event; a title and a start are enough',
  })
    .input(NewEvent)
    .output(Event),
  get: get('/events/{eventId}', 'getEvent', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'An event with its programme and tickets, and what you may do with it',
  })
    .input(OneEvent)
    .output(Event),
  calendarFile: get('/events/{eventId}/ics', 'downloadEventCalendarFile', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'An event as a calendar file (iCalendar)',
  })
    .input(OneEvent)
    .output(z.file()),
  update: patch('/events/{eventId}', 'updateEvent', {
    needs: 'signed-in',
    tag,
    summary:
      'Change an event you manage; what is left out stays. Programme, tickets, promo codes, questions and staff are replaced as lists',
  })
    .input(EventChange.extend({ ...OneEvent.shape, scope: SeriesScope.optional() }))
    .output(Event),
  publish: act('/events/{eventId}/publish', 'publishEvent', {
    needs: 'signed-in',
    tag,
    summary: 'Publish a draft, once it has a place, or a link where it is online',
  })
    .input(OneEvent)
    .output(Event),
  cancel: act('/events/{eventId}/cancel', 'cancelEvent', {
    needs: 'signed-in',
    tag,
    summary: 'Cancel a published event; everybody registered is told the reason',
  })
    .input(
      OneEvent.extend({ reason: text(500, 1), scope: SeriesScope.extract(['this', 'following']).optional() }).meta({
        examples: [{ reason: 'The hall is flooded' }],
      }),
    )
    .output(Event),
  previewSeries: post('/events/{eventId}/series/preview', 'previewEventSeries', {
    ...done,
    needs: 'signed-in',
    tag,
    summary: 'What another rule would change in the series of an event; changes nothing',
  })
    .input(SeriesRule)
    .output(SeriesPlan),
  changeSeries: act('/events/{eventId}/series', 'changeEventSeries', {
    needs: 'signed-in',
    tag,
    summary: 'Give those events of a series that are to come another rule; dates that it drops are cancelled, or stay as single events',
  })
    .input(
      SeriesRule.extend({
        dropped: z
          .enum(['keep', 'cancel'])
          .optional()
          .describe(
            'Dropped dates with registrations, or changed by themselves: stay as single events, or are cancelled. Required where there are any',
          ),
        reason: text(500, 1).describe('Why dropped dates are cancelled; everybody registered is told'),
      }).meta({
        examples: [{ repeats: { every: 'week', interval: 2, untilOn: '2027-06-30' }, scope: 'following', reason: 'The hall is taken' }],
      }),
    )
    .output(Event),
  archive: act('/events/{eventId}/archive', 'archiveEvent', {
    needs: 'signed-in',
    tag,
    summary: 'Archive an event; it keeps its history',
  })
    .input(OneEvent)
    .output(Event),
  restore: act('/events/{eventId}/restore', 'restoreEvent', {
    needs: 'signed-in',
    tag,
    summary: 'Restore an archived event as it was',
  })
    .input(OneEvent)
    .output(Event),
  copy: post('/events/{eventId}/copy', 'copyEvent', {
    needs: 'events.manage',
    tag,
    summary: 'Draft a copy with everything but the registrations; times move with the new start',
  })
    .input(
      OneEvent.extend({
        title: Facts.title.optional(),
        startsAt: Instant.optional().describe('A week after today at the same time of day unless stated'),
        templateName: text(100, 1).optional().describe('Keep the copy as a template under this name'),
        series: z.boolean().optional().describe('Of an event in a series: the copy repeats by the same rule, for as long'),
      }).meta({ examples: [{ title: 'Summer picnic 2028' }] }),
    )
    .output(Event),

  registrations: {
    create: post('/events/{eventId}/registrations', 'registerForEvent', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'Register for an event: confirmed, held for 15 minutes until it is paid, for approval, or on the waiting list',
    })
      .input(NewRegistration.extend(OneEvent.shape))
      .output(Registration),
    price: post('/events/{eventId}/registrations/price', 'priceRegistration', {
      ...done,
      needs: 'signed-in',
      whileActing: true,
      tag,
      idempotent: false,
      perHour: 300,
      summary: 'What registering would cost, with guests and a promo code; nothing is registered',
    })
      .input(PriceQuestion)
      .output(RegistrationPrice),
    list: get('/events/{eventId}/registrations', 'listRegistrations', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'Registrations of an event, for those who run it; others see their own',
      readsPeople: 50,
    })
      .input(RegistrationsInput)
      .output(page(Registration)),
    mine: get('/registrations', 'listMyRegistrations', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'Your own registrations, of events to come first the next; of past ones first the latest',
    })
      .input(
        z.strictObject({
          personId: Id.optional().describe('Those of somebody else, of events that you run'),
          past: z.boolean().optional(),
          cursor: Cursor.optional(),
          limit: Limit.optional(),
        }),
      )
      .output(page(Registration)),
    get: get('/registrations/{registrationId}', 'getRegistration', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'A registration with its ticket',
    })
      .input(OneRegistration)
      .output(Registration),
    cancel: post('/registrations/{registrationId}/cancel', 'cancelRegistration', {
      ...done,
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'Give a seat back, or leave the waiting list; the seat is offered to the next',
    })
      .input(OneRegistration.extend({ reason: text(500).default('') }).meta({ examples: [{ reason: 'Ill' }] }))
      .output(Registration),
    approve: post('/registrations/{registrationId}/approve', 'approveRegistration', {
      ...done,
      needs: 'signed-in',
      tag,
      summary: 'Approve a registration; one that is not paid yet is confirmed without it',
    })
      .input(OneRegistration)
      .output(Registration),
    reject: post('/registrations/{registrationId}/reject', 'rejectRegistration', {
      ...done,
      needs: 'signed-in',
      tag,
      summary: 'Reject a registration that waits for approval',
    })
      .input(OneRegistration.extend({ reason: text(500).default('') }).meta({ examples: [{ reason: 'For members of the choir' }] }))
      .output(Registration),
    offer: post('/registrations/{registrationId}/offer', 'offerSeat', {
      ...done,
      needs: 'signed-in',
      tag,
      summary: 'Offer a free seat to somebody on the waiting list, also once registration has closed',
    })
      .input(OneRegistration)
      .output(Registration),
    accept: post('/registrations/{registrationId}/accept', 'acceptOffer', {
      ...done,
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'Take a seat that is offered to you',
    })
      .input(OneRegistration)
      .output(Registration),
    answer: post('/registrations/{registrationId}/answers', 'answerRegistration', {
      ...done,
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'Change the answers to the questions of an event, until it begins; all of them are sent again',
    })
      .input(OneRegistration.extend({ answers: Answers }).meta({ examples: [{ answers: [] }] }))
      .output(Registration),
    refunds: get('/registration-refunds', 'listRegistrationRefunds', {
      needs: 'finance.read',
      tag,
      summary: 'Seats whose price is to be given back, or was, for those who keep the books',
      readsPeople: 50,
    })
      .input(z.strictObject({ state: RefundState.optional(), cursor: Cursor.optional(), limit: Limit.optional() }))
      .output(page(RegistrationRefund)),
    refund: post('/registrations/{registrationId}/refund', 'refundRegistration', {
      ...done,
      needs: 'finance.manage',
      recentSignIn: true,
      tag,
      summary: 'Note that what was paid by hand was given back, or try a refund again that failed',
    })
      .input(OneRegistration)
      .output(Registration),
    transfer: post('/registrations/{registrationId}/transfer', 'transferRegistration', {
      ...done,
      needs: 'signed-in',
      tag,
      summary: 'Give a ticket to somebody else; the former code is not valid any more',
    })
      .input(
        OneRegistration.extend({ personId: Id.optional(), name: Attendee.name.optional(), email: EmailAddress.optional() }).meta({
          examples: [{ name: 'Kim Larsen', email: 'kim@example.org' }],
        }),
      )
      .output(Registration),
  },

  messages: {
    list: get('/events/{eventId}/messages', 'listEventMessages', {
      needs: 'signed-in',
      tag,
      summary: 'Messages of an event you manage with what became of their mails, the newest first',
    })
      .input(OneEvent.extend({ cursor: Cursor.optional(), limit: Limit.optional() }))
      .output(page(EventMessage)),
    audience: get('/events/{eventId}/messages/audience', 'countEventAudience', {
      needs: 'signed-in',
      tag,
      summary: 'How many people a message would go to now',
    })
      .input(OneEvent.extend(Audience))
      .output(z.object({ recipients: z.int() })),
    send: post('/events/{eventId}/messages', 'sendEventMessage', {
      needs: 'signed-in',
      tag,
      summary: 'Send a message to those who registered for an event you manage, now or later',
      perHour: 30,
    })
      .input(NewEventMessage.extend(OneEvent.shape))
      .output(EventMessage),
    withdraw: post('/event-messages/{messageId}/withdraw', 'withdrawEventMessage', {
      ...done,
      needs: 'signed-in',
      tag,
      summary: 'Withdraw a message that has not been sent yet',
    })
      .input(z.strictObject({ messageId: Id }))
      .output(EventMessage),
    automatic: get('/events/{eventId}/automatic-mails', 'listEventMailSettings', {
      needs: 'signed-in',
      tag,
      summary: 'The automatic mails of an event you manage',
    })
      .input(OneEvent)
      .output(z.object({ items: z.array(EventMailSetting) })),
    setAutomatic: put('/events/{eventId}/automatic-mails/{kind}', 'setEventMailSetting', {
      needs: 'signed-in',
      tag,
      summary: 'Switch an automatic mail of an event on or off, or add a paragraph to it',
    })
      .input(
        OneEvent.extend({
          kind: EventMailKind,
          enabled: z.boolean(),
          extra: lines(2000).default(''),
          hours: z.int().min(1).max(336).nullable().default(null),
        }).meta({ examples: [{ enabled: true, extra: 'The entrance is behind the library.' }] }),
      )
      .output(EventMailSetting),
  },

  capacity: get('/events/{eventId}/capacity', 'getEventCapacity', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Why seats are taken or free: the capacity ledger, the newest line first',
  })
    .input(
      OneEvent.extend({
        registrationId: Id.optional().describe('Only what happened to this registration'),
        cursor: Cursor.optional(),
        limit: Limit.optional(),
      }),
    )
    .output(
      page(CapacityLine).extend({
        counts: EventCounts,
        capacity: z.int().nullable(),
        differences: z.int().describe('Always 0: counts, ledger and registrations agree'),
      }),
    ),

  checkIn: {
    roster: get('/events/{eventId}/check-in/roster', 'getCheckInRoster', {
      needs: 'signed-in',
      tag,
      summary: 'Everybody with a seat, for devices that check in without network; up to 1,000 a page',
    })
      .input(
        OneEvent.extend({
          after: Id.optional().describe('Id of the last one of the page before'),
          since: Instant.optional().describe(
            'Only what changed since: asOf of an earlier answer. People who lost their seat are among them',
          ),
          limit: z.int().min(1).max(1000).default(1000),
        }),
      )
      .output(
        z.object({
          items: z.array(RosterEntry),
          counts: EventCounts,
          asOf: Instant.describe('To be sent as since, to be told of later changes only'),
        }),
      ),
    scan: post('/events/{eventId}/check-ins', 'checkIn', {
      ...done,
      needs: 'signed-in',
      tag,
      summary: 'Check somebody in by the code of their ticket, or by name',
    })
      .input(Scan.extend(OneEvent.shape).meta({ examples: [scanExample] }))
      .output(ScanAnswer),
    sync: post('/events/{eventId}/check-ins/batch', 'syncCheckIns', {
      ...done,
      needs: 'signed-in',
      tag,
      summary: 'What a device scanned without network; each scan counts once',
    })
      .input(OneEvent.extend({ scans: z.array(Scan).min(1).max(200) }).meta({ examples: [{ scans: [scanExample] }] }))
      .output(z.object({ items: z.array(ScanAnswer), counts: EventCounts })),
    undo: post('/check-ins/{checkInId}/undo', 'undoCheckIn', { ...done, needs: 'signed-in', tag, summary: 'Undo a check-in' })
      .input(z.strictObject({ checkInId: Id }))
      .output(z.object({ counts: EventCounts })),
  },
}

/** Copies of one change, at most; each is an event with everything that belongs to it. */
export const copiesAtOnce = 100
export const EventBulkChange = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('publish') }),
  z
    .strictObject({ do: z.literal('cancel'), reason: text(500, 1).describe('Told to everybody who is registered') })
    .describe('Of a series, only the events selected'),
  z.strictObject({ do: z.literal('archive') }),
  z.strictObject({ do: z.literal('restore') }),
  z.strictObject({ do: z.literal('visibility'), visibility: EventVisibility }),
  z
    .strictObject({ do: z.literal('copy'), weeks: z.int().min(1).max(104) })
    .describe(`A draft of each, so many weeks later at the same time by its clocks; of at most ${copiesAtOnce} events`),
])
export type EventBulkChange = z.infer<typeof EventBulkChange>

export const eventsActions = {
  bulk: bulkProcedures({ path: '/events', name: 'Events', tag, records: 'events', change: EventBulkChange, example: { do: 'archive' } }),
  printTicket: post('/registrations/{registrationId}/ticket/pdf', 'printTicket', {
    needs: 'signed-in',
    whileActing: true,
    status: 200,
    idempotent: false,
    perHour: 120,
    tag,
    summary: 'The ticket of a registration as PDF, with its QR code and the times of the place of the event',
  })
    .input(OneRegistration)
    .output(z.file()),
  registrations: {
    bulk: bulkProcedures({
      path: '/registrations',
      name: 'Registrations',
      tag,
      records: 'registrations',
      change: RegistrationBulkChange,
      example: { do: 'approve' },
      readsPeople: 10,
    }),
  },
}
