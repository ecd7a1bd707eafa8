import type { MailChoices, MailReach, Suppressions } from '@guildhall/contract/features/communication.topics'
import type { ActorDb, Database } from '@guildhall/db'
import { sql } from 'kysely'

type Standing = { mine: boolean; contact: boolean; writes: boolean }

/** What the caller may do about a person they see; nothing for one they do not see. */
export async function standingWith(db: ActorDb, personId: string): Promise<Standing | undefined> {
  const { rows } = await sql<Standing>`select coalesce(p.id = (select app.person_id()), false) as mine,
      coalesce(p.id = (select app.person_id()), false) or (select app.everywhere('people.contact'))
        or exists (select from app.people_within('people.contact') w where w.org_id = p.org_id and w.person_id = p.id)
        or exists (select from app.people_led('people.contact') w where w.org_id = p.org_id and w.person_id = p.id) as contact,
      p.id <> all ((select app.my_records())::uuid[]) and ((select app.everywhere('people.write'))
        or exists (select from app.people_within('people.write') w where w.org_id = p.org_id and w.person_id = p.id)) as writes
    from app.people p where p.id = ${personId}::uuid`.execute(db)
  return rows[0]
}

export async function choicesOf(db: ActorDb, personId: string): Promise<Omit<MailChoices, 'may'>> {
  const { rows } = await sql<{
    choices: Omit<MailChoices, 'may'>
  }>`select app.mail_choices(${personId}::uuid) || jsonb_build_object('changes', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'topic', jsonb_build_object('id', t.id, 'name', t.name), 'state', c.state, 'at', c.at, 'source', c.source,
        'note', c.proof ->> 'note') order by c.at desc, c.id desc), '[]')
      from (select x.* from app.consent_changes x where x.person_id = ${personId}::uuid order by x.at desc, x.id desc limit 200) c
      join app.topics t on t.org_id = c.org_id and t.id = c.topic_id)) as choices`.execute(db)
  const choices = rows[0]?.choices
  if (!choices) throw new Error('mail_choices answers always')
  return choices
}

export async function reachOf(db: ActorDb, personId: string, topicId: string | null): Promise<MailReach> {
  const { rows } = await sql<{ reach: MailReach }>`select app.mail_reach_of(${personId}::uuid, ${topicId}::uuid) as reach`.execute(db)
  const reach = rows[0]?.reach
  if (!reach) throw new Error('mail_reach_of answers always')
  return reach
}

export const topicExists = async (db: ActorDb, topicId: string): Promise<boolean> =>
  (await sql`select from app.topics t where t.id = ${topicId}::uuid`.execute(db)).rows.length > 0

export async function chooseTopic(db: ActorDb, topicId: string, subscribed: boolean): Promise<void> {
  await sql`select app.choose_topic(${topicId}::uuid, ${subscribed})`.execute(db)
}
export async function preferMail(db: ActorDb, essentialOnly: boolean, pausedUntil: Date | null): Promise<void> {
  await sql`select app.choose_mail(${essentialOnly}, ${pausedUntil})`.execute(db)
}

type Recorded = { personId: string; topicId: string; subscribed: boolean; note: string }
export async function recordConsent(db: ActorDb, { personId, topicId, subscribed, note }: Recorded): Promise<void> {
  await sql`select app.record_consent(${personId}::uuid, ${topicId}::uuid, ${subscribed}, ${note})`.execute(db)
}

/** What a mail asks to be confirmed; nothing when it was answered meanwhile. */
export async function consentToConfirm(database: Database, orgId: string, consentId: string) {
  return database.withoutActor(async (db) => {
    const { rows } = await sql<{
      topic: string
      asked_by_officer: boolean
    }>`select * from app.consent_to_confirm(${orgId}::uuid, ${consentId}::uuid)`.execute(db)
    return rows[0]
  })
}

export async function suppressionsOf(db: ActorDb, address: string | null): Promise<Suppressions> {
  const { rows } = await sql<{ found: Suppressions }>`select json_build_object(
      'items', (select coalesce(json_agg(json_build_object('reason', s.reason, 'source', s.source, 'note', s.note, 'since', s.since) order by s.since desc), '[]')
        from app.suppressed_addresses(${address}) s),
      'counts', (select coalesce(json_object_agg(c.reason, c.count), '{}') from app.suppression_counts() c)) as found`.execute(db)
  return rows[0]?.found ?? { items: [], counts: {} }
}
export async function suppressAddress(db: ActorDb, address: string, note: string): Promise<void> {
  await sql`select app.suppress_address(${address}, ${note})`.execute(db)
}
export async function releaseAddress(
  db: ActorDb,
  { address, note, asked }: { address: string; note: string; asked: boolean },
): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select app.release_address(${address}, ${note}, ${asked}) as done`.execute(db)
  return rows[0]?.done ?? false
}
