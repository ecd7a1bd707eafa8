import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Registration } from '@guildhall/contract/features/events'
import { useApi } from '../../../platform/api/api.tsx'

export type { Registration }

export const isOver = ({ status }: Pick<Registration, 'status'>) => status === 'cancelled' || status === 'rejected'

/** What somebody else decides, or a clock: nobody tells the page of it, so it asks. */
const moves: ReadonlySet<Registration['status']> = new Set(['pending_approval', 'pending_payment', 'waitlisted', 'offered'])
const everyMs = 15_000

/** The reader's registrations for an event, with those of guests and those of tickets given away; the newest first. */
export const useOwnRegistrations = (eventId: string) =>
  useQuery({
    ...useApi().data.events.registrations.list.queryOptions({ input: { eventId, own: true, sort: 'createdAt', limit: 50 } }),
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => moves.has(status)) ? everyMs : false),
  })

type Asked = { eventId: string; ticketTypeId?: string; personId?: string; name?: string; guests: number; promoCode?: string }
/** Of the server only where the event does not say it: with a code, or for somebody else. */
export const usePrice = (asked: Asked, enabled: boolean) =>
  useQuery({ ...useApi().data.events.registrations.price.queryOptions({ input: asked }), enabled, retry: false, staleTime: 60_000 })

/** Seats, invoices and, for somebody who had no record before, the account itself are other than they were. */
export function useRegistrationsChanged() {
  const { events, finance, account } = useApi().data
  const cache = useQueryClient()
  return () => Promise.all([events.key(), finance.key(), account.me.key()].map((queryKey) => cache.invalidateQueries({ queryKey })))
}
