import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'

export type StoredScimAccess = { hint: string | null; madeAt: string | null; usedAt: string | null }

/** Of a connection to an identity provider that the caller manages. */
export async function findScimAccess(db: ActorDb, connectionId: string): Promise<StoredScimAccess | undefined> {
  const { rows } = await sql<StoredScimAccess>`select t.hint, to_json(t.made_at) as "madeAt", to_json(t.used_at) as "usedAt"
    from app.connections c left join app.scim_tokens t on t.org_id = c.org_id and t.connection_id = c.id
    where c.id = ${connectionId} and c.connector = 'scim' and c.state <> 'disconnected' and c.id = any ((select app.managed_connections())::uuid[])`.execute(
    db,
  )
  return rows[0]
}

type Maker = { orgId: string; accountId: string }

/** The one before is valid no more. */
export async function writeScimToken(
  db: ActorDb,
  { orgId, accountId }: Maker,
  connectionId: string,
  { secretHash, hint }: { secretHash: string; hint: string },
): Promise<void> {
  await sql`insert into app.scim_tokens (org_id, connection_id, secret_hash, hint, made_by) values (${orgId}, ${connectionId}, ${secretHash}, ${hint}, ${accountId})
    on conflict (org_id, connection_id) do update set secret_hash = ${secretHash}, hint = ${hint}, made_by = ${accountId}, made_at = now(), used_at = null`.execute(
    db,
  )
}
