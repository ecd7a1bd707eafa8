import type { ImportCounts } from '@guildhall/contract/features/imports'
import type { Field } from '@guildhall/contract/features/fields'
import type { ActorDb } from '@guildhall/db'
import { noteJob } from '../../../platform/jobs/job-progress.ts'
import { remembered, writeChanges } from '../../../platform/records/row-changes.ts'
import { isFieldValue, kindsOf } from '../planning/imports.changes.rules.ts'
import { findingOf, labelOf, readDraft } from '../planning/imports.drafts.rules.ts'
import type { Draft, Mapped, SourceRow } from '../planning/imports.drafts.rules.ts'
import { namesRecords } from '../mapping/imports.exported.rules.ts'
import { isRowFault, rowFault } from './imports.faults.rules.ts'
import type { Importable, Planning } from '../planning/imports.kinds.rules.ts'
import {
  acceptedEffects,
  appendLedger,
  doublesAmong,
  entitiesOf,
  linesByKey,
  linesDone,
  linesUnder,
  noCounts,
} from './imports.ledger.queries.ts'
import type { LedgerRow } from './imports.ledger.queries.ts'
import { rejected } from '../planning/imports.plans.rules.ts'
import type { Planned } from '../planning/imports.plans.rules.ts'
import { lockImport, readReach, releaseSavepoint, rollbackToSavepoint, savepoint, updateImport } from '../imports.queries.ts'
import type { StoredImport } from '../imports.queries.ts'
import type { Tree } from '../planning/imports.tree.rules.ts'
import { namedHeaders } from '../reading/imports.file.jobs.ts'

/** What goes with every chunk of one check or run. `ledger` is what makes it happen once; only a test switches it off. */
export type Pass = {
  importable: Importable
  orgId: string
  accountId: string
  importId: string
  phase: 'check' | 'run'
  tree: Tree | null
  ledger: boolean
  merging: boolean
  /** Fields of the organisation that columns map to. */
  own: readonly Field[]
}

const busy = { check: 'checking', run: 'running' } as const

/** A row and what it says, read while the chunk before it is being written. Planning notes its findings in the draft, so a second try reads anew. */
export type ReadRow = { row: SourceRow; draft: Draft }

/**
 * One chunk in one transaction: rows, ledger, counts and progress together or not at all. Null when the import was stopped, or is
 * worked on no more. `singly` writes row by row, so that one that is refused does not take the others with it.
 */
export async function workChunk(db: ActorDb, pass: Pass, read: readonly ReadRow[], singly: boolean): Promise<ImportCounts | null> {
  const { orgId, importId, phase } = pass
  // Two workers cannot hold the same import at once; the second then finds the first one's lines in the ledger.
  const one = await lockImport(db, orgId, importId)
  if (!one || one.status !== busy[phase]) return null
  const done = pass.ledger
    ? await linesDone(
        db,
        orgId,
        importId,
        phase,
        read.map(({ row }) => row.line),
      )
    : new Set<number>()
  const left = read.filter(({ row }) => !done.has(row.line))
  const lines = left.map(({ row }) => row.line)
  const doubles =
    phase === 'run' && one.kind === 'people' && lines.length > 0
      ? await doublesAmong(db, orgId, importId, lines)
      : new Map<number, number>()
  // What is to be merged waits until everyone it could be merged with is there.
  const open = one.options.doubles === 'merge' && !pass.merging ? left.filter(({ row }) => !doubles.has(row.line)) : left
  const counts = { ...noCounts, ...one.counts[phase] }
  if (open.length === 0) return counts

  const made = pass.merging ? await entitiesOf(db, orgId, importId, [...new Set(doubles.values())]) : new Map<number, string>()
  const mergeInto = new Map(
    [...doubles].flatMap(([line, first]) => {
      const id = pass.merging ? made.get(first) : undefined
      return id === undefined ? [] : [[line, { id, line: first }]]
    }),
  )
  const planning: Planning = {
    ...(await planningOf(db, pass, one)),
    mergeInto,
    doubles: () => Promise.resolve(one.options.doubles === 'merge' ? new Map() : doubles),
  }
  const planned = singly
    ? await eachAlone(
        db,
        planning,
        open.map(({ row }) => row),
      )
    : await allAtOnce(
        db,
        planning,
        open.map(({ draft }) => draft),
      )
  for (const { outcome } of planned) counts[outcome] += 1
  await appendLedger(
    db,
    orgId,
    importId,
    phase,
    planned.map((plan) => ledgerRow(plan, planning)),
  )
  await updateImport(db, orgId, importId, { counts: { ...one.counts, [phase]: counts } })
  const jobId = phase === 'check' ? one.checkJobId : one.runJobId
  if (jobId) await noteJob(db, jobId, { done: sum(counts), result: counts })
  return counts
}

