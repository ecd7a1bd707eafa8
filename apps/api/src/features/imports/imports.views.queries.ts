import type {
  Import,
  ImportKind,
  ImportPhase,
  ImportRow,
  ImportStatus,
  ImportSummary,
  RowOutcome,
} from '@guildhall/contract/features/imports'
import { importLimits } from '@guildhall/contract/features/imports'
import { sql } from 'kysely'
import type { Compilable } from 'kysely'
import { jobOf } from '../../platform/jobs/job-progress.ts'
import { statement } from '../../platform/records/statement.ts'
import type { List } from '../../platform/lists/list-page.ts'
import type { Effect, ValueRight } from './planning/imports.changes.rules.ts'
import type { Preview } from './imports.queries.ts'

const summary = sql`
  'id', i.id, 'kind', i.kind, 'fileName', i.file_name, 'fileSize', i.file_size, 'status', i.status, 'rowsTotal', i.rows_total,
  'counts', json_build_object('check', i.counts -> 'check', 'run', i.counts -> 'run', 'undo', i.counts -> 'undo'),
  'error', i.error,
  'tag', (select json_build_object('id', t.id, 'name', t.name, 'color', t.color, 'audience', t.audience) from app.tags t where t.org_id = i.org_id and t.id = i.tag_id),
  'createdBy', json_build_object('id', i.created_by, 'isMe', i.created_by = app.account_id(),
    'name', coalesce((select a.name from app.accounts a where a.org_id = i.org_id and a.id = i.created_by), '')),
  'createdAt', i.created_at, 'finishedAt', i.finished_at,
  'undoUntil', case when i.status in ('done', 'cancelled', 'failed', 'partly_undone') and i.finished_at > now() - make_interval(days => ${sql.lit(importLimits.undoDays)})
    then i.finished_at + make_interval(days => ${sql.lit(importLimits.undoDays)}) end,
  'version', i.version`

export type StoredView = Omit<Import, 'columns' | 'sample' | 'sheets' | 'findings' | 'missing' | 'unrecognized' | 'savedMapping'> & {
  mapping: string[]
  preview: Preview
  sensitive: boolean
}

/** One import with everything its page shows; one statement. */
export const importQuery = (importId: string): Compilable<{ item: StoredView }> =>
  statement(sql<{ item: StoredView }>`
    select json_build_object(${summary},
      'format', i.format, 'mapping', i.mapping, 'options', i.options, 'preview', i.preview,
      'sensitive', exists (select from app.permissions() p where p.permission = 'people.sensitive'),
      'sameFile', coalesce((select json_agg(json_build_object('id', s.id, 'fileName', s.file_name, 'status', s.status, 'createdAt', s.created_at) order by s.created_at desc)
        from (select * from app.imports o where o.org_id = i.org_id and o.kind = i.kind and o.file_hash = i.file_hash and o.id <> i.id
          and o.status in ('running', 'done', 'cancelled', 'failed', 'undoing', 'partly_undone') order by o.created_at desc limit 5) s), '[]'),
      'changes', json_build_object('check', i.counts -> 'kinds' -> 'check', 'run', i.counts -> 'kinds' -> 'run', 'undo', i.counts -> 'kinds' -> 'undo'),
      'waiting', case when i.status = 'checked' then (select count(*)::int from app.import_rows r
        where r.org_id = i.org_id and r.import_id = i.id and r.accepted = false) else 0 end,
      'job', (select ${jobOf('j')} from app.job_progress j where j.org_id = i.org_id
        and j.id = case when i.status in ('undoing', 'undone', 'partly_undone') then i.undo_job_id when i.run_job_id is not null then i.run_job_id else i.check_job_id end)
    ) as item
    from app.imports i where i.org_id = (select app.org_id()) and i.id = ${importId}::uuid`)

export const importsList = (wanted: { kind?: ImportKind | undefined; status?: ImportStatus | undefined }): List<ImportSummary> => ({
  key: ['imports', wanted.kind ?? null, wanted.status ?? null],
  item: sql<ImportSummary>`json_build_object(${summary})`,
  from: sql`from app.imports i`,
  where: [
    sql`i.org_id = (select app.org_id())`,
    ...(wanted.kind ? [sql<boolean>`i.kind = ${wanted.kind}`] : []),
    ...(wanted.status ? [sql<boolean>`i.status = ${wanted.status}`] : []),
  ],
  order: [sql`i.created_at`, sql`i.id`],
  descending: true,
})

