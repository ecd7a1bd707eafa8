import { registrationSettlement } from './features/events/events.public.ts'
import { termSettlement } from './features/membership/membership.public.ts'
import type { Settlements } from './platform/settlements.ts'

/** What follows when the invoice that charges something is paid, or is not any more; by the subject of its lines. */
export const settlements: Settlements = { membership_term: termSettlement, event_registration: registrationSettlement }
