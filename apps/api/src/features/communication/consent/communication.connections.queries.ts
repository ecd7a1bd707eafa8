import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'

/** Yes, no, or null of who never chose. */
type SaidConsent = 'yes' | 'no' | null
type Said = { person_id: string; says: SaidConsent }
const byPerson = (rows: readonly Said[]) => new Map(rows.map(({ person_id, says }) => [person_id, says]))

/** The topic that people can leave and that somebody named by its id, or by its name where only one has it. */
export async function topicNamed(db: ActorDb, named: string): Promise<{ id: string; name: string } | null> {
  const { rows } = await sql<{ id: string; name: string }>`select t.id, t.name from app.topics t
    where t.archived_at is null and t.kind = 'marketing' and (t.id::text = lower(${named}) or t.name_key = lower(${named})) limit 2`.execute(
    db,
  )
  const [topic, another] = rows
  return topic && !another ? topic : null
}

/** What people say about mail of a topic, or of any mail that is not essential; of those whom the actor may contact. */
export async function saidConsents(db: ActorDb, topicId: string | null, personIds: readonly string[]): Promise<Map<string, SaidConsent>> {
  const { rows } =
    await sql<Said>`select c.person_id, c.says from app.connection_consents(${topicId}::uuid, ${[...personIds]}::uuid[]) c`.execute(db)
  return byPerson(rows)
}

/**
 * What people said in a connected system. An unsubscription counts always; a subscription only of somebody who never chose here. Answers what stands
 * afterwards.
 */
export async function takeConsents(
  db: ActorDb,
  {
    connectionId,
    topicId,
    changes,
  }: { connectionId: string; topicId: string; changes: readonly { personId: string; subscribed: boolean }[] },
): Promise<Map<string, SaidConsent>> {
  const { rows } = await sql<Said>`select c.person_id, c.says from app.consents_from_connection(${connectionId}::uuid, ${topicId}::uuid,
    ${changes.map(({ personId }) => personId)}::uuid[], ${changes.map(({ subscribed }) => subscribed)}::boolean[]) c`.execute(db)
  return byPerson(rows)
}
