import type { ImportFinding } from '@guildhall/contract/features/imports'
import type { ActorDb } from '@guildhall/db'
import { edited } from '../../../platform/records/row-holds.ts'
import type { Hold } from '../../../platform/records/row-holds.ts'
import { lastingChanges, madeBy } from '../imports.origins.queries.ts'
import type { Traced } from '../imports.origins.queries.ts'
import { heldFinding } from '../running/imports.undo.rules.ts'

/** What is to be said of rows that are held, by their id. A row that was changed and changed back is not held by that. */
export async function explainHolds(
  db: ActorDb,
  { orgId, importId, noun }: { orgId: string; importId: string; noun: string },
  subjects: ReadonlyMap<string, string>,
  holds: readonly Hold[],
): Promise<Map<string, ImportFinding[]>> {
  const changed = holds.filter(({ why }) => why === edited)
  const used = holds.filter(({ why }) => why !== edited)
  const lasting = await lastingChanges(
    db,
    orgId,
    importId,
    changed.map(({ id, table }) => ({ table, id, subject: subjects.get(id) ?? id })),
  )
  const records: Traced[] = used.flatMap(({ table, users }) => users.map(({ id, subject }) => ({ table, id, subject })))
  const makers = await madeBy(db, orgId, records)
  const found = new Map<string, ImportFinding[]>()
  const say = (id: string, what: ImportFinding) => found.set(id, [...(found.get(id) ?? []), what])
  changed.forEach((hold, at) => {
    const change = lasting.get(at)
    if (change?.known && change.columns.length === 0) return
    const columns = (change?.columns ?? []).map((column) => ({ id: null, subject: hold.id, name: column.replace(/_/g, ' ') }))
    say(hold.id, heldFinding(noun, { why: edited, total: columns.length, users: columns }, change?.by ?? undefined))
  })
  let at = 0
  for (const hold of used) {
    const by = hold.users.map(() => makers.get(at++)).filter((maker) => maker !== undefined)
    say(hold.id, heldFinding(noun, hold, by.find(({ id }) => id !== importId) ?? (by.length > 0 ? 'this import' : undefined)))
  }
  return found
}
