import { setTimeout as sleep } from 'node:timers/promises'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { actorKeyPads } from './actor.ts'
import { queues } from './queues.ts'

export type MigrateOptions = {
  /** Connection string of a role that may create roles, schemas and extensions. */
  adminUrl: string
  /** Database to migrate instead of the one in the url. */
  database?: string
  /** New passwords of the login roles app_api and app_worker; left as they are when absent. */
  apiPassword?: string
  workerPassword?: string
  /** 64 hex characters that sign the actor; the newest two keys stay valid. */
  actorKey: string
  /** Another folder of migrations, for tests of migrating itself. */
  migrationsDir?: string
  log?: (line: string) => void
}

const ownMigrations = new URL('../migrations', import.meta.url).pathname
/** Two deployments that start together must not both migrate; the second waits here and then finds nothing to do. */
const migrateLock = 7_345_001
const lockTries = 60
const lockPauseMs = 1_000

/**
 * Brings a database to the current schema: roles, extensions, migrations, job queues, signing key. Safe to run again and by two at once.
 * A migration that fails leaves the database as it was before that migration.
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const url = databaseUrl(options.adminUrl, options.database)
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  try {
    await admin.query('select pg_advisory_lock($1)', [migrateLock])
    await createRoles(admin, options)
    await createSchemas(admin)
    await admin.query('set role app_owner')
    const before = await appliedMigrations(admin)
    const run = () =>
      runner({
        dbClient: admin,
        dir: options.migrationsDir ?? ownMigrations,
        direction: 'up',
        migrationsTable: 'migrations',
        migrationsSchema: 'app_private',
        noLock: true,
        singleTransaction: false,
        checkOrder: true,
        log: () => {},
        logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      })
    await withShortLocks(admin, run)
    const applied = (await appliedMigrations(admin)).filter((name) => !before.includes(name))
    await admin.query('reset role')
    await storeActorKey(admin, options.actorKey)
    await createQueues(url, admin)
    for (const name of applied) options.log?.(`applied ${name}`)
    return { applied }
  } finally {
    await admin.end()
  }
}

/** Who waits for a lock makes everybody behind it wait: a migration waits two seconds, lets them pass, and tries again. */
async function withShortLocks(admin: pg.Client, run: () => Promise<unknown>): Promise<void> {
  await admin.query(`set lock_timeout = '2s'`)
  for (let tries = 1; ; tries++) {
    try {
      await run()
      break
    } catch (error) {
      const isLocked = error instanceof pg.DatabaseError && error.code === '55P03'
      if (!isLocked || tries === lockTries) throw error
      await admin.query('rollback')
      await sleep(lockPauseMs)
    }
  }
  await admin.query('reset lock_timeout')
}

async function appliedMigrations(admin: pg.Client): Promise<string[]> {
  const { rowCount } = await admin.query(`select where to_regclass('app_private.migrations') is not null`)
  if (!rowCount) return []
  const { rows } = await admin.query<{ name: string }>('select name from app_private.migrations order by id')
  return rows.map(({ name }) => name)
}

/** The same server and credentials, another database. */
export function databaseUrl(adminUrl: string, database: string | undefined): string {
  if (!database) return adminUrl
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.toString()
}

// Roles belong to the whole server, so several databases of one server (test clones) share them; the lock above is per database,
// hence a second, server-wide guard against "tuple concurrently updated".
async function createRoles(admin: pg.Client, options: MigrateOptions): Promise<void> {
  for (const [role, attributes] of [
    ['app_owner', 'nologin'],
    ['app_definer', 'nologin'],
    ['app_access', 'nologin'],
    ['app_api', 'login nosuperuser nobypassrls nocreatedb nocreaterole in role app_access'],
    ['app_worker', 'login nosuperuser nobypassrls nocreatedb nocreaterole in role app_access'],
  ] as const) {
    const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [role])
    if (!rowCount) await ignoreDuplicate(admin.query(`create role ${role} ${attributes}`))
  }
  await admin.query('grant app_owner to current_user')
  await admin.query('grant app_definer to app_owner')
  for (const [role, password] of [
    ['app_api', options.apiPassword],
    ['app_worker', options.workerPassword],
  ] as const) {
    if (password) await admin.query(`alter role ${role} password ${pg.escapeLiteral(password)}`)
  }
}

/** A temporary table or function can stand in for ours. Copies of a database do not take this with them. */
export const noTemporaryTables = `do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$`

async function createSchemas(admin: pg.Client): Promise<void> {
  await admin.query(`
    create schema if not exists extensions;
    create extension if not exists pg_trgm schema extensions;
    create extension if not exists unaccent schema extensions;
    create schema if not exists app authorization app_owner;
    create schema if not exists app_private authorization app_owner;
    revoke create on schema public from public;
    ${noTemporaryTables};
    grant usage on schema extensions to app_owner, app_access, app_definer`)
}

async function storeActorKey(admin: pg.Client, actorKey: string): Promise<void> {
  const { inner, outer } = actorKeyPads(actorKey)
  await admin.query(
    `insert into app_private.actor_keys (inner_pad, outer_pad)
     select $1, $2 where $1 is distinct from (select inner_pad from app_private.actor_keys order by id desc limit 1)`,
    [inner, outer],
  )
}

/** What the api says of a new job; its state and its outcome are the worker's. */
const jobColumns = `id, name, data, priority, start_after, created_on, singleton_key, singleton_on, group_id, group_tier, expire_seconds,
  deletion_seconds, keep_until, retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds, blocked,
  blocking, pending_dependencies`

/** The jobs of all organisations lie in one table: only the worker sees them, the api adds to them. */
async function createQueues(url: string, admin: pg.Client): Promise<void> {
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  for (const [name, options] of Object.entries(queues)) await boss.createQueue(name, options)
  await boss.stop({ graceful: false })
  await admin.query(`
    revoke all on all tables in schema pgboss from app_access, app_api, public;
    revoke all on all functions in schema pgboss from app_access, app_api, public;
    grant usage on schema pgboss to app_access;
    grant select, insert, update, delete on all tables in schema pgboss to app_worker;
    grant execute on all functions in schema pgboss to app_worker;
    grant select on pgboss.version, pgboss.queue to app_api;
    grant insert (${jobColumns}) on pgboss.job, pgboss.job_common to app_api;
    grant execute on function pgboss.job_now() to app_api`)
}

async function ignoreDuplicate(query: Promise<unknown>): Promise<void> {
  try {
    await query
  } catch (error) {
    const raced = error instanceof pg.DatabaseError && (error.code === '42710' || error.code === '23505')
    if (!raced) throw error
  }
}
