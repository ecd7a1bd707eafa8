import type { Database } from '@guildhall/db'
import { sql } from 'kysely'

/** Jobs of a queue that are due, and how long the first of them has been. */
export type QueueState = { name: string; waiting: number; oldestSeconds: number }

export type WaitingWork = { queues: QueueState[]; backupAge: number | null }

/** What waits in the queues, and how many seconds ago the last backup was finished. */
export async function readWaitingWork(database: Database): Promise<WaitingWork> {
  return database.withoutActor(async (db) => {
    const { rows } = await sql<QueueState>`
      select name, count(*)::int as waiting, extract(epoch from now() - min(greatest(created_on, start_after)))::float8 as "oldestSeconds"
      from pgboss.job where state < 'active' and start_after <= now() and name <> 'mail' group by name
      union all select 'mail', waiting, "oldestSeconds" from (
        select sum(waiting)::int as waiting, max("oldestSeconds") as "oldestSeconds" from (
          select waiting, oldest_seconds as "oldestSeconds" from app.waiting_mail()
          union all select count(*)::int, extract(epoch from now() - min(greatest(created_on, start_after)))::float8
            from pgboss.job where state < 'active' and start_after <= now() and name = 'mail') mails) m where waiting > 0`.execute(db)
    const backup = await sql<{ age: number | null }>`select extract(epoch from now() - app.last_backup_at())::float8 as age`.execute(db)
    return { queues: rows, backupAge: backup.rows[0]?.age ?? null }
  })
}
