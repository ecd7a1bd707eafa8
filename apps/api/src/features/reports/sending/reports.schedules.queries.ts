import type { ReportCadence, ReportQuestion, ReportSchedule } from '@guildhall/contract/features/reports'
import type { Failure } from '@guildhall/contract/reasons'
import type { Actor, ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { fault, problem } from '../../../platform/procedures/problem.ts'
import { mustTouch } from '../../../platform/records/update-record.ts'
import { readsReports } from '../reports.frame.queries.ts'

const scheduleItem = sql<ReportSchedule>`json_build_object('id', s.id, 'report', json_build_object('id', s.report_id, 'name', coalesce(r.name, '')), 'cadence', s.cadence,
  'formats', s.formats, 'recipients', (select coalesce(json_agg(json_build_object('accountId', x.account_id, 'name', coalesce(n.name, '')) order by lower(n.name), x.account_id), '[]')
    from app.report_recipients x left join app.account_name(x.account_id) n on true where x.org_id = s.org_id and x.schedule_id = s.id),
  'nextOn', s.next_on, 'lastSentAt', s.last_sent_at, 'failure', s.failure, 'pausedAt', s.paused_at, 'version', s.version)`
const schedulesFrom = sql`from app.report_schedules s left join app.reports r on r.org_id = s.org_id and r.id = s.report_id`

export async function listSchedules(db: ActorDb, reportId: string | undefined): Promise<ReportSchedule[]> {
  const { rows } = await sql<{ item: ReportSchedule }>`select ${scheduleItem} as item ${schedulesFrom}
    where ${reportId === undefined ? sql`true` : sql`s.report_id = ${reportId}`} and ${readsReports} order by s.next_on, s.id limit ${sql.lit(mostSchedules)}`.execute(
    db,
  )
  return rows.map(({ item }) => item)
}

export async function findSchedule(db: ActorDb, scheduleId: string): Promise<ReportSchedule | undefined> {
  const { rows } = await sql<{
    item: ReportSchedule
  }>`select ${scheduleItem} as item ${schedulesFrom} where s.id = ${scheduleId} and ${readsReports}`.execute(db)
  return rows[0]?.item
}

export const mostSchedules = 200
export async function countSchedules(db: ActorDb): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from app.report_schedules`.execute(db)
  return rows[0]?.n ?? 0
}

/** To others than oneself takes the right to share. */
async function mustReach(db: ActorDb, { accountId }: Actor, accountIds: readonly string[]): Promise<void> {
  const others = accountIds.filter((id) => id !== accountId)
  if (others.length === 0) return
  const { rows } = await sql<{ may: boolean; unknown: boolean }>`select (select app.everywhere('reports.share')) as may,
    exists (select from unnest(${others}::uuid[]) x (id) where not exists (select from app.account_name(x.id))) as unknown`.execute(db)
  const [found] = rows
  if (!found?.may) throw problem('FORBIDDEN')
  if (found.unknown)
    throw problem('UNPROCESSABLE_CONTENT', fault('accountIds', 'report_recipient_unknown', 'One of these has no account here.'))
}

async function setRecipients(db: ActorDb, { orgId }: Actor, scheduleId: string, accountIds: readonly string[]): Promise<void> {
  await sql`delete from app.report_recipients x where x.schedule_id = ${scheduleId} and x.account_id <> all (${accountIds}::uuid[])`.execute(
    db,
  )
  await sql`insert into app.report_recipients (org_id, schedule_id, account_id) select ${orgId}, ${scheduleId}, i from unnest(${accountIds}::uuid[]) i
    on conflict do nothing`.execute(db)
}

type ScheduleFields = { cadence: ReportCadence; formats: string[]; accountIds: string[] }
export async function insertSchedule(
  db: ActorDb,
  actor: Actor,
  { reportId, cadence, formats, accountIds }: ScheduleFields & { reportId: string },
): Promise<string> {
  await mustReach(db, actor, accountIds)
  const { rows } = await sql<{ id: string }>`insert into app.report_schedules (org_id, account_id, report_id, cadence, formats, next_on)
    values (${actor.orgId}, ${actor.accountId}, ${reportId}, ${cadence}, ${formats}::text[], app.report_next(${cadence}, (select app.today()))) returning id`.execute(
    db,
  )
  const id = rows[0]?.id ?? ''
  await setRecipients(db, actor, id, accountIds)
  return id
}

type ScheduleChange = { [Field in keyof ScheduleFields]?: ScheduleFields[Field] | undefined } & { isPaused?: boolean | undefined }
/** Touches a column whatever changes, so that of two at once one is refused. */
export async function updateSchedule(
  db: ActorDb,
  actor: Actor,
  scheduleId: string,
  version: number,
  change: ScheduleChange,
): Promise<void> {
  const { cadence, formats, accountIds, isPaused } = change
  if (accountIds) await mustReach(db, actor, accountIds)
  const next = sql`app.report_next(${cadence ?? sql`s.cadence`}, (select app.today()))`
  // One that goes on skips what it missed; another cadence counts from today.
  const kept = isPaused === false ? sql`greatest(s.next_on, ${next})` : sql`s.next_on`
  const { rows } = await sql`update app.report_schedules s set touched_at = now()
      ${cadence ? sql`, cadence = ${cadence}, next_on = case when s.cadence = ${cadence} then ${kept} else ${next} end` : sql`, next_on = ${kept}`}
      ${formats ? sql`, formats = ${formats}::text[]` : sql``}
      ${isPaused === undefined ? sql`` : sql`, paused_at = ${isPaused ? sql`coalesce(s.paused_at, now())` : sql`null`}`}
    where s.id = ${scheduleId} and s.version = ${version} returning 1`.execute(db)
  await mustTouch(rows.length > 0, () => findSchedule(db, scheduleId), version)
  if (accountIds) await setRecipients(db, actor, scheduleId, accountIds)
}

export async function removeSchedule(db: ActorDb, scheduleId: string, version: number): Promise<boolean> {
  const { rows } = await sql`delete from app.report_schedules s where s.id = ${scheduleId} and s.version = ${version} returning 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Raises the version, by which the mails of this once are known. */
export async function touchSchedule(db: ActorDb, scheduleId: string, version: number): Promise<boolean> {
  const { rows } =
    await sql`update app.report_schedules s set touched_at = now() where s.id = ${scheduleId} and s.version = ${version} returning 1`.execute(
      db,
    )
  return rows.length > 0
}

// For the worker ------------------------------------------------------------------------------------------------------------------------

export async function takeDue(db: Kysely<Schema>, orgId: string, on: string): Promise<{ scheduleId: string; accountId: string }[]> {
  const { rows } = await sql<{ scheduleId: string; accountId: string }>`
    select schedule_id as "scheduleId", account_id as "accountId" from app.take_due_reports(${orgId}, ${on})`.execute(db)
  return rows
}

export async function noteSent(
  db: Kysely<Schema>,
  orgId: string,
  scheduleId: string,
  sent: boolean,
  failure: Failure | null,
): Promise<void> {
  await sql`select app.note_report_sent(${orgId}, ${scheduleId}, ${sent}, ${failure && JSON.stringify(failure)}::jsonb)`.execute(db)
}

export const purgeRuns = (db: Kysely<Schema>, orgId: string) => sql`select app.purge_report_runs(${orgId})`.execute(db)

export type DueSchedule = {
  name: string | null
  question: ReportQuestion | null
  formats: string[]
  recipients: { accountId: string; name: string }[]
  mayRead: boolean
  mayShare: boolean
}
/** As its owner: what is to be mailed to whom, and whether they still may. */
export async function findDue(db: ActorDb, scheduleId: string): Promise<DueSchedule | undefined> {
  const { rows } =
    await sql<DueSchedule>`select r.name, r.question, s.formats, ${readsReports} as "mayRead", (select app.everywhere('reports.share')) as "mayShare",
      (select coalesce(json_agg(json_build_object('accountId', x.account_id, 'name', coalesce(n.name, '')) order by x.account_id), '[]')
        from app.report_recipients x left join app.account_name(x.account_id) n on true where x.org_id = s.org_id and x.schedule_id = s.id) as recipients
    ${schedulesFrom} where s.id = ${scheduleId}`.execute(db)
  return rows[0]
}
