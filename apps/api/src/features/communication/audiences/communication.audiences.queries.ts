import type {
  Audience,
  AudienceChange,
  AudienceDefinition,
  AudienceNamed,
  AudienceRow,
  NewAudience,
} from '@guildhall/contract/features/communication.audiences'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { chapterRef, groupRef, orNull } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { fault, problem } from '../../../platform/procedures/problem.ts'
import { columnsOf } from '../../../platform/records/columns.ts'
import { statement } from '../../../platform/records/statement.ts'
import { updateRecord } from '../../../platform/records/update-record.ts'

// In these pieces `u` is the audience, `c` its chapter and `g` its group, both left joined.

const from = sql`from app.audiences u
  left join app.chapters c on c.org_id = u.org_id and c.id = u.chapter_id
  left join app.groups g on g.org_id = u.org_id and g.id = u.group_id`
const rowFields = sql`'id', u.id, 'name', u.name, 'description', u.description, 'chapter', ${orNull('c', chapterRef)}, 'group', ${orNull('g', groupRef)},
  'lastUsedAt', u.last_used_at, 'archivedAt', u.archived_at, 'createdAt', u.created_at, 'updatedAt', u.updated_at, 'version', u.version`

export function audiencesList({ q, archived = false }: { q?: string | undefined; archived?: boolean | undefined }): List<AudienceRow> {
  const words = q?.trim() ?? ''
  return {
    key: ['audiences', words, archived],
    item: sql`json_build_object(${rowFields})`,
    from,
    where: [
      archived ? sql`u.archived_at is not null` : sql`u.archived_at is null`,
      ...(words ? [sql<boolean>`u.id in (select app.search_audiences(${words}))`] : []),
    ],
    order: [sql`u.sort_name`, sql`u.id`],
  }
}

/** So many people are named on the page; the others are counted. */
const namedPeople = 50
const parts = (kind: string) => sql`(select (part ->> 'id')::uuid as id from parts where part ->> 'kind' = ${sql.lit(kind)})`
const names: RawBuilder<AudienceNamed[]> = sql`(
  with parts as materialized (select x.part from jsonb_array_elements(u.definition -> 'include' || (u.definition -> 'exclude')) x (part))
  select coalesce(json_agg(json_build_object('id', n.id, 'kind', n.kind, 'name', n.name, 'archived', n.archived)), '[]') from (
    select k.id, 'chapter' as kind, k.name, k.status = 'closed' as archived from app.chapters k where k.id in ${parts('chapter')}
    union all select k.id, 'group', k.name, k.archived_at is not null from app.groups k where k.id in ${parts('group')}
    union all select k.id, 'event', k.title, k.archived_at is not null from app.events k where k.id in ${parts('event')}
    union all select k.id, 'audience', k.name, k.archived_at is not null from app.audiences k where k.id in ${parts('audience')}
    union all (select p.id, 'persons', p.display_name, p.deleted_at is not null from app.people p
      where p.id in (select x.id::uuid from parts, jsonb_array_elements_text(parts.part -> 'ids') x (id)) order by p.sort_name, p.id limit ${sql.lit(namedPeople)})) n)`

export const audienceQuery = (id: string) =>
  statement(
    sql<{
      item: Audience
    }>`select json_build_object(${rowFields}, 'definition', u.definition,
    'scope', json_build_object('chapterId', u.chapter_id, 'groupId', u.group_id), 'names', ${names}) as item ${from} where u.id = ${id}`,
  )

export async function findAudience(db: ActorDb, id: string): Promise<Audience | undefined> {
  const { rows } = await db.executeQuery(audienceQuery(id).compile())
  return rows[0]?.item
}

export async function insertAudience(db: ActorDb, { orgId, accountId }: { orgId: string; accountId: string }, audience: NewAudience) {
  const { definition, ...others } = audience
  const { id } = await db
    .insertInto('app.audiences')
    .values({
      org_id: orgId,
      created_by: accountId,
      ...columnsOf('app.audiences', others),
      definition: JSON.stringify(definition),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Guarded = { audienceId: string; version: number }
export const updateAudience = (
  db: ActorDb,
  { audienceId: id, version }: Guarded,
  { definition, ...others }: AudienceChange,
): Promise<Audience> =>
  updateRecord(
    db,
    'app.audiences',
    { id, version },
    { ...columnsOf('app.audiences', others), ...(definition && { definition: JSON.stringify(definition) }) },
    () => findAudience(db, id),
  )

export const setArchived = (db: ActorDb, { audienceId: id, version }: Guarded, archived: boolean): Promise<Audience> =>
  updateRecord(db, 'app.audiences', { id, version }, { archived_at: archived ? sql`now()` : null }, () => findAudience(db, id))

/** People who are named newly must be seen by whoever names them. */
export async function mustSeePersons(db: ActorDb, definition: AudienceDefinition, before?: AudienceDefinition): Promise<void> {
  const known = before ? namedIn(before) : []
  for (const side of ['include', 'exclude'] as const) {
    for (const [nth, part] of definition[side].entries()) {
      if (part.kind !== 'persons') continue
      const { rows } = await sql`select from unnest(${part.ids}::uuid[]) x (id) where x.id <> all (${known}::uuid[])
        and not exists (select from app.people p where p.id = x.id and p.deleted_at is null and p.lifecycle not in ('merged', 'erased')) limit 1`.execute(
        db,
      )
      if (rows.length > 0)
        throw problem(
          'UNPROCESSABLE_CONTENT',
          fault(
            `definition.${side}.${nth}`,
            'audience_people_hidden',
            'Some of these people are gone or are not yours to see. Remove them.',
          ),
        )
    }
  }
}
const namedIn = ({ include, exclude }: AudienceDefinition) =>
  [...include, ...exclude].flatMap((part) => (part.kind === 'persons' ? part.ids : []))
