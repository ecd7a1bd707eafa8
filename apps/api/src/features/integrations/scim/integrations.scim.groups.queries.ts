import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { Equals, GroupField } from './integrations.scim.filter.rules.ts'
import { isGroup, isHeld, isKnown, usersFrom } from './integrations.scim.queries.ts'
import type { OpenedScim } from './integrations.scim.queries.ts'

export type StoredGroup = {
  id: string
  displayName: string
  externalId: string | null
  members: { value: string; display: string }[] | null
}

/** More members than anybody has who holds a standard role in a whole organisation. */
const mostMembers = 5_000

const groupItem = (connectionId: string, withMembers: boolean) => sql<StoredGroup>`json_build_object('id', o.id, 'displayName', o.name,
  'externalId', (select x.external_id from app.scim_groups x where x.org_id = o.org_id and x.connection_id = ${connectionId} and x.role_id = o.id),
  'members', ${
    withMembers
      ? sql`(select coalesce(json_agg(json_build_object('value', m.id, 'display', m.name) order by m.id), '[]') from (
          select a.id, coalesce(nullif(a.name, ''), a.email, '') as name ${usersFrom(connectionId)} where ${isKnown}
            and exists (select from app.grants g where g.org_id = o.org_id and g.role_id = o.id and g.account_id = a.id and ${isHeld})
          order by a.id limit ${mostMembers}) m)`
      : sql`null`
  })`

const groupConditions: Record<GroupField, (value: string, connectionId: string) => RawBuilder<SqlBool>> = {
  id: (value) => sql`o.id::text = ${value.toLowerCase()}`,
  displayName: (value) => sql`lower(o.name) = lower(${value})`,
  externalId: (value, connectionId) =>
    sql`exists (select from app.scim_groups x where x.org_id = o.org_id and x.connection_id = ${connectionId} and x.role_id = o.id and x.external_id = ${value})`,
  member: (value) =>
    sql`exists (select from app.grants g where g.org_id = o.org_id and g.role_id = o.id and g.account_id::text = ${value.toLowerCase()} and ${isHeld})`,
}

export async function listGroups(
  db: ActorDb,
  connectionId: string,
  filter: readonly Equals<GroupField>[],
  withMembers: boolean,
): Promise<StoredGroup[]> {
  const where = sql.join([isGroup, ...filter.map(({ field, value }) => groupConditions[field](value, connectionId))], sql` and `)
  const { rows } = await sql<{
    item: StoredGroup
  }>`select ${groupItem(connectionId, withMembers)} as item from app.roles o where ${where} order by o.name, o.id`.execute(db)
  return rows.map(({ item }) => item)
}

/** One change of a group at a time. Standard roles are rows that nobody changes, so the lock is of their name. */
export const holdGroup = (db: ActorDb, { orgId }: OpenedScim, roleId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`scim group ${orgId} ${roleId}`}, 0))`.execute(db)

/** Of these, the accounts that the provider may know of. */
export async function knownAmong(db: ActorDb, connectionId: string, accountIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{
    id: string
  }>`select a.id ${usersFrom(connectionId)} where a.id = any (${[...accountIds]}::uuid[]) and ${isKnown}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export async function nameGroup(
  db: ActorDb,
  { orgId, connectionId }: OpenedScim,
  roleId: string,
  externalId: string | null,
): Promise<void> {
  if (externalId === null || externalId === '')
    await db.deleteFrom('app.scim_groups').where('connection_id', '=', connectionId).where('role_id', '=', roleId).execute()
  else
    await sql`insert into app.scim_groups (org_id, connection_id, role_id, external_id) values (${orgId}, ${connectionId}, ${roleId}, ${externalId})
      on conflict (org_id, connection_id, role_id) do update set external_id = excluded.external_id`.execute(db)
}
