import type { AudienceCount, AudiencePerson, AudienceRefusal } from '@guildhall/contract/features/communication.audiences'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { chapterRef, faceRef, orNull } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'

/** A SELECT of `person_id`. */
type People = RawBuilder<{ person_id: string }>

/** What keeps a mail about the topic from each of these people, asked for all of them at once. */
const reach = (topicId: string | null, people: People) => sql`app.audience_reach(${topicId}, array(select x.person_id from (${people}) x))`

export async function countPeople(db: ActorDb, people: People): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from (${people}) x`.execute(db)
  return rows[0]?.total ?? 0
}

export async function countReach(db: ActorDb, people: People, topicId: string | null): Promise<AudienceCount> {
  const { rows } = await sql<{ reason: AudienceRefusal | null; people: number }>`select r.refusal as reason, count(*)::int as people
    from ${reach(topicId, people)} r group by 1 order by 2 desc, 1`.execute(db)
  const total = rows.reduce((sum, row) => sum + row.people, 0)
  const refused = rows.flatMap(({ reason, people: number }) => (reason === null ? [] : [{ reason, people: number }]))
  return { total, reachable: total - refused.reduce((sum, row) => sum + row.people, 0), refused }
}

export async function isTopic(db: ActorDb, topicId: string): Promise<boolean> {
  return (await db.selectFrom('app.topics').select('id').where('id', '=', topicId).executeTakeFirst()) !== undefined
}

/** Asked for a page of people in one go. */
export async function refusalsOf(db: ActorDb, personIds: readonly string[], topicId: string | null): Promise<Map<string, AudienceRefusal>> {
  const { rows } = await sql<{ id: string; refusal: AudienceRefusal }>`select r.person_id as id, r.refusal
    from app.audience_reach(${topicId}, ${personIds}::uuid[]) r where r.refusal is not null`.execute(db)
  return new Map(rows.map(({ id, refusal }) => [id, refusal]))
}

type Shown = { topicId: string | null; show?: 'reachable' | AudienceRefusal | undefined }

/** `key`: what decides who is in it. */
export function audiencePeopleList(people: People, key: unknown, { topicId, show }: Shown): List<Omit<AudiencePerson, 'refusal'>> {
  const refusal = show === 'reachable' ? null : show
  return {
    key: ['people of an audience', key, topicId, show ?? null],
    item: sql`json_build_object('person', ${faceRef('p')}, 'chapter', ${orNull('c', chapterRef)},
      'email', (select e.address from app.person_emails e where e.org_id = p.org_id and e.person_id = p.id order by e.is_primary desc, e.created_at, e.id limit 1))`,
    from: sql`from app.people p left join app.chapters c on c.org_id = p.org_id and c.id = p.home_chapter_id`,
    where: [
      show === undefined
        ? sql`p.id in (${people})`
        : sql`p.id in (select r.person_id from ${reach(topicId, people)} r where r.refusal is not distinct from ${refusal ?? null}::text)`,
    ],
    order: [sql`p.sort_name`, sql`p.id`],
  }
}
