import type { Actor, ActorDb } from '@guildhall/db'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { isRowFault } from '../../imports/imports.values.public.ts'
import { settleChange, waitingChange } from './integrations.changes.queries.ts'
import type { OpenChange } from './integrations.changes.queries.ts'
import type { OurSide } from '../ours/integrations.ours.rules.ts'
import { mergedSet } from './integrations.compare.rules.ts'
import { errorOf } from './integrations.portion.jobs.ts'
import { comparedFields } from './integrations.runs.rules.ts'
import { oursOf } from '../ours/integrations.sides.jobs.ts'
import { findSynced, hurryRun, todayIn } from './integrations.sync.queries.ts'
import type { SyncedConnection } from './integrations.sync.queries.ts'
import { tiesByRecord, updateTies } from './integrations.ties.queries.ts'
import type { AgreedField, Tie } from './integrations.ties.queries.ts'

type Decided = { connectionId: string; changeId: string; version: number }

/**
 * What somebody decided about a change that waited, with their own rights. What is accepted for us is written at once; for the other side it goes with the next
 * run, which is hurried. A conflict that is refused keeps ours, which then goes there where the field goes out; another change that is refused is not
 * proposed again for as long as both sides say the same.
 */
export async function writeDecided(db: ActorDb, actor: Actor, { connectionId, changeId }: Decided, accept: boolean): Promise<void> {
  const change = mustFind(await waitingChange(db, connectionId, changeId))
  const connection = mustFind(await findSynced(db, connectionId))
  const ours = oursOf(connection.connector)
  if (!ours || change.recordId === null)
    throw problem('CONFLICT', { reason: 'change_decided', detail: 'There is nothing left to decide here.' })
  const side = await ours.open({
    db,
    orgId: actor.orgId,
    accountId: actor.accountId,
    connection,
    matchBy: connection.matchBy,
    // Also those that have left the mapping since.
    fields: [...new Set([...comparedFields(connection.mapping).map((field) => field.ours), ...change.fields.map(({ field }) => field)])],
    today: await todayIn(db),
  })
  const tie = (await tiesByRecord(db, connectionId, [change.recordId])).get(change.recordId)
  if (accept) await accepted(db, connection, side, change, change.recordId, tie)
  else if (tie && change.kind === 'conflict') await keepOurs(db, connection, change, tie)
  await settleChange(db, changeId, accept ? 'written' : 'refused', actor.accountId)
}

async function accepted(
  db: ActorDb,
  connection: SyncedConnection,
  side: OurSide,
  change: OpenChange,
  id: string,
  tie: Tie | undefined,
): Promise<void> {
  if (change.kind === 'remove') return orRefused(() => side.remove(id))
  if (change.direction === 'out') {
    if (!tie) return
    const agreed = Object.fromEntries(
      change.fields.map(({ field, after, before }) => [field, { ...blank(tie, field, before, 'out'), accepted: after }]),
    )
    await updateTies(db, connection.id, [{ id: tie.id, agreed: { ...tie.agreed, ...agreed }, run: runOf(tie) }])
    return hurryRun(db, connection.id)
  }
  const before = (await side.read([id])).get(id)
  if (!before || before.isClosed || change.fields.some(({ field }) => before.values[field] === undefined))
    throw refused('This record is not there any more, or may not be changed.')
  const write = {
    id,
    values: Object.fromEntries(
      // Of a set what came in between stays.
      change.fields.map(({ field, before: was, after }) => [
        field,
        side.sets.has(field) ? mergedSet(before.values[field], after, was) : after,
      ]),
    ),
    externalId: change.externalId ?? id,
  }
  const fault = side.faultOf(write, before)
  if (fault) throw refused(fault.message)
  await orRefused(async () => {
    await side.write([write])
  })
  if (!tie) return
  const after = (await side.read([id])).get(id)
  const agreed: Record<string, AgreedField> = { ...tie.agreed }
  for (const { field, after: value } of change.fields) {
    // Of a set what theirs holds is not all of it; the next run finds both sides as they should be.
    if (side.sets.has(field)) continue
    const mine = after?.values[field] ?? null
    agreed[field] = { value, ...(mine !== value && { ours: mine }), at: new Date().toISOString(), run: runOf(tie), direction: 'in' }
  }
  await updateTies(db, connection.id, [{ id: tie.id, agreed, run: runOf(tie) }])
}

/** Theirs is known from now on, so that ours is what changed. */
async function keepOurs(db: ActorDb, connection: SyncedConnection, change: OpenChange, tie: Tie): Promise<void> {
  const agreed = Object.fromEntries(
    change.fields.map(({ field, after }) => {
      const base = blank(tie, field, after, 'in')
      const ours = base.ours === undefined ? tie.agreed[field]?.value : base.ours
      return [field, { ...base, value: after, ...(ours !== undefined && ours !== after && { ours }) }]
    }),
  )
  await updateTies(db, connection.id, [{ id: tie.id, agreed: { ...tie.agreed, ...agreed }, run: runOf(tie) }])
  await hurryRun(db, connection.id)
}

const blank = (tie: Tie, field: string, value: string | null, direction: 'in' | 'out'): AgreedField =>
  tie.agreed[field] ?? { value, at: new Date().toISOString(), run: runOf(tie), direction }
const runOf = (tie: Tie) => tie.seenIn ?? tie.id

const refused = (detail: string) => problem('CONFLICT', { reason: 'sync_change_refused', detail })

async function orRefused(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!isRowFault(error)) throw error
    throw refused(errorOf(error).message)
  }
}
