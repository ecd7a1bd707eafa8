import type {
  ImportChangeCount,
  ImportCounts,
  ImportFindingCode,
  ImportOptions,
  ImportPhase,
  UndoCounts,
} from '@guildhall/contract/features/imports'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { RowChange } from '../../../platform/records/row-changes.ts'
import type { Effect } from '../planning/imports.changes.rules.ts'
import { mergeFix } from '../planning/imports.plans.rules.ts'

export type LedgerRow = {
  line: number
  step: number
  outcome: string
  key: string | null
  entityId: string | null
  findings: unknown[]
  effects: Effect[]
  label: string | null
  kinds: string[] | null
  accepted: boolean | null
  marks: number[] | null
  sameAs: number | null
}

/** Writes what became of a chunk's rows, in the transaction of what they did. A line that stands there already stops everything. */
export async function appendLedger(
  db: ActorDb,
  orgId: string,
  importId: string,
  phase: ImportPhase,
  rows: readonly LedgerRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into app.import_rows (org_id, import_id, phase, line, step, outcome, key, entity_id, findings, effects, label, kinds, accepted, marks, same_as)
    select ${orgId}::uuid, ${importId}::uuid, ${phase}, x.line, x.step, x.outcome, x.key, x."entityId", x.findings, x.effects, x.label, x.kinds, x.accepted, x.marks, x."sameAs"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      x (line int, step int, outcome text, key text, "entityId" uuid, findings jsonb, effects jsonb, label text, kinds text[], accepted boolean, marks bigint[], "sameAs" int)`.execute(
    db,
  )
}

/**
 * Lines of this import that stand for these keys already. Each key is looked up by itself: the planner knows the ledger as small as it
 * was before the import, and given all keys at once it would read the whole ledger for every chunk. Import and phase are compared in a way
 * that no index answers, so that none of those that begin with them is taken, which would do the same.
 */
export async function linesByKey(
  db: ActorDb,
  orgId: string,
  importId: string,
  phase: ImportPhase,
  keys: readonly string[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<{ key: string; line: number }>`
    select k.key, r.line from unnest(${keys}::text[]) k (key)
    cross join lateral (
      select l.line from app.import_rows l
      where l.org_id = ${orgId}::uuid and l.key = k.key collate "C"
        and l.import_id is not distinct from ${importId}::uuid and l.phase is not distinct from ${phase}
      offset 0
    ) r`.execute(db)
  return new Map(rows.map(({ key, line }) => [key, line]))
}

/** Keys of this import that begin with one of these, with their lines; each is looked up by itself, for the reason above. */
export async function linesUnder(
  db: ActorDb,
  orgId: string,
  importId: string,
  phase: ImportPhase,
  prefixes: readonly string[],
): Promise<{ key: string; line: number }[]> {
  if (prefixes.length === 0) return []
  const { rows } = await sql<{ key: string; line: number }>`
    select r.key, r.line from unnest(${prefixes}::text[]) k (prefix)
    cross join lateral (
      select l.key, l.line from app.import_rows l
      where l.org_id = ${orgId}::uuid and l.key >= k.prefix collate "C" and l.key < (k.prefix || chr(1114111)) collate "C"
        and l.import_id is not distinct from ${importId}::uuid and l.phase is not distinct from ${phase} and l.outcome <> 'reject'
      offset 0
    ) r`.execute(db)
  return rows
}

/** Which of these lines are in the ledger. */
export async function linesDone(
  db: ActorDb,
  orgId: string,
  importId: string,
  phase: ImportPhase,
  lines: readonly number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ line: number }>`
    select r.line from app.import_rows r
    where r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = ${phase} and r.line = any (${lines}::int[])`.execute(
    db,
  )
  return new Set(rows.map(({ line }) => line))
}

/** The last step in the order of work that the ledger knows; everything up to it is done. */
export async function lastStep(db: ActorDb, orgId: string, importId: string, phase: ImportPhase): Promise<number> {
  const { rows } = await sql<{ step: number | null }>`
    select max(r.step) as step from app.import_rows r
    where r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = ${phase}`.execute(db)
  return rows[0]?.step ?? 0
}

/** Forgets an earlier check, a piece at a time; whether anything is left. */
export async function forgetCheck(db: ActorDb, orgId: string, importId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from app.import_rows r where r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = 'check'
      and r.line in (select l.line from app.import_rows l where l.org_id = ${orgId}::uuid and l.import_id = ${importId}::uuid and l.phase = 'check' limit 20000)`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0) > 0
}

