import { createHash } from 'node:crypto'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { problem, toProblem } from './problem.ts'
import type { CallerContext } from './context.ts'

type Result = { output: unknown; context: CallerContext }
/** `once` is for procedures that cannot be tried again, such as uploads, whose file has passed. */
type Call = { key: string; operation: string; input: unknown; once: boolean }
type Answer = Result & { isReplay: boolean }

/**
 * Runs a procedure once per Idempotency-Key: the key's row, the effect and the stored answer are one transaction, so that a
 * repetition finds either the whole of it or nothing. A second request at the same time waits for the first at the key's row.
 * A repetition is answered only to who could ask for the same now.
 */
export async function replayable(context: CallerContext, call: Call, run: (context: CallerContext) => Promise<Result>): Promise<Answer> {
  if (call.key.length < 8 || call.key.length > 200)
    throw problem('BAD_REQUEST', { reason: 'idempotency_key', detail: 'An Idempotency-Key has 8 to 200 characters.' })
  const { orgId, accountId, actingFor } = context.actor
  // The same request for somebody else is another one.
  const hash = createHash('sha256')
    .update(`${call.operation}\n${JSON.stringify(call.input ?? null)}${actingFor === undefined ? '' : `\n${actingFor}`}`)
    .digest('hex')

  return context.inTx(async (db) => {
    const claimed = await db
      .insertInto('app.idempotency_keys')
      .values({ org_id: orgId, account_id: accountId, key: call.key, operation: call.operation, body_hash: hash })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!claimed.numInsertedOrUpdatedRows) {
      const stored = await storedAnswer(db, context, call, hash)
      if (!call.once) await refuseIfNoLongerAllowed(db, stored.output === undefined, () => run(boundTo(db, context)))
      return { ...stored, isReplay: true }
    }

    const result = await run(boundTo(db, context))
    await db
      .updateTable('app.idempotency_keys')
      .set({ status: 200, response: JSON.stringify(result.output ?? null) })
      .where('key', '=', call.key)
      .where('account_id', '=', accountId)
      .execute()
    return { ...result, isReplay: false }
  })
}

/** Tries the procedure once more and takes everything back: whether it is still allowed is for the procedure to say, the rest is history. */
async function refuseIfNoLongerAllowed(db: ActorDb, tellsNothing: boolean, run: () => Promise<unknown>): Promise<void> {
  await sql`savepoint repetition`.execute(db)
  try {
    await run()
  } catch (error) {
    const expected = toProblem(error)
    // What is done already conflicts with being done again, or is gone by it; that is no refusal.
    const isRefusal = expected?.status === 403 || (expected?.status === 404 && !tellsNothing)
    if (!expected || isRefusal || expected.status >= 500) throw error
  }
  await sql`rollback to savepoint repetition`.execute(db)
}

function boundTo(db: ActorDb, context: CallerContext): CallerContext {
  return {
    ...context,
    read: async (query) => (await db.executeQuery(query.compile())).rows,
    inTx: (run) => run(db),
  }
}

async function storedAnswer(db: ActorDb, context: CallerContext, call: Call, hash: string): Promise<Result> {
  const stored = await db
    .selectFrom('app.idempotency_keys')
    .select(['body_hash', 'response', 'status'])
    .where('key', '=', call.key)
    .where('account_id', '=', context.actor.accountId)
    .executeTakeFirst()
  if (!stored || stored.status === null)
    throw problem('CONFLICT', { reason: 'in_flight', detail: 'The same request is still being worked on.' })
  if (stored.body_hash !== hash) {
    throw problem('UNPROCESSABLE_CONTENT', { reason: 'key_reused', detail: 'This Idempotency-Key was used for a different request.' })
  }
  return { output: stored.response ?? undefined, context }
}
