import type { Database } from '@guildhall/db'
import { catalogueBreaches } from '@guildhall/db/catalogue'
import { sql } from 'kysely'

/** Row-level security protects nothing from a role that stands above it, nor where a rule of the catalogue is broken: refuse to serve then. */
export async function refuseUnsafeDatabase(database: Database): Promise<void> {
  const { rows, breaches } = await database.withoutActor(async (db) => {
    const asking = await sql<{ name: string; above: boolean; owner: boolean; version: number }>`
      select r.rolname as name, r.rolsuper or r.rolbypassrls as above,
        exists (select from pg_class c where c.relnamespace = to_regnamespace('app') and c.relowner = r.oid)
          or exists (select from pg_roles o where o.rolname = 'app_owner' and pg_has_role(r.oid, o.oid, 'member')) as owner,
        current_setting('server_version_num')::int as version
      from pg_roles r where r.rolname = current_user`.execute(db)
    const [role] = asking.rows
    const safe = role && role.version >= 150_000 && !role.above && !role.owner
    return { rows: asking.rows, breaches: safe ? await catalogueBreaches((text) => sql.raw<{ breach: string }>(text).execute(db)) : [] }
  })
  const [role] = rows
  if (!role) throw new Error('The database did not say who we are.')
  if (role.version < 150_000) throw new Error('PostgreSQL 15 or newer is needed.')
  if (role.above)
    throw new Error(`The database role ${role.name} stands above row-level security. Use the role app_api that "guildhall migrate" makes.`)
  if (role.owner) throw new Error(`The database role ${role.name} owns the tables. Use the role app_api that "guildhall migrate" makes.`)
  if (breaches.length > 0)
    throw new Error(
      `The database breaks rules that keep organisations apart. Run "guildhall migrate", or undo what was changed:\n  - ${breaches.join('\n  - ')}`,
    )
}

/** A worker that may not see jobs would fail at each; it says so before the first. */
export async function refuseOtherRoles(database: Database): Promise<void> {
  const { rows } = await database.withoutActor((db) =>
    sql<{ name: string; works: boolean }>`
      select current_user as name, has_schema_privilege('pgboss', 'usage') and has_table_privilege('pgboss.job', 'delete') as works`.execute(
      db,
    ),
  )
  if (!rows[0]?.works)
    throw new Error(`The database role ${rows[0]?.name ?? ''} may not work on jobs. Use app_worker in WORKER_DATABASE_URL.`)
}

/** What we sign opens nothing where the database has another key: every request would fail, so none is taken. */
export async function refuseForeignKey(database: Database): Promise<void> {
  const code = await refusalOfSignature(database)
  if (code === '28000')
    throw new Error(
      'The database does not accept what this process signs. ACTOR_KEY must be the key that "guildhall migrate" stored last, and the clocks of both machines must agree.',
    )
  if (code !== null) throw new Error(`The database could not check a signature (${code}). Run "guildhall migrate".`)
}

/** When the backup was taken that this database was restored from; null when it was not. `guildhall restore` writes it into the server's settings. */
export async function restoredFrom(database: Database): Promise<Date | null> {
  const { rows } = await database.withoutActor((db) =>
    sql<{ at: string | null }>`select nullif(current_setting('guildhall.restored', true), '') as at`.execute(db),
  )
  const at = rows[0]?.at
  return at ? new Date(at) : null
}

/** Why the database does not take what we sign, as its code; null when it does. */
export async function refusalOfSignature(database: Database): Promise<string | null> {
  const statement = database.vouch({ use: 'find', issuer: 'nobody', subject: 'nobody', idpOrg: null })
  try {
    await database.withoutActor((db) => sql`select from app.find_account(${statement})`.execute(db))
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  }
}
