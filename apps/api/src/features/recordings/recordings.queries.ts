import type { Recording, RecordingPart } from '@guildhall/contract/features/recordings'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { List } from '../../platform/lists/list-page.ts'

/** False when there are too many parts, or the recording is somebody else's. */
export async function keepPart(db: ActorDb, { recordingId, part }: RecordingPart, events: string): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`select app.keep_recording_part(${recordingId}, ${part}, ${events}) as kept`.execute(db)
  return rows[0]?.kept ?? false
}

export const recordingsList: List<Recording> = {
  key: ['recordings'],
  item: sql<Recording>`json_build_object('id', r.recording_id, 'account', json_build_object('id', a.id, 'name', a.name, 'email', a.email),
    'parts', r.parts, 'bytes', r.bytes, 'startedAt', r.started_at, 'endedAt', r.ended_at)`,
  from: sql`from (select p.org_id, p.recording_id, p.account_id, count(*)::int as parts, sum(octet_length(p.events))::int as bytes,
      min(p.created_at) as started_at, max(p.created_at) as ended_at
    from app.recording_parts p group by p.org_id, p.recording_id, p.account_id) r join app.accounts a on a.org_id = r.org_id and a.id = r.account_id`,
  where: [],
  order: [sql`r.started_at`, sql`r.recording_id`],
  descending: true,
}

/** Each part is a JSON list. */
export async function partsOf(db: ActorDb, recordingId: string): Promise<string[]> {
  const rows = await db.selectFrom('app.recording_parts').select('events').where('recording_id', '=', recordingId).orderBy('part').execute()
  return rows.map(({ events }) => events)
}

export async function removeRecording(db: ActorDb, recordingId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('app.recording_parts').where('recording_id', '=', recordingId).executeTakeFirst()
  return numDeletedRows > 0n
}
