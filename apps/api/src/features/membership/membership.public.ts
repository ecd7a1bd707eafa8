import type { Settlement } from '../../platform/settlements.ts'
import { settleTerm, unsettleTerm, welcomeMember } from './membership.queries.ts'

/** A term has its dates once its invoice is paid, and loses them when the money goes back. */
export const termSettlement: Settlement = {
  paid: async (tx, { orgId, subjectId, paidOn }) => {
    await settleTerm(tx, orgId, subjectId, paidOn)
    await welcomeMember(tx, orgId, subjectId)
  },
  unpaid: async (tx, { orgId, subjectId }) => {
    await unsettleTerm(tx, orgId, subjectId)
  },
}
