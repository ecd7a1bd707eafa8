import type { ImportFinding, UndoCounts } from '@guildhall/contract/features/imports'
import type { ActorDb } from '@guildhall/db'
import { noteJob } from '../../../platform/jobs/job-progress.ts'
import { deleteRows, readRows, updateRows } from '../../../platform/records/row-changes.ts'
import type { RowChange, TableShape, Values } from '../../../platform/records/row-changes.ts'
import { finding } from '../planning/imports.drafts.rules.ts'
import { isRowFault, rowFault } from './imports.faults.rules.ts'
import { kindsOf } from '../planning/imports.changes.rules.ts'
import type { Effect } from '../planning/imports.changes.rules.ts'
import { explainHolds } from '../planning/imports.holds.jobs.ts'
import type { Importable, ImportPlan } from '../planning/imports.kinds.rules.ts'
import { appendLedger, effectsToUndo, noUndo } from './imports.ledger.queries.ts'
import { lastChangedBy } from '../imports.origins.queries.ts'
import type { ChangedColumn } from '../imports.origins.queries.ts'
import { lockImport, releaseSavepoint, rollbackToSavepoint, savepoint, updateImport } from '../imports.queries.ts'
import type { StoredImport } from '../imports.queries.ts'
import { changedFinding, restorable, rootNoun, sharedNouns } from './imports.undo.rules.ts'

type Line = Awaited<ReturnType<typeof effectsToUndo>>[number]
type Undone = { line: Line; outcome: keyof UndoCounts; findings: ImportFinding[]; back: Effect[] }

/**
 * Undoes the last few lines that are left, in one transaction with their ledger. Gives the step to go on below; null at the end,
 * `stopped` when the import is no longer being undone.
 */
export async function undoChunk(
  db: ActorDb,
  { orgId, importId, importable }: { orgId: string; importId: string; importable: Importable },
  before: number,
  singly: boolean,
): Promise<number | null | 'stopped'> {
  const one = await lockImport(db, orgId, importId)
  if (!one || one.status !== 'undoing') return 'stopped'
  const plan = importable.kinds[one.kind]
  const lines = await effectsToUndo(db, orgId, importId, before, 500)
  const last = lines.at(-1)
  if (!last) {
    if (one.tagId) await plan.shared['tags']?.removeUnused(db, orgId, [one.tagId])
    return null
  }
  const undone = singly ? await eachAlone(db, orgId, one, plan, lines) : await takeBack(db, orgId, one, plan, lines)
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
      marks: null,
      sameAs: null,
    })),
  )
  await updateImport(db, orgId, importId, { counts: { ...one.counts, undo: counts } })
  if (one.undoJobId)
    await noteJob(db, one.undoJobId, { status: 'running', done: counts.removed + counts.restored + counts.kept, result: counts })
  return last.step
}