export type StoredRow = Omit<ImportRow, 'changes'> & { effects: Effect[] }

/** Which values of an import's rows the reader may see: everybody's, or those of an import of one's own, which only wrote what was one's to write. */
export const readableQuery = (
  importId: string,
): Compilable<{ importTagId: string | null; mine: boolean; kind: ImportKind; may: ValueRight[] }> => {
  const may = (permission: string) => sql`(select app.everywhere(${permission}))
    or (i.created_by = (select app.account_id()) and (select app.scope(${permission})) <> '{}'::uuid[])`
  return statement(sql<{ importTagId: string | null; mine: boolean; kind: ImportKind; may: ValueRight[] }>`
    select i.tag_id as "importTagId", i.created_by = (select app.account_id()) as mine, i.kind, array_remove(array[case when ${may('people.contact')} then 'contact' end,
      case when ${may('people.sensitive')} then 'sensitive' end], null) as may
    from app.imports i where i.org_id = (select app.org_id()) and i.id = ${importId}::uuid`)
}

/** Names of chapters, groups and tags by id, as far as the reader sees them. */
export const namesQuery = (ids: readonly string[]): Compilable<{ id: string; name: string }> =>
  statement(
    sql<{ id: string; name: string }>`${sql.join(
      ['chapters', 'groups', 'tags'].map(
        (table) => sql`select t.id, t.name from ${sql.table(`app.${table}`)} t
          where t.org_id = (select app.org_id()) and t.id = any (${ids}::uuid[])`,
      ),
      sql` union all `,
    )}`,
  )

export const importRowsList = (wanted: {
  importId: string
  phase: ImportPhase
  outcome?: RowOutcome | undefined
  withFindings?: boolean | undefined
  kind?: string | undefined
  waiting?: boolean | undefined
  doubles?: boolean | undefined
  q?: string | undefined
}): List<StoredRow> => ({
  key: [
    'import rows',
    wanted.importId,
    wanted.phase,
    wanted.outcome ?? null,
    wanted.withFindings ?? false,
    wanted.kind ?? null,
    wanted.waiting ?? false,
    wanted.q ?? null,
    wanted.doubles ?? false,
  ],
  // Nobody reads what officers note about them. What a row of an earlier version has written for its undo is not meant for readers where nothing was there before.
  item: sql<StoredRow>`json_build_object('line', r.line, 'outcome', r.outcome, 'entityId', r.entity_id, 'name', r.label, 'accepted', r.accepted, 'sameAs', r.same_as,
    'effects', case when r.kinds is null then '[]' when r.entity_id = any ((select app.my_records())::uuid[])
      then (select coalesce(jsonb_agg(e), '[]') from jsonb_array_elements(r.effects) e where e ->> 'table' not in ('person_office_notes', 'people_field_values')) else r.effects end, 'findings', r.findings)`,
  from: sql`from app.import_rows r`,
  where: [
    sql`r.org_id = (select app.org_id())`,
    sql`r.import_id = ${wanted.importId}::uuid`,
    sql`r.phase = ${wanted.phase}`,
    ...(wanted.outcome ? [sql<boolean>`r.outcome = ${wanted.outcome}`] : []),
    ...(wanted.withFindings ? [sql<boolean>`r.findings <> '[]'`] : []),
    ...(wanted.kind ? [sql<boolean>`${wanted.kind} = any (r.kinds)`] : []),
    ...(wanted.waiting ? [sql<boolean>`r.accepted = false`] : []),
    ...(wanted.doubles
      ? [
          sql<boolean>`r.same_as is not null or exists (select from app.import_rows d where d.org_id = r.org_id and d.import_id = r.import_id
            and d.phase = r.phase and d.same_as = r.line)`,
        ]
      : []),
    ...(wanted.q ? [sql<boolean>`(r.line::text = ${wanted.q} or strpos(app.fold(r.label), app.fold(${wanted.q})) > 0)`] : []),
  ],
  order: wanted.doubles ? [sql`coalesce(r.same_as, r.line)`, sql`r.line`] : [sql`r.line`],
})
