import type pg from 'pg'
import { createServices } from '../../../platform/services.ts'
import type { Services } from '../../../platform/services.ts'

type NewConnection = {
  connector?: string
  category?: string
  name?: string
  state?: string
  chapterId?: string
  ownerId?: string
  freshHours?: number
  lastSuccessAt?: Date
}

/** A connection as it stands in the database, without asking another side. */
export async function connectionOf(admin: pg.Pool, orgId: string, made: NewConnection = {}): Promise<{ id: string; slug: string }> {
  const { connector = 'sandbox', category = 'crm', name = 'Mailing list', state = 'connected' } = made
  const { rows } = await admin.query<{ id: string; slug: string }>(
    `insert into app.connections (org_id, connector, category, name, state, syncs, chapter_id, owner_account_id, fresh_hours, last_success_at, created_at)
     values ($1, $2, $3, $4, $5, true, $6, $7, $8, $9, now() - interval '900 days') returning id, slug`,
    [
      orgId,
      connector,
      category,
      name,
      state,
      made.chapterId ?? null,
      made.ownerId ?? null,
      made.freshHours ?? null,
      made.lastSuccessAt ?? null,
    ],
  )
  return rows[0] ?? { id: '', slug: '' }
}

/** As the worker, until it has run. */
export async function asWorker<T>(
  { services: { config, log } }: { services: Services },
  run: (worker: Services) => Promise<T>,
): Promise<T> {
  const worker = createServices(config, log, config.WORKER_DATABASE_URL)
  return run(worker).finally(() => worker.close())
}

/** In a transaction of the worker. */
export const measuring = <T>(
  api: { services: Services },
  run: (db: Parameters<Parameters<Services['database']['withoutActor']>[0]>[0]) => Promise<T>,
) => asWorker(api, ({ database }) => database.withoutActor(run))
