import type { ImportFinding, UndoCounts } from '@guildhall/contract/features/imports'
import type { ActorDb } from '@guildhall/db'
import { noteJob } from '../../platform/job-progress.ts'
import { deleteRows, readRows, updateRows } from '../../platform/row-changes.ts'
import type { RowChange, TableShape, Values } from '../../platform/row-changes.ts'
import { finding } from './imports.drafts.rules.ts'
import { isRowFault, rowFault } from './imports.faults.rules.ts'
import { kindsOf } from './imports.changes.rules.ts'
import type { Effect } from './imports.changes.rules.ts'
import { importKinds } from './imports.kinds.jobs.ts'
import { appendLedger, effectsToUndo, noUndo } from './imports.ledger.queries.ts'
import { lockImport, releaseSavepoint, rollbackToSavepoint, savepoint, updateImport } from './imports.queries.ts'
import type { StoredImport } from './imports.queries.ts'
import { restorable } from './imports.undo.rules.ts'

type Line = Awaited<ReturnType<typeof effectsToUndo>>[number]
type Undone = { line: Line; outcome: keyof UndoCounts; findings: ImportFinding[]; back: Effect[] }

/**
 * Takes back the last few lines that are left, in one transaction with their ledger. Gives the step to go on below; null at the end,
 * `stopped` when the import is no longer being undone.
 */
export async function undoChunk(
  db: ActorDb,
  { orgId, importId }: { orgId: string; importId: string },
  before: number,
  singly: boolean,
): Promise<number | null | 'stopped'> {
  const one = await lockImport(db, orgId, importId)
  if (!one || one.status !== 'undoing') return 'stopped'
  const lines = await effectsToUndo(db, orgId, importId, before, 500)
  const last = lines.at(-1)
  if (!last) {
    for (const remove of Object.values(importKinds.people.shared)) if (one.tagId) await remove(db, orgId, [one.tagId])
    return null
  }
  const undone = singly ? await eachAlone(db, orgId, one, lines) : await takeBack(db, orgId, one, lines)
  const counts = { ...noUndo, ...one.counts.undo }
  for (const { outcome } of undone) counts[outcome] += 1
  await appendLedger(
    db,
    orgId,
    importId,
    'undo',
    undone.map(({ line, outcome, findings, back }) => ({
      line: line.line,
      step: line.step,
      outcome,
      key: null,
      entityId: line.entityId,
      findings,
      effects: back,
      label: line.label,
      kinds: kindsOf(back, one.tagId),
      accepted: null,
    })),
  )
  await updateImport(db, orgId, importId, { counts: { ...one.counts, undo: counts } })
  if (one.undoJobId)
    await noteJob(db, one.undoJobId, { status: 'running', done: counts.removed + counts.restored + counts.kept, result: counts })
  return last.step
}

async function eachAlone(db: ActorDb, orgId: string, one: StoredImport, lines: readonly Line[]): Promise<Undone[]> {
  const undone: Undone[] = []
  for (const line of lines) {
    await savepoint(db)
    try {
      undone.push(...(await takeBack(db, orgId, one, [line])))
      await releaseSavepoint(db)
    } catch (cause) {
      if (!isRowFault(cause)) throw cause
      await rollbackToSavepoint(db)
      const { message, fix } = rowFault(cause)
      undone.push({ line, outcome: 'kept', findings: [finding('warning', 'kept', message, fix)], back: [] })
    }
  }
  return undone
}

