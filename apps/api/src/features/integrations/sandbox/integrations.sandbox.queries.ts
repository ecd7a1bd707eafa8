import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { SandboxRecord } from '../connectors/integrations.connector.rules.ts'

export async function sandboxRecords(db: ActorDb, connectionId: string): Promise<SandboxRecord[]> {
  const { rows } =
    await sql<SandboxRecord>`select s.external_id as "externalId", s.held, s.changes, s.is_gone as "isGone" from app.sandbox_records s
    where s.connection_id = ${connectionId} order by s.external_id`.execute(db)
  return rows
}

export async function putSandboxRecords(
  db: ActorDb,
  orgId: string,
  connectionId: string,
  records: readonly Pick<SandboxRecord, 'externalId' | 'held' | 'isGone'>[],
): Promise<void> {
  await sql`insert into app.sandbox_records as s (org_id, connection_id, external_id, held, is_gone)
    select ${orgId}::uuid, ${connectionId}::uuid, x."externalId", x.held, x."isGone" from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) x ("externalId" text, held jsonb, "isGone" boolean)
    on conflict (org_id, connection_id, external_id) do update set held = s.held || excluded.held, is_gone = excluded.is_gone, changes = s.changes + 1`.execute(
    db,
  )
}