function ledgerRow({ draft, outcome, key, entityId, changes, label, accepted, sameAs }: Planned, planning: Planning): LedgerRow {
  // Of a new row everything is new: nobody is shown field by field what stands in the file.
  const changed = outcome === 'update' || accepted === false
  return {
    line: draft.line,
    step: draft.step,
    outcome,
    key,
    entityId,
    findings: draft.findings,
    effects:
      planning.phase === 'check'
        ? changed
          ? changes
          : []
        : changes.map(({ shown, ...change }) => ({
            ...(outcome === 'create' ? remembered(change) : change),
            ...(shown && outcome !== 'create' && isFieldValue(change.table) && { shown }),
          })),
    label: (label ?? labelOf(planning.kind, draft)).slice(0, 200),
    kinds: changed ? kindsOf(changes, planning.importTagId) : null,
    accepted: accepted ?? null,
    marks: planning.phase === 'check' && key !== null ? (planning.importPlan.marksOf?.(draft) ?? null) : null,
    sameAs: sameAs ?? null,
  }
}

const sum = (counts: ImportCounts) => Object.values(counts).reduce((total, rows) => total + rows, 0)

export const mappedOf = ({ kind, format, mapping, options, preview }: StoredImport, own: readonly Field[]): Mapped => ({
  own,
  kind,
  headers: namedHeaders(preview.columns.map(({ header }) => header)),
  targets: mapping,
  reading: { dateOrder: format.dateOrder, phoneCountry: options.phoneCountry },
  garbled: format.garbled,
  mixed: preview.mixed,
  values: options.values,
  exported: namesRecords(preview.columns.map(({ header }) => header)),
})

async function planningOf(db: ActorDb, pass: Pass, one: StoredImport): Promise<Omit<Planning, 'doubles' | 'mergeInto'>> {
  const { today, rows } = await readReach(db)
  return {
    ...pass,
    db,
    kind: one.kind,
    importPlan: pass.importable.kinds[one.kind],
    lookUps: pass.importable.lookUps,
    today,
    options: one.options,
    mapped: mappedOf(one, pass.own),
    reach: new Map(
      rows.map((row) => [row.permission, { everywhere: row.everywhere, chapters: new Set(row.chapters), groups: new Set(row.groups) }]),
    ),
    importTagId: one.tagId,
    accepted: (lines) =>
      pass.phase === 'run' && one.kind === 'chapters' ? acceptedEffects(db, pass.orgId, pass.importId, lines) : Promise.resolve(new Map()),
    earlier: (keys) => (pass.ledger ? linesByKey(db, pass.orgId, pass.importId, pass.phase, keys) : Promise.resolve(new Map())),
    earlierUnder: (prefixes) => (pass.ledger ? linesUnder(db, pass.orgId, pass.importId, pass.phase, prefixes) : Promise.resolve([])),
  }
}

async function allAtOnce(db: ActorDb, planning: Planning, drafts: readonly Draft[]): Promise<Planned[]> {
  const planned = await planning.importPlan.plan(planning, drafts)
  if (planning.phase === 'run')
    await writeChanges(
      db,
      planning.orgId,
      planning.importPlan.tables,
      planned.flatMap(({ changes }) => changes),
    )
  return planned
}

async function eachAlone(db: ActorDb, planning: Planning, rows: readonly SourceRow[]): Promise<Planned[]> {
  const planned: Planned[] = []
  // Rows of this chunk are not in the ledger yet.
  const here = new Map<string, number>()
  const alone: Planning = {
    ...planning,
    earlier: async (keys) => new Map([...(await planning.earlier(keys)), ...here]),
    earlierUnder: async (prefixes) => [
      ...(await planning.earlierUnder(prefixes)),
      ...[...here].flatMap(([key, line]) => (prefixes.some((prefix) => key.startsWith(prefix)) ? [{ key, line }] : [])),
    ],
  }
  for (const row of rows) {
    await savepoint(db)
    try {
      const [plan] = await allAtOnce(db, alone, [readDraft(row, planning.mapped)])
      if (plan) {
        planned.push(plan)
        if (plan.key) here.set(plan.key, row.line)
      }
      await releaseSavepoint(db)
    } catch (cause) {
      if (!isRowFault(cause)) throw cause
      await rollbackToSavepoint(db)
      planned.push(rejected(refusedDraft(row, planning, cause)))
    }
  }
  return planned
}

function refusedDraft(row: SourceRow, planning: Planning, cause: unknown): Draft {
  const draft = readDraft(row, planning.mapped)
  draft.findings.push(findingOf('error', rowFault(cause)))
  return draft
}
