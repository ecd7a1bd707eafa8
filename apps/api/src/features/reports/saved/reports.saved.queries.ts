import type { NewReport, ReportAnswer, ReportQuestion, SavedReport } from '@guildhall/contract/features/reports'
import type { Actor, ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type * as z from 'zod'
import type { List } from '../../../platform/lists/list-page.ts'
import { columnsOf } from '../../../platform/records/columns.ts'
import { updateRecord } from '../../../platform/records/update-record.ts'
import { readsReports } from '../reports.frame.queries.ts'

// In these pieces `r` is the report, `w` where the caller put it, `t` what they saw last; both are left joined and the caller's own.

const mine = sql<boolean>`(r.account_id = (select app.account_id()))`
const reportsFrom = sql`from app.reports r
  left join app.report_places w on w.org_id = r.org_id and w.report_id = r.id and w.account_id = (select app.account_id())
  left join app.report_thumbnails t on t.org_id = r.org_id and t.report_id = r.id and t.account_id = (select app.account_id())
    and t.rights <@ (select app.report_rights())`
const reportItem = sql<SavedReport>`json_build_object('id', r.id, 'name', r.name, 'question', r.question, 'sharedWith', r.shared_with, 'isMine', ${mine},
  'owner', (select n.name from app.account_name(r.account_id) n), 'isOnHome', coalesce(w.is_on_home, false), 'isStarred', coalesce(w.is_starred, false),
  'thumbnail', case when t.report_id is not null then json_build_object('rows', t.rows, 'at', t.seen_at) end,
  'schedules', (select count(*)::int from app.report_schedules s where s.org_id = r.org_id and s.report_id = r.id),
  'updatedAt', r.updated_at, 'version', r.version,
  'may', json_build_object('edit', ${mine}, 'share', ${mine} and (select app.everywhere('reports.share'))))`

/** Starred ones first, then by name. */
export function reportsList({ q, home }: { q?: string | undefined; home?: boolean | undefined }): List<SavedReport> {
  const found = q?.trim()
  return {
    key: ['reports', found ?? '', home ?? null],
    item: reportItem,
    from: reportsFrom,
    where: [
      readsReports,
      ...(found ? [sql<SqlBool>`app.fold(r.name) like '%' || app.like_pattern(app.fold(${found})) || '%'`] : []),
      ...(home === undefined ? [] : [home ? sql<SqlBool>`w.is_on_home` : sql<SqlBool>`not coalesce(w.is_on_home, false)`]),
    ],
    order: [sql`(not coalesce(w.is_starred, false))::int`, sql`lower(r.name)`, sql`r.id`],
  }
}

export async function findReport(db: ActorDb, reportId: string): Promise<SavedReport | undefined> {
  const { rows } = await sql<{
    item: SavedReport
  }>`select ${reportItem} as item ${reportsFrom} where r.id = ${reportId} and ${readsReports}`.execute(db)
  return rows[0]?.item
}

export async function insertReport(db: ActorDb, { orgId, accountId }: Actor, report: z.infer<typeof NewReport>): Promise<string> {
  const { id } = await db
    .insertInto('app.reports')
    .values({ org_id: orgId, account_id: accountId, ...columnsOf('app.reports', { ...report, question: JSON.stringify(report.question) }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type ReportChange = { name?: string | undefined; question?: ReportQuestion | undefined; sharedWith?: SavedReport['sharedWith'] | undefined }
export async function updateReport(
  db: ActorDb,
  reportId: string,
  version: number,
  { question, ...change }: ReportChange,
): Promise<SavedReport> {
  const set = { ...columnsOf('app.reports', change), ...(question && { question: JSON.stringify(question) }) }
  const changed = await updateRecord(db, 'app.reports', { id: reportId, version }, set, () => findReport(db, reportId))
  if (!question) return changed
  // What was seen last answered another question.
  await sql`delete from app.report_thumbnails t where t.report_id = ${reportId} and t.account_id = (select app.account_id())`.execute(db)
  return { ...changed, thumbnail: null }
}

export async function removeReport(db: ActorDb, reportId: string, version: number): Promise<boolean> {
  const { rows } = await sql`delete from app.reports r where r.id = ${reportId} and r.version = ${version} returning 1`.execute(db)
  return rows.length > 0
}

export async function placeReport(
  db: ActorDb,
  { orgId, accountId }: Actor,
  { reportId, isOnHome, isStarred }: { reportId: string; isOnHome?: boolean | undefined; isStarred?: boolean | undefined },
): Promise<void> {
  await sql`insert into app.report_places as w (org_id, account_id, report_id, is_on_home, is_starred)
    values (${orgId}, ${accountId}, ${reportId}, ${isOnHome ?? false}, ${isStarred ?? false})
    on conflict (org_id, account_id, report_id) do update set
      is_on_home = coalesce(${isOnHome ?? null}::boolean, w.is_on_home), is_starred = coalesce(${isStarred ?? null}::boolean, w.is_starred)`.execute(
    db,
  )
}

const mostThumbnails = 20
/** Keeps what the caller saw with each report they have that asks just this. What is kept back stays so. */
export async function keepThumbnails(
  db: ActorDb,
  { orgId, accountId }: Actor,
  question: ReportQuestion,
  answer: ReportAnswer,
): Promise<void> {
  const rows = answer.rows.slice(0, 12).map(({ keys, values }) => {
    const named = keys.map(({ label, value }) => label ?? value).filter((one) => one !== null)
    return { label: named.length > 0 ? named.join(' · ').slice(0, 200).toWellFormed() : null, value: values[0] ?? null }
  })
  const shown = rows.length > 0 ? rows : [{ label: null, value: answer.total[0] ?? null }]
  await sql`insert into app.report_thumbnails (org_id, account_id, report_id, rows, seen_at)
    select ${orgId}, ${accountId}, r.id, ${JSON.stringify(shown)}::jsonb, ${answer.at}::timestamptz from app.reports r
    where r.question = ${JSON.stringify(question)}::jsonb order by r.id desc limit ${sql.lit(mostThumbnails)}
    on conflict (org_id, account_id, report_id) do update set rows = excluded.rows, seen_at = excluded.seen_at, rights = excluded.rights`.execute(
    db,
  )
}
