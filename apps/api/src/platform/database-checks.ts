import type { Database } from '@guildhall/db'
import { sql } from 'kysely'

/** Row-level security protects nothing from a role that stands above it: refuse to serve as one. */
export async function refuseUnsafeDatabase(database: Database): Promise<void> {
  const { rows } = await database.withoutActor((db) =>
    sql<{ name: string; above: boolean; owner: boolean; unprotected: string[] | null; version: number }>`
      select r.rolname as name, r.rolsuper or r.rolbypassrls as above,
        exists (select from pg_class c where c.relnamespace = 'app'::regnamespace and c.relowner = r.oid) or pg_has_role(r.oid, 'app_owner', 'member') as owner,
        (select array_agg(c.relname::text) from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind = 'r'
          and not (c.relrowsecurity and c.relforcerowsecurity)) as unprotected,
        current_setting('server_version_num')::int as version
      from pg_roles r where r.rolname = current_user`.execute(db),
  )
  const role = rows[0]
  if (!role) throw new Error('The database did not say who we are.')
  if (role.version < 150_000) throw new Error('PostgreSQL 15 or newer is needed.')
  if (role.above) throw new Error(`The database role ${role.name} stands above row-level security. Use the role app_api that "guildhall migrate" makes.`)
  if (role.owner) throw new Error(`The database role ${role.name} owns the tables. Use the role app_api that "guildhall migrate" makes.`)
  if (role.unprotected) throw new Error(`Row-level security is off for ${role.unprotected.join(', ')}. Run "guildhall migrate".`)
}
