import { listPage } from '../../platform/lists/list-page.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { auditList, verifyAudit } from './account.audit.queries.ts'

const { audit: procedures } = data.account
/** Walking a long chain takes longer than any other statement. */
const verifyTimeoutMs = 55_000

export const audit = procedures.router({
  list: procedures.list.handler(async ({ input, context }) => {
    const { items, nextCursor } = await listPage(context, auditList(input), { ...input, counted: false })
    return { items, nextCursor }
  }),
  verify: procedures.verify.handler(async ({ context }) => {
    const verified = await context.inTx((db) => verifyAudit(db), { statementTimeoutMs: verifyTimeoutMs })
    if (verified.firstBroken !== null) {
      context.services.metrics.auditBroken()
      context.services.log.error(
        { org: context.actor.orgId, firstBroken: verified.firstBroken },
        'the audit log was changed behind its back',
      )
    }
    return verified
  }),
})