/** Forgets what an undo before this one had to leave, a piece at a time, so that it is tried again; whether anything is left. */
export async function forgetHeld(db: ActorDb, orgId: string, importId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from app.import_rows r where r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = 'undo'
      and r.line in (select l.line from app.import_rows l where l.org_id = ${orgId}::uuid and l.import_id = ${importId}::uuid and l.phase = 'undo'
        and l.findings <> '[]' limit 20000)`.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}

/** Whether an undo had to leave something. */
export async function isHeld(db: ActorDb, orgId: string, importId: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (select from app.import_rows r where r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = 'undo'
      and r.findings <> '[]') as held`.execute(db)
  return rows[0]?.held ?? false
}

/** Rejected rows with their reasons, by line; for the file of errors. */
export async function rejectedRows(db: ActorDb, orgId: string, importId: string, phase: ImportPhase, after: number, limit: number) {
  const { rows } = await sql<{ line: number; findings: { level: string; column: string | null; message: string; fix: string }[] }>`
    select r.line, r.findings from app.import_rows r
    where r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = ${phase} and r.outcome = 'reject' and r.line > ${after}
    order by r.line limit ${limit}`.execute(db)
  return rows
}

/** What a run did that an undo has not looked at yet, last first. */
export async function effectsToUndo(db: ActorDb, orgId: string, importId: string, before: number, limit: number) {
  const { rows } = await sql<{
    line: number
    step: number
    outcome: string
    entityId: string | null
    effects: RowChange[]
    label: string | null
  }>`
    select r.line, r.step, r.outcome, r.entity_id as "entityId", r.effects, r.label from app.import_rows r
    where r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = 'run' and r.step < ${before} and r.effects <> '[]'
      and not exists (select from app.import_rows u where u.org_id = r.org_id and u.import_id = r.import_id and u.phase = 'undo' and u.line = r.line)
    order by r.step desc limit ${limit}`.execute(db)
  return rows
}

/** Rows of a phase by outcome, counted from the ledger itself. */
export async function countLedger(db: ActorDb, orgId: string, importId: string, phase: ImportPhase): Promise<Record<string, number>> {
  const { rows } = await sql<{ outcome: string; rows: number }>`
    select r.outcome, count(*)::int as rows from app.import_rows r
    where r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = ${phase} group by r.outcome`.execute(db)
  return Object.fromEntries(rows.map(({ outcome, rows: number }) => [outcome, number]))
}

/** How many rows of a phase have each kind of change, most frequent first. */
export async function countKinds(db: ActorDb, orgId: string, importId: string, phase: ImportPhase): Promise<ImportChangeCount[]> {
  const { rows } = await sql<ImportChangeCount>`
    select k.kind, count(*)::int as rows from app.import_rows r cross join lateral unnest(r.kinds) k (kind)
    where r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = ${phase} and r.kinds is not null
    group by k.kind order by 2 desc, 1 limit 200`.execute(db)
  return rows
}

/**
 * Finds rows of a checked file that mean the same person: the same name with the same e-mail address, birth date or external id, unless both have a number
 * of their own. They are left out or merged as the options say; the same name in the same chapter is only remarked on.
 */
export async function findDoubles(db: ActorDb, orgId: string, importId: string, doubles: ImportOptions['doubles']): Promise<void> {
  const here = sql`r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = 'check'`
  const said = (level: string, code: ImportFindingCode, message: RawBuilder<unknown>, fix: string) =>
    sql`jsonb_build_object('level', ${level}::text, 'code', ${code}::text, 'params', jsonb_build_object('row', b.first, 'differing', ''), 'column', null, 'value', null, 'message', ${message}, 'fix', ${fix}::text)`
  const what = sql`case b.kind when 0 then 'e-mail address' when 1 then 'birth date' when 3 then 'external id' else 'chapter' end`
  const double =
    doubles === 'merge'
      ? said('warning', 'merged_row', sql`format('Row %s has the same name and %s. Both become one person.', b.first, ${what})`, mergeFix)
      : said(
          'error',
          'duplicate_row',
          sql`format('Row %s of this file has the same name and %s.', b.first, ${what})`,
          'Keep one of the two rows, or choose to merge doubles.',
        )
  await sql`
    with shared as materialized (
      select u.mark, min(r.line) as first from app.import_rows r cross join lateral unnest(r.marks) u (mark)
      where ${here} and r.marks is not null group by u.mark having count(*) > 1
    ), twins as materialized (
      select r.line, s.first, (s.mark & 3)::int as kind, s.mark & 3 <> 2 and not (r.key like 'no:%' and (f.key like 'no:%' or f.key like 'id:%')) as sure
      from app.import_rows r cross join lateral unnest(r.marks) u (mark) join shared s on s.mark = u.mark and s.first < r.line
      join app.import_rows f on f.org_id = r.org_id and f.import_id = r.import_id and f.phase = r.phase and f.line = s.first
      where ${here} and r.outcome = 'create' and not r.findings @> '[{"code": "similar_row"}]'
    ), best as (
      select distinct on (t.line) t.* from twins t order by t.line, t.sure desc, t.kind, t.first
    )
    update app.import_rows r set
      same_as = case when b.sure then b.first end,
      outcome = case when b.sure then ${doubles === 'merge' ? 'update' : 'reject'} else r.outcome end,
      key = case when not b.sure then r.key end,
      findings = r.findings || case when b.sure then ${double}
        else ${said('warning', 'similar_row', sql`format('Row %s has the same name and %s.', b.first, ${what})`, 'Check that they are two people.')} end
    from best b where ${here} and r.line = b.line`.execute(db)
}

