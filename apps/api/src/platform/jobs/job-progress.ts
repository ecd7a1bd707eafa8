import type { Job } from '@guildhall/contract/shapes'
import type { Actor, ActorDb, Database } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

// Progress of long work, for its owner: the row is written by whoever asks for the work and kept up to date by the worker.

/** A row of app.job_progress as the contract's Job. */
export const jobOf = (alias: string): RawBuilder<Job> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`json_build_object('id', ${column('id')}, 'kind', ${column('kind')}, 'title', ${column('title')}, 'status', ${column('status')},
    'done', ${column('done')}, 'total', ${column('total')}, 'result', ${column('result')}, 'error', ${column('error')},
    'createdAt', ${column('created_at')}, 'startedAt', ${column('started_at')}, 'finishedAt', ${column('finished_at')})`
}

export type NewJob = { kind: Job['kind']; title: string; total?: number | null; result?: Job['result'] }

/** A queued job of the caller; its id goes into the queue's message in the same transaction. */
export async function beginJob(db: ActorDb, actor: Actor, { kind, title, total = null, result }: NewJob): Promise<string> {
  const { id } = await db
    .insertInto('app.job_progress')
    .values({ org_id: actor.orgId, account_id: actor.accountId, kind, title: title.slice(0, 200), total })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (result) await noteJob(db, id, { result })
  return id
}

export type JobNote = { status?: Job['status']; done?: number; total?: number | null; result?: Job['result']; error?: Job['error'] }

/** Notes how far a job is; `result` is merged into what is there. The first start and the end are dated. */
export async function noteJob(db: ActorDb, jobId: string, { status, result, done, total, error }: JobNote): Promise<void> {
  const finished = status === 'done' || status === 'failed' || status === 'cancelled'
  await db
    .updateTable('app.job_progress')
    .set({
      ...(error === undefined ? {} : { error: error && JSON.stringify(error) }),
      ...(done === undefined ? {} : { done }),
      ...(total === undefined ? {} : { total }),
      ...(status ? { status } : {}),
      ...(status === 'running' ? { started_at: sql<string>`coalesce(started_at, now())` } : {}),
      ...(finished ? { finished_at: sql<string>`now()`, started_at: sql<string>`coalesce(started_at, now())` } : {}),
      ...(result ? { result: sql`result || ${JSON.stringify(result)}::jsonb` } : {}),
      updated_at: sql<string>`now()`,
    })
    .where('id', '=', jobId)
    .execute()
}

/** Ends a job that its owner no longer wants; one that has ended stays as it is. The worker looks before each of its steps. */
export async function cancelJob(db: ActorDb, jobId: string): Promise<void> {
  const job = await lockJob(db, jobId)
  if (job && isUnderWay(job)) await noteJob(db, jobId, { status: 'cancelled' })
}

export const isUnderWay = ({ status }: Job): boolean => status === 'queued' || status === 'running'

/** Nobody else changes the job until the transaction ends. */
export async function lockJob(db: ActorDb, jobId: string): Promise<Job | undefined> {
  await sql`select from app.job_progress where id = ${jobId} for update`.execute(db)
  return findJob(db, jobId)
}

/** A job of the caller's own; anybody else's does not exist. */
export async function findJob(db: ActorDb, jobId: string): Promise<Job | undefined> {
  const { rows } = await sql<{ job: Job }>`select ${jobOf('j')} as job from app.job_progress j where j.id = ${jobId}`.execute(db)
  return rows[0]?.job
}

/**
 * As whom a job runs: the account that asked for it with the roles of its last verified token, so that rights taken away since count.
 * Null when the account may no longer act.
 */
export async function jobActor(database: Database, orgId: string, accountId: string): Promise<Actor | null> {
  const bare: Actor = { orgId, accountId, idpRoles: [] }
  return database.asActor(bare, async (db) => {
    const account = await db
      .selectFrom('app.accounts')
      .select('idp_roles')
      .where('id', '=', accountId)
      .where('status', '=', 'active')
      .executeTakeFirst()
    return account ? { ...bare, idpRoles: account.idp_roles } : null
  })
}
