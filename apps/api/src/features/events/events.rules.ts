import type { EventVisibility, NewTicketType } from '@guildhall/contract/features/events'
import { clockIn, daysFrom, momentAt } from '@guildhall/contract/moments'
import { fault } from '../../platform/procedures/problem.ts'
import type { FieldRefusal } from '../../platform/procedures/problem.ts'

/** What decides whether an event makes sense. */
export type EventFacts = {
  startsAt: string
  endsAt: string
  registrationOpensAt: string | null
  registrationClosesAt: string | null
  cancelUntil: string | null
  visibility: EventVisibility
  chapterId: string | null
  groupId: string | null
}

const at = (instant: string) => Date.parse(instant)
const longest = 31 * 86_400_000

/** The first thing that is wrong with an event, by its field. */
export function faultOfEvent(event: EventFacts): FieldRefusal | undefined {
  const ends = at(event.endsAt)
  if (ends <= at(event.startsAt)) return fault('endsAt', 'event_ends', 'Enter an end after the start.')
  if (ends - at(event.startsAt) > longest)
    return fault('endsAt', 'event_length', 'An event is at most 31 days long. Make a series of a longer one.')
  if (event.registrationClosesAt && at(event.registrationClosesAt) > ends)
    return fault('registrationClosesAt', 'event_registration_closes', 'Close registration before the event ends.')
  if (event.registrationOpensAt && at(event.registrationOpensAt) >= at(event.registrationClosesAt ?? event.endsAt))
    return fault('registrationOpensAt', 'event_registration_opens', 'Open registration before it closes.')
  if (event.cancelUntil && at(event.cancelUntil) > ends)
    return fault('cancelUntil', 'event_cancel_until', 'Let people cancel until the event ends at the latest.')
  if (event.visibility === 'chapter' && event.chapterId === null && event.groupId === null)
    return fault('visibility', 'event_visibility_chapter', 'Choose a chapter, or show the event to all members.')
  if (event.visibility === 'group' && event.groupId === null)
    return fault('visibility', 'event_visibility_group', 'Choose a group, or show the event to all members.')
  return undefined
}

/** The first thing that is wrong with the tickets. */
export function faultOfTickets(tickets: readonly Ticket[], capacity: number | null): FieldRefusal | undefined {
  const currencies = new Set(tickets.flatMap(({ price }) => (price && price.amount > 0 ? [price.currency] : [])))
  if (currencies.size > 1) return fault('ticketTypes', 'event_currency', 'Use one currency for all tickets of an event.')
  const quotas = tickets.reduce((sum, { quota }) => sum + (quota ?? 0), 0)
  if (capacity !== null && quotas > capacity)
    return fault('ticketTypes', 'event_tickets_over_capacity', `There are more tickets than the ${capacity} seats.`, {
      params: { capacity },
    })
  for (const [nth, ticket] of tickets.entries()) {
    const path = (field: string) => `ticketTypes.${nth}.${field}`
    if (ticket.sellsFrom && ticket.sellsUntil && at(ticket.sellsUntil) <= at(ticket.sellsFrom))
      return fault(path('sellsUntil'), 'ticket_sale', 'End the sale after it begins.')
    if (ticket.minPerOrder > ticket.maxPerOrder)
      return fault(path('maxPerOrder'), 'ticket_order', 'Enter at least the smallest number per order.')
    if (ticket.memberPrice !== null && ticket.memberPrice > (ticket.price?.amount ?? 0))
      return fault(path('memberPrice'), 'ticket_member_price', 'Members pay at most the usual price.')
  }
  return undefined
}
type Ticket = Pick<NewTicketType, 'price' | 'quota' | 'sellsFrom' | 'sellsUntil' | 'minPerOrder' | 'maxPerOrder' | 'memberPrice'>

export const endOf = (startsAt: string): string => new Date(at(startsAt) + 2 * 3_600_000).toISOString()

/** How much later, or earlier, the times of a copy are. */
export const laterBy = (from: string, to: string) => {
  const shift = at(to) - at(from)
  return (instant: string | null) => (instant === null ? null : new Date(at(instant) + shift).toISOString())
}

/** The same time of day in the event's zone. */
export function weeksLater(startsAt: string, timezone: string, weeks: number): string {
  const { date, time } = clockIn(timezone, startsAt)
  return momentAt(timezone, daysFrom(date, weeks * 7), time).at
}

/** The same time of day in the event's zone, a week after today. */
export function nextWeek(startsAt: string, timezone: string, now: Date): string {
  const { time } = clockIn(timezone, startsAt)
  return momentAt(timezone, daysFrom(clockIn(timezone, now).date, 7), time).at
}