/** Which of these lines the check found to mean the same person as an earlier one, each with the first of them. */
export async function doublesAmong(db: ActorDb, orgId: string, importId: string, lines: readonly number[]): Promise<Map<number, number>> {
  const here = sql`r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = 'check' and r.same_as is not null`
  const { rows } = await sql<{ line: number; first: number }>`
    with recursive up (line, first) as (
      select r.line, r.same_as from app.import_rows r where ${here} and r.line = any (${lines}::int[])
      union all
      select up.line, r.same_as from up join app.import_rows r on r.line = up.first and ${here}
    ) select up.line, min(up.first) as first from up group by up.line`.execute(db)
  return new Map(rows.map(({ line, first }) => [line, first]))
}

/** Lines to merge after one, in order. */
export async function linesToMerge(db: ActorDb, orgId: string, importId: string, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ line: number }>`
    select r.line from app.import_rows r
    where r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = 'check' and r.same_as is not null and r.line > ${after}
    order by r.line limit ${limit}`.execute(db)
  return rows.map(({ line }) => line)
}

/** What lines of a run became. */
export async function entitiesOf(db: ActorDb, orgId: string, importId: string, lines: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ line: number; id: string }>`
    select r.line, r.entity_id as id from app.import_rows r
    where r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = 'run' and r.line = any (${lines}::int[])
      and r.entity_id is not null`.execute(db)
  return new Map(rows.map(({ line, id }) => [line, id]))
}

/** What the check showed on those of these lines whose changes were accepted. */
export async function acceptedEffects(
  db: ActorDb,
  orgId: string,
  importId: string,
  lines: readonly number[],
): Promise<Map<number, readonly Effect[]>> {
  const { rows } = await sql<{ line: number; effects: Effect[] }>`
    select r.line, r.effects from app.import_rows r
    where r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = 'check' and r.line = any (${lines}::int[]) and r.accepted`.execute(
    db,
  )
  return new Map(rows.map(({ line, effects }) => [line, effects]))
}

/**
 * Accepts what waiting lines change; all of them where none is named. Lines that were rejected only because those above them waited are
 * forgotten, to be looked at again. Gives the counts as they are then, and how many lines were forgotten.
 */
export async function acceptChanges(
  db: ActorDb,
  orgId: string,
  importId: string,
  counts: ImportCounts,
  lines: readonly number[] | null,
): Promise<{ counts: ImportCounts; forgotten: number }> {
  const here = sql`r.org_id = ${orgId}::uuid and r.import_id = ${importId}::uuid and r.phase = 'check'`
  const updated = await sql`
    update app.import_rows r set accepted = true, outcome = 'update', key = 'code:' || substr(r.key, 6)
    where ${here} and r.accepted = false and ${lines ? sql`r.line = any (${lines}::int[])` : sql`true`}`.execute(db)
  const accepted = Number(updated.numAffectedRows ?? 0)
  const below = sql`delete from app.import_rows r where ${here} and r.outcome = 'reject' and r.key like 'held:%' and r.entity_id is null`
  const forgotten = accepted > 0 ? Number((await below.execute(db)).numAffectedRows ?? 0) : 0
  return {
    counts: { ...counts, update: counts.update + accepted, skip: counts.skip - accepted, reject: counts.reject - forgotten },
    forgotten,
  }
}

export const noCounts: ImportCounts = { create: 0, update: 0, unchanged: 0, skip: 0, reject: 0 }
export const noUndo: UndoCounts = { removed: 0, restored: 0, kept: 0 }
