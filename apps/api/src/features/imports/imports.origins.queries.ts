import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'

/** An import as findings name it. */
export type NamedImport = { id: string; fileName: string }
/** A record whose history is asked for. `subject` is the person, chapter or group under which the audit log finds it. */
export type Traced = { table: string; id: string | null; subject: string | null }

const importOf = sql`case when a.via ~ '^import:[0-9a-f-]{36}$' then substr(a.via, 8)::uuid end`
const aboutSubject = sql`(a.person_id = w.subject or a.chapter_id = w.subject or a.group_id = w.subject)`
const sameRecord = sql`a.org_id = (select app.org_id()) and a.entity = w."table" and a.entity_id is not distinct from w.id and ${aboutSubject}`
const wantedRows = (records: readonly Traced[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(records.map((record, at) => ({ at, ...record })))}::jsonb) w (at int, "table" text, id uuid, subject uuid)`

/** Which import made each of these records, by their place in the list; those that no import made, or whose history is hidden, are left out. */
export async function madeBy(db: ActorDb, orgId: string, records: readonly Traced[]): Promise<Map<number, NamedImport>> {
  if (records.length === 0) return new Map()
  const { rows } = await sql<{ at: number } & NamedImport>`
    select x.at, i.id, i.file_name as "fileName" from ${wantedRows(records)} join lateral (
      select w.at, ${importOf} as import_id from app.audit_entries a where ${sameRecord} and a.action = 'create' order by a.seq desc limit 1
    ) x on true join app.imports i on i.org_id = ${orgId}::uuid and i.id = x.import_id`.execute(db)
  return new Map(rows.map(({ at, id, fileName }) => [at, { id, fileName }]))
}

export type LastingChange = { columns: string[]; by: NamedImport | null; known: boolean }

/**
 * What is different about these records from what it was before the changes that others than `importId` made, by their place in the list. What was
 * changed and changed back, as when a later import was undone, is no difference. `known` is false where no change can be seen at all.
 */
export async function lastingChanges(
  db: ActorDb,
  orgId: string,
  importId: string,
  records: readonly Traced[],
): Promise<Map<number, LastingChange>> {
  if (records.length === 0) return new Map()
  const { rows } = await sql<{ at: number; columns: string[] | null; known: boolean; id: string | null; fileName: string | null }>`
    select w.at, x.columns, coalesce(x.known, false) as known, i.id, i.file_name as "fileName"
    from ${wantedRows(records)} left join lateral (
      select array_agg(c.key order by c.key) filter (where c.was is distinct from c.now) as columns, count(*) > 0 as known,
        (array_agg(c.import_id order by c.seq desc) filter (where c.was is distinct from c.now))[1] as import_id
      from (
        select d.key, (array_agg(d.value -> 0 order by a.seq))[1] as was, (array_agg(d.value -> 1 order by a.seq desc))[1] as now, max(a.seq) as seq,
          (array_agg(${importOf} order by a.seq desc))[1] as import_id
        from app.audit_entries a cross join lateral jsonb_each(a.diff) d
        where ${sameRecord} and a.action = 'update' and a.via is distinct from ${`import:${importId}`}
        group by d.key
      ) c
    ) x on true left join app.imports i on i.org_id = ${orgId}::uuid and i.id = x.import_id`.execute(db)
  return new Map(
    rows.map(({ at, columns, known, id, fileName }) => [
      at,
      { columns: columns ?? [], known, by: id !== null && fileName !== null ? { id, fileName } : null },
    ]),
  )
}

export type ChangedColumn = Traced & { column: string }

/** Which import changed a column last, where it was an import; by place in the list. */
export async function lastChangedBy(db: ActorDb, orgId: string, importId: string, columns: readonly ChangedColumn[]) {
  if (columns.length === 0) return new Map<number, NamedImport>()
  const wanted = JSON.stringify(columns.map((column, at) => ({ at, ...column })))
  const { rows } = await sql<{ at: number } & NamedImport>`
    select w.at, i.id, i.file_name as "fileName"
    from jsonb_to_recordset(${wanted}::jsonb) w (at int, "table" text, id uuid, subject uuid, "column" text)
    join lateral (
      select ${importOf} as import_id from app.audit_entries a
      where ${sameRecord} and a.action in ('update', 'create') and a.diff ? w."column" and a.via is distinct from ${`import:${importId}`}
      order by a.seq desc limit 1
    ) x on true join app.imports i on i.org_id = ${orgId}::uuid and i.id = x.import_id`.execute(db)
  return new Map<number, NamedImport>(rows.map(({ at, id, fileName }) => [at, { id, fileName }]))
}