async function eachAlone(db: ActorDb, orgId: string, one: StoredImport, plan: ImportPlan, lines: readonly Line[]): Promise<Undone[]> {
  const undone: Undone[] = []
  for (const line of lines) {
    await savepoint(db)
    try {
      undone.push(...(await takeBack(db, orgId, one, plan, [line])))
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

async function takeBack(db: ActorDb, orgId: string, one: StoredImport, plan: ImportPlan, lines: readonly Line[]): Promise<Undone[]> {
  const about = { orgId, importId: one.id }
  const made = lines.filter(({ outcome, entityId }) => outcome === 'create' && entityId !== null)
  const rootIds = made.flatMap(({ entityId }) => (entityId ? [entityId] : []))
  const own = made.flatMap(({ effects }) => effects.flatMap(({ key }) => (key['id'] ? [key['id']] : [])))
  const present = await currentRows(
    db,
    orgId,
    plan.tables,
    lines.flatMap(({ effects }) => effects),
  )
  const rootRows = new Map(rootIds.map((id) => [id, present.get(keyOf({ table: plan.root, key: { id } }))]))
  // The audit log finds terms of office and memberships by their person.
  const subjects = new Map(rootIds.map((id) => [id, subjectOf(plan.root, rootRows.get(id)) ?? id]))
  const held = await explainHolds(
    db,
    { ...about, noun: rootNoun(one.kind) },
    subjects,
    await plan.inUse(
      db,
      orgId,
      rootIds.filter((id) => rootRows.get(id)),
      own,
    ),
  )
  const removals = new Map<string, Record<string, string>[]>()
  const restores = new Map<string, Map<string, { key: Record<string, string>; after: Values }>>()
  const changed: (ChangedColumn & { undone: Undone; what: string })[] = []
  const open: Undone[] = []
  const undone = lines.map((line): Undone => {
    const reasons = line.outcome === 'create' && line.entityId ? held.get(line.entityId) : undefined
    if (reasons) return { line, outcome: 'kept', findings: reasons, back: [] }
    const mine: Undone = { line, outcome: line.outcome === 'create' ? 'removed' : 'restored', findings: [], back: [] }
    open.push(mine)
    let restored = 0
    const note = ({ table, key }: RowChange, row: Values, column: string, what: string) =>
      changed.push({ table, id: key['id'] ?? null, subject: subjectOf(table, row) ?? null, column, undone: mine, what })
    // Backwards, so that a row which was made and then changed by the same line goes in one piece.
    for (const effect of line.effects.toReversed()) {
      const row = present.get(keyOf(effect))
      if (!row) continue
      if (effect.before === null) {
        // What others share is looked at last; what belongs to a row that the line made goes with it.
        if (effect.table in plan.shared || (line.outcome === 'create' && effect.table !== plan.root)) continue
        const [since] = restorable(row, effect).changed
        if (since !== undefined && effect.table !== plan.root) note(effect, row, since, effect.table)
        else {
          append(removals, effect.table, effect.key)
          restored += 1
          if (effect.after) mine.back.push({ ...effect, before: effect.after, after: null })
        }
        continue
      }
      const { values, changed: others } = restorable(row, effect)
      if (Object.keys(values).length > 0) {
        const rows = restores.get(effect.table) ?? new Map<string, { key: Record<string, string>; after: Values }>()
        restores.set(effect.table, rows)
        const id = keyOf(effect)
        rows.set(id, { key: effect.key, after: { ...rows.get(id)?.after, ...values } })
        // An earlier line may have set the same column before.
        present.set(id, { ...row, ...values })
        restored += 1
        mine.back.push({ ...effect, before: pick(row, values), after: values })
      }
      for (const column of others) note(effect, row, column, column)
    }
    if (line.outcome === 'create') mine.back = []
    else if (restored === 0 && changed.some((each) => each.undone === mine)) mine.outcome = 'kept'
    return mine
  })
  const changers = await lastChangedBy(
    db,
    orgId,
    one.id,
    changed.map(({ table, id, subject, column }) => ({ table, id, subject, column })),
  )
  changed.forEach(({ undone: mine, what }, at) => mine.findings.push(changedFinding(what, changers.get(at))))

  for (const shape of plan.tables) await updateRows(db, orgId, shape, [...(restores.get(shape.table)?.values() ?? [])])
  for (const shape of plan.tables.toReversed()) await deleteRows(db, orgId, shape, removals.get(shape.table) ?? [])
  for (const [table, shared] of Object.entries(plan.shared)) {
    const makers = new Map(
      open.flatMap((mine) =>
        mine.line.effects.flatMap((effect): [string, Undone][] =>
          effect.table === table && effect.before === null && effect.key['id'] ? [[effect.key['id'], mine]] : [],
        ),
      ),
    )
    const ids = [...makers.keys()]
    await shared.removeUnused(db, orgId, ids)
    const left = await explainHolds(db, { ...about, noun: sharedNouns[table] ?? table }, new Map(), await shared.inUse(db, orgId, ids))
    for (const [id, findings] of left) makers.get(id)?.findings.push(...findings)
  }
  return undone
}

/** The present values of columns that are put back. */
const pick = (row: Values, columns: Values): Values =>
  Object.fromEntries(Object.keys(columns).map((column) => [column, row[column] ?? null]))

/** The person, chapter or group under which the audit log keeps a row. */
function subjectOf(table: string, row: Values | undefined): string | undefined {
  const subject = table === 'positions' ? row?.['chapter_id'] : (row?.['person_id'] ?? row?.['id'])
  return typeof subject === 'string' ? subject : undefined
}

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
