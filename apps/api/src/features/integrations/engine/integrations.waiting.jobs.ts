import type { ActorDb } from '@guildhall/db'
import { insertChanges, removeChanges, reviseChange } from './integrations.changes.queries.ts'
import type { NewChange, OpenChange } from './integrations.changes.queries.ts'
import { notRefused, ofRun } from './integrations.planning.jobs.ts'
import type { Pass, RowPlan } from './integrations.planning.jobs.ts'

/** What became of a row as far as it was written. */
type Done = { error: unknown; changed: boolean; consent: boolean }

/** What waits for somebody: one change a record and kind, which says what holds now and goes when there is nothing left to decide. */
export async function noteWaiting(
  db: ActorDb,
  pass: Pass,
  plans: readonly RowPlan[],
  open: readonly OpenChange[],
  written: ReadonlyMap<RowPlan, Done>,
) {
  const counts = { conflicts: 0, skipped: 0, idle: 0 }
  const fresh: NewChange[] = []
  const over: string[] = []
  for (const plan of plans) {
    if (plan.kind !== 'known' || written.get(plan)?.error) continue
    const kinds = new Set<string>()
    const mine = open.filter(({ externalId, recordId }) => externalId === plan.remote.externalId || recordId === plan.id)
    for (const { direction, kind, of } of [
      { direction: 'in', kind: 'conflict', of: plan.compared.conflicts },
      { direction: 'in', kind: 'update', of: plan.compared.waitIn },
      { direction: 'out', kind: 'update', of: pass.givesOut ? plan.compared.waitOut : [] },
      // It is there again.
      { direction: 'in', kind: 'remove', of: [] },
    ] as const) {
      const same = mine.filter((one) => one.direction === direction && one.kind === kind)
      const fields = notRefused(
        of,
        same.filter(({ state }) => state === 'refused'),
      )
      const waits = same.find(({ state }) => state === 'waiting')
      if (fields.length > 0) kinds.add(kind)
      const change: NewChange = {
        direction,
        kind,
        state: 'waiting',
        recordId: plan.id,
        externalId: plan.remote.externalId,
        name: plan.before.name,
        fields,
      }
      if (pass.claims !== null) {
        if (fields.length > 0) fresh.push({ ...change, state: 'planned' })
      } else if (fields.length === 0) over.push(...(waits ? [waits.id] : []))
      else if (!waits) fresh.push(change)
      else if (JSON.stringify(waits.fields) !== JSON.stringify(fields))
        await reviseChange(db, waits.id, pass.runId, change, pass.ours.entity)
    }
    const result = written.get(plan)
    const isIdle = kinds.size > 0 && !result?.changed && !result?.consent
    counts.conflicts += kinds.has('conflict') ? 1 : 0
    counts.idle += isIdle ? 1 : 0
    counts.skipped += isIdle && !kinds.has('conflict') ? 1 : 0
  }
  await removeChanges(db, over)
  await insertChanges(db, ofRun(pass), fresh)
  return counts
}
