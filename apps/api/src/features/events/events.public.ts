import type { Settlement } from '../../platform/settlements.ts'
import { settleRegistration } from './events.registrations.queries.ts'

/** A seat is confirmed once its invoice is paid, and free again when the money goes back. */
export const registrationSettlement: Settlement = {
  paid: async (tx, { orgId, subjectId }) => {
    await settleRegistration(tx, orgId, subjectId, true)
  },
  unpaid: async (tx, { orgId, subjectId }) => {
    await settleRegistration(tx, orgId, subjectId, false)
  },
}

export { checksIn } from './events.queries.ts'
