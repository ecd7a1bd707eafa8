import type { FilterCondition } from '../../../ui/filter/filter.ts'

/** The list of registrations behind a figure: all conditions hold. */
export function attendeesOf(eventId: string, ...conditions: FilterCondition[]): string {
  const filter = conditions.length > 0 ? `&filter=${encodeURIComponent(JSON.stringify(allOf(conditions)))}` : ''
  return `/event/${eventId}?section=attendees${filter}`
}
export const allOf = (conditions: readonly FilterCondition[]) => ({ and: conditions.map((one) => ({ or: [one] })) })

export const withStatus = (...statuses: string[]): FilterCondition => ({ field: 'status', op: 'in', value: statuses })
export const seated = withStatus('confirmed', 'checked_in')
export const flag = (field: string): FilterCondition => ({ field, op: 'is', value: true })

export const ofTicket = (id: string): FilterCondition => ({ field: 'ticketType', op: 'in', value: [id] })
export const waiting = (what: string): FilterCondition => ({ field: 'waitingList', op: 'in', value: [what] })
export const choosing = (questionId: string, value: string): FilterCondition => ({
  field: 'answer',
  op: 'in',
  value: [`${questionId}=${value}`],
})

/** The invoices behind the revenue of an event, for whoever reads them. */
export const invoicesOf = (eventId: string, booksChapterId: string | null): string | undefined =>
  booksChapterId === null
    ? undefined
    : `/chapter/${booksChapterId}/finance/invoices?filter=${encodeURIComponent(JSON.stringify(allOf([{ field: 'event', op: 'in', value: [eventId] }])))}`

/** So many days before a day, as 2026-12-31. */
export const daysBefore = (day: string, days: number) => new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)
