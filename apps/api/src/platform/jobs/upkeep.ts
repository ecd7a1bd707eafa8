import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { JobHandler } from './jobs.ts'
import { organisationIds } from './organisation-ids.ts'
import type { Services } from '../services.ts'
import type { Schedule } from '../schedules/schedules.ts'

type Rows = Kysely<Schema>

/** Counting a large organisation takes longer than any request may. */
const counting = (services: Services, run: (db: Rows) => Promise<unknown>) =>
  services.database.withoutActor(run, { statementTimeoutMs: 600_000 })

/** Whoever changes the log behind its back is noticed by the next night. */
async function verifyAudit({ metrics, log }: Services, db: Rows, org: string): Promise<void> {
  const { rows } = await sql<{ firstBroken: string | null }>`select first_broken as "firstBroken" from app.verify_audit_of(${org})`.execute(
    db,
  )
  const firstBroken = rows[0]?.firstBroken ?? null
  if (firstBroken === null) return
  metrics.auditBroken()
  log.error({ org, firstBroken }, 'the audit log was changed behind its back')
}

/** A new day of an organisation begins at its midnight: who is a member, in office or of age may have changed with it. */
export const upkeepSchedules = (services: Services): Schedule[] => [
  {
    name: 'day-counts',
    rule: { every: 'day', at: '00:01' },
    missed: 'once',
    statementTimeoutMs: 600_000,
    run: async (db, { org }) => {
      await sql`select app.refresh_counts(${org})`.execute(db)
    },
  },
  {
    name: 'audit-check',
    rule: { every: 'day', at: '03:10' },
    missed: 'once',
    statementTimeoutMs: 600_000,
    run: (db, { org }) => verifyAudit(services, db, org),
  },
]

/** Once a day: what is kept for some days only, with the files of it. */
export const dailyUpkeep =
  (services: Services): JobHandler =>
  async () => {
    const { database, files, log } = services
    // Files first: a stop in between leaves their rows, and the next day tries again.
    const { rows } = await database.withoutActor((db) => sql<{ key: string }>`select key from app.expired_files() key`.execute(db))
    for (const { key } of rows) await files.remove(key)
    await counting(services, (db) =>
      sql`select app.purge_expired(), app.forget_uses(), app.purge_mail(), app.purge_mail_feedback(), app.purge_comments(), app.purge_notes(), app.purge_notifications(), app.purge_recordings(), app.purge_links(), app.purge_runs(), app.purge_invitations(),
          app.purge_automation_runs(), app.purge_messages(200000), app.purge_webhooks(500000), app.purge_key_uses()`.execute(db),
    )
    log.info({ files: rows.length }, 'what had expired is gone')
  }

/** Every few minutes: the gaps in each organisation's data. */
export const refreshDataHealth =
  (services: Services): JobHandler =>
  async (_data, { signal }) => {
    for (const org of await services.database.withoutActor(organisationIds)) {
      signal.throwIfAborted()
      await counting(services, (db) => sql`select app.refresh_data_health(${org})`.execute(db))
    }
  }
