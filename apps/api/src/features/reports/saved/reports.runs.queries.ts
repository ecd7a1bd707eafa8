import type { ReportAnswer, ReportQuestion, ReportRun } from '@guildhall/contract/features/reports'
import type { Failure } from '@guildhall/contract/reasons'
import type { Actor, ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { List } from '../../../platform/lists/list-page.ts'

const fields = sql`'id', u.id, 'question', u.question, 'name', u.name, 'state', u.state, 'done', u.done, 'total', u.total, 'error', u.error,
  'createdAt', u.created_at, 'finishedAt', u.finished_at, 'expiresAt', u.expires_at`

type RunRow = Omit<ReportRun, 'answer'>
export const runsList = (): List<RunRow> => ({
  key: ['report-runs'],
  item: sql<RunRow>`json_build_object(${fields})`,
  from: sql`from app.report_runs u`,
  where: [sql`u.expires_at > now()`],
  order: [sql`u.id`],
  descending: true,
})

export async function findRun(db: ActorDb, runId: string): Promise<ReportRun | undefined> {
  const { rows } = await sql<{ item: ReportRun }>`
    select json_build_object(${fields}, 'answer', u.answer) as item from app.report_runs u where u.id = ${runId} and u.expires_at > now()`.execute(
    db,
  )
  return rows[0]?.item
}

export async function insertRun(db: ActorDb, { orgId, accountId }: Actor, question: ReportQuestion): Promise<string> {
  // Named after the report that asks this, where the caller has one.
  const { rows } = await sql<{ id: string }>`
    insert into app.report_runs (org_id, account_id, question, name) values (${orgId}, ${accountId}, ${JSON.stringify(question)}::jsonb,
      (select r.name from app.reports r where r.question = ${JSON.stringify(question)}::jsonb order by r.account_id <> ${accountId}, r.id desc limit 1))
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}

export type MailedRun = { scheduleId: string; slot: string; name: string; formats: readonly string[]; question: ReportQuestion }
/** A run whose answer is mailed; nothing where there is one for this person and moment already. */
export async function insertMailedRun(db: ActorDb, { orgId, accountId }: Actor, run: MailedRun): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into app.report_runs (org_id, account_id, question, name, schedule_id, slot, formats)
    values (${orgId}, ${accountId}, ${JSON.stringify(run.question)}::jsonb, ${run.name}, ${run.scheduleId}, ${run.slot}, ${run.formats}::text[])
    on conflict (org_id, schedule_id, account_id, slot) where schedule_id is not null do nothing returning id`.execute(db)
  return rows[0]?.id
}

export type RunToDo = { question: unknown; scheduleId: string | null }
/** The run of the caller that a job is to answer, held so that of two jobs one answers it. */
export async function takeRun(db: ActorDb, runId: string): Promise<RunToDo | undefined> {
  const { rows } = await sql<RunToDo>`
    update app.report_runs u set state = 'running', done = 0 where u.id = ${runId} and u.state in ('queued', 'running')
    returning u.question, u.schedule_id as "scheduleId"`.execute(db)
  return rows[0]
}

export const noteStep = (db: ActorDb, runId: string, done: number, total: number) =>
  sql`update app.report_runs u set done = ${done}, total = ${total} where u.id = ${runId} and u.state = 'running'`.execute(db)

/** False where another worker answered it before. */
export async function finishRun(db: ActorDb, runId: string, answer: ReportAnswer): Promise<boolean> {
  const { rows } =
    await sql`update app.report_runs u set state = 'done', done = u.total, answer = ${JSON.stringify(answer)}::jsonb, rights = app.report_rights(), finished_at = now()
    where u.id = ${runId} and u.state in ('queued', 'running') returning 1`.execute(db)
  return rows.length > 0
}

export async function failRun(db: ActorDb, runId: string, error: Failure): Promise<void> {
  await sql`update app.report_runs u set state = 'failed', error = ${JSON.stringify(error)}::jsonb, finished_at = now()
    where u.id = ${runId} and u.state in ('queued', 'running')`.execute(db)
}

export type RunToMail = { name: string; formats: string[]; question: ReportQuestion; answer: ReportAnswer; reportId: string | null }
/** What a mail of a run says, as its recipient may read it by now. */
export async function findRunToMail(db: ActorDb, runId: string): Promise<RunToMail | undefined> {
  const { rows } = await sql<RunToMail>`
    select coalesce(u.name, '') as name, u.formats, u.question, u.answer, (select r.id from app.reports r where r.question = u.question and r.name = u.name order by r.id desc limit 1) as "reportId"
    from app.report_runs u where u.id = ${runId} and u.state = 'done'`.execute(db)
  return rows[0]
}