async function takeBack(db: ActorDb, orgId: string, one: StoredImport, lines: readonly Line[]): Promise<Undone[]> {
  const kind = importKinds[one.kind]
  const made = lines.filter(({ outcome, entityId }) => outcome === 'create' && entityId !== null)
  const rootIds = made.flatMap(({ entityId }) => (entityId ? [entityId] : []))
  const own = made.flatMap(({ effects }) => effects.flatMap(({ key }) => (key['id'] ? [key['id']] : [])))
  const inUse = await kind.inUse(db, orgId, rootIds, own)
  const kept = new Set(made.filter(({ entityId }) => entityId !== null && inUse.has(entityId)))

  const open = lines.filter((line) => !kept.has(line))
  const present = await currentRows(
    db,
    orgId,
    kind.tables,
    open.flatMap(({ effects }) => effects),
  )
  const removals = new Map<string, Record<string, string>[]>()
  const restores = new Map<string, { key: Record<string, string>; after: Values }[]>()
  const undone = lines.map((line): Undone => {
    if (kept.has(line)) {
      return {
        line,
        outcome: 'kept',
        findings: [
          finding(
            'warning',
            'in_use',
            `This ${inUse.get(line.entityId ?? '') ?? 'is in use'}, so it stays.`,
            'Remove it by hand if it is not wanted.',
          ),
        ],
        back: [],
      }
    }
    const findings: ImportFinding[] = []
    const back: Effect[] = []
    let restored = 0
    // Backwards, so that a row which was made and then changed by the same line goes in one piece.
    for (const effect of line.effects.toReversed()) {
      const row = present.get(keyOf(effect))
      if (!row) continue
      if (effect.before === null) {
        if (line.outcome === 'create' && effect.table !== kind.root && !(effect.table in kind.shared)) continue
        if (effect.table in kind.shared) continue
        const edited = (typeof row['version'] === 'number' && row['version'] > 1) || restorable(row, effect).changed.length > 0
        if (edited && effect.table !== kind.root) findings.push(changedSince(effect.table))
        else {
          append(removals, effect.table, effect.key)
          restored += 1
          if (effect.after) back.push({ ...effect, before: effect.after, after: null })
        }
        continue
      }
      const { values, changed } = restorable(row, effect)
      if (Object.keys(values).length > 0) {
        append(restores, effect.table, { key: effect.key, after: values })
        restored += 1
        back.push({ ...effect, before: pick(row, values), after: values })
      }
      for (const column of changed) findings.push(changedSince(column))
    }
    if (line.outcome === 'create') return { line, outcome: 'removed', findings, back: [] }
    return { line, outcome: restored > 0 ? 'restored' : 'kept', findings, back }
  })
  for (const shape of kind.tables) await updateRows(db, orgId, shape, restores.get(shape.table) ?? [])
  for (const shape of kind.tables.toReversed()) await deleteRows(db, orgId, shape, removals.get(shape.table) ?? [])
  for (const [table, removeUnused] of Object.entries(kind.shared)) {
    await removeUnused(
      db,
      orgId,
      open.flatMap(({ effects }) =>
        effects.flatMap((effect) => (effect.table === table && effect.before === null && effect.key['id'] ? [effect.key['id']] : [])),
      ),
    )
  }
  return undone
}

/** The present values of columns that are put back. */
const pick = (row: Values, columns: Values): Values =>
  Object.fromEntries(Object.keys(columns).map((column) => [column, row[column] ?? null]))

const keyOf = ({ table, key }: Pick<RowChange, 'table' | 'key'>) => `${table} ${Object.values(key).sort().join(' ')}`

async function currentRows(
  db: ActorDb,
  orgId: string,
  tables: readonly TableShape[],
  effects: readonly RowChange[],
): Promise<Map<string, Values>> {
  const present = new Map<string, Values>()
  for (const shape of tables) {
    const keys = effects.filter(({ table }) => table === shape.table).map(({ key }) => key)
    for (const { key, row } of await readRows(db, orgId, shape, keys)) present.set(keyOf({ table: shape.table, key }), row)
  }
  return present
}

function append<T>(lists: Map<string, T[]>, name: string, item: T) {
  const list = lists.get(name)
  if (list) list.push(item)
  else lists.set(name, [item])
}

const changedSince = (what: string) =>
  finding('warning', 'changed_since', `${what.replace(/_/g, ' ')} was changed since, so it stays.`, 'Change it by hand if needed.')
