import { AudienceDefinition } from '@guildhall/contract/features/communication.audiences'
import type { AudiencePart, AudienceScope, AudienceWhy } from '@guildhall/contract/features/communication.audiences'
import type { Permission } from '@guildhall/contract/permissions'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { faceRef, isCurrent } from '../../../platform/lists/json-refs.ts'
import { fault, problem } from '../../../platform/procedures/problem.ts'
import { checksIn } from '../../events/events.public.ts'
import { seesRoster } from '../../groups/groups.references.public.ts'
import { peopleSelection } from '../../people/list/people.selection.public.ts'
import { audienceDepth, audiencePartLimit, partsOf, referencesOf } from './communication.audiences.rules.ts'
import type { Reference } from './communication.audiences.rules.ts'

type Condition = RawBuilder<SqlBool>
/** A SELECT of `person_id`. */
type People = RawBuilder<{ person_id: string }>

/** A definition whose saved audiences have been read, and of which each part is known to be the caller's to use. */
export type ReadAudience = { include: ReadPart[]; exclude: ReadPart[] }
type ReadPart = { people: People; condition?: Condition }

/**
 * The people of an audience, each once, as a SELECT of `person_id`: those whom the actor of `db` sees, and whom they reach from this scope with the
 * permission. Refuses parts that name what the actor does not see.
 */
export async function audienceSql(
  db: ActorDb,
  definition: AudienceDefinition,
  scope: AudienceScope,
  permission: Permission = 'messages.write',
): Promise<People> {
  const { include, exclude } = await readAudience(db, definition)
  return sql`select p.id as person_id from app.people p where ${isThere} and ${reached(scope, permission)} and ${meets({ include, exclude })}`
}

/** Which parts find a person, and whether the scope does; nothing for somebody whom the actor does not see. */
export async function findParts(db: ActorDb, definition: AudienceDefinition, scope: AudienceScope, personId: string) {
  const { include, exclude } = await readAudience(db, definition)
  const found = (parts: readonly ReadPart[]) =>
    sql<
      boolean[]
    >`json_build_array(${sql.join(parts.map(({ people }) => sql`exists (select from (${people}) i where i.person_id = p.id)`))})`
  const { rows } = await sql<{
    person: AudienceWhy['person']
    inScope: boolean
    include: boolean[]
    exclude: boolean[]
  }>`select ${faceRef('p')} as person, ${reached(scope, 'messages.write')} and ${isThere} as "inScope",
      ${found(include)} as include, ${found(exclude)} as exclude
    from app.people p where p.id = ${personId}`.execute(db)
  return rows[0]
}

/** People without a record of their own any more are in no audience. */
const isThere = sql<SqlBool>`p.deleted_at is null and p.lifecycle not in ('merged', 'erased')`

/** Whom the actor reaches from a scope: a chapter's sender its own subtree, a group's its members, and only senders of the organisation everybody. */
export function reached({ chapterId, groupId }: AudienceScope, permission: Permission): Condition {
  const named = sql.lit(permission)
  const everywhere = sql`(select app.everywhere(${named}))`
  if (groupId) return inGroup(groupId, sql`(${everywhere} or m.group_id = any ((select app.group_scope(${named}))::uuid[]))`)
  if (chapterId) return inSubtree(chapterId, sql`(${everywhere} or d.chapter_id = any ((select app.scope(${named}))::uuid[]))`)
  return sql`${everywhere}`
}

/** Whether the actor reaches anybody from a scope, whoever is there. */
export async function mayReach(db: ActorDb, { chapterId, groupId }: AudienceScope, permission: Permission): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select (select app.everywhere(${permission}))
    or coalesce(${groupId}::uuid = any (app.group_scope(${permission})), false) or coalesce(${chapterId}::uuid = any (app.scope(${permission})), false) as may`.execute(
    db,
  )
  return rows[0]?.may ?? false
}

const inGroup = (groupId: string, may: Condition): Condition => sql`p.id in (select m.person_id from app.group_members m
  where m.group_id = ${groupId} and m.status = 'active' and ${isCurrent('m')} and ${may})`
const inSubtree = (chapterId: string, may: Condition): Condition => sql`p.id in (select a.person_id from app.affiliations a
  where a.chapter_id = any (array(select d.chapter_id from app.chapter_ancestors d where d.ancestor_id = ${chapterId} and ${may})) and ${isCurrent('a')})`

/** Whether `p` is in one of the parts that include and in none that excludes. */
function meets({ include, exclude }: ReadAudience): Condition {
  const [only, ...more] = include
  if (!only) return sql`false`
  // A list of people is read along instead of being collected first.
  const included =
    more.length === 0 && only.condition ? only.condition : sql<SqlBool>`p.id in (select i.person_id from (${unionOf(include)}) i)`
  return exclude.length === 0 ? included : sql`${included} and not exists (select from (${unionOf(exclude)}) e where e.person_id = p.id)`
}
const unionOf = (parts: readonly ReadPart[]): People =>
  sql`${sql.join(
    parts.map(({ people }) => sql`(${people})`),
    sql` union all `,
  )}`

// Parts ---------------------------------------------------------------------------------------------------------------------------------

/** Reads the saved audiences in it, and refuses what the caller does not see, at the place where it stands. */
export async function readAudience(db: ActorDb, definition: AudienceDefinition): Promise<ReadAudience> {
  const seen: Seen = { references: [], parts: 0 }
  const read = await readParts(db, definition, seen, null)
  await mustSeeAll(db, seen.references)
  return read
}

type Seen = { references: (Reference & { path: string })[]; parts: number }
/** Where a saved audience stands: the place in the definition asked about, and the audiences around it. */
type Within = { path: string; ids: readonly string[] }

async function readParts(db: ActorDb, definition: AudienceDefinition, seen: Seen, within: Within | null): Promise<ReadAudience> {
  const read: ReadAudience = { include: [], exclude: [] }
  for (const { part, path } of partsOf(definition)) {
    const at = within?.path ?? path
    seen.parts += 1
    if (seen.parts > audiencePartLimit) throw refused(at, 'audience_too_deep')
    seen.references.push(...referencesOf(part).map((reference) => ({ ...reference, path: at })))
    const list = path.startsWith('definition.include') ? read.include : read.exclude
    list.push(
      part.kind === 'audience' ? await readSaved(db, part.id, seen, { path: at, ids: within?.ids ?? [] }) : await readPart(db, part),
    )
  }
  return read
}

/** What is saved for a chapter or a group stays within it, wherever it is used. */
async function readSaved(db: ActorDb, id: string, seen: Seen, { path, ids }: Within): Promise<ReadPart> {
  if (ids.includes(id)) throw refused(path, 'audience_cycle')
  if (ids.length >= audienceDepth) throw refused(path, 'audience_too_deep')
  const saved = await db
    .selectFrom('app.audiences')
    .select(['chapter_id', 'group_id', 'definition', 'archived_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!saved) throw refused(path, 'audience_part_hidden')
  // An audience that names an archived one keeps it; nothing new can use it.
  if (saved.archived_at && ids.length === 0) throw refused(path, 'audience_archived')
  const inner = await readParts(db, AudienceDefinition.parse(saved.definition), seen, { path, ids: [...ids, id] })
  const { chapter_id: chapterId, group_id: groupId } = saved
  const bounds = groupId ? inGroup(groupId, sql`true`) : chapterId ? inSubtree(chapterId, sql`true`) : sql<SqlBool>`true`
  const condition = sql<SqlBool>`(${bounds} and ${meets(inner)})`
  return { people: sql`select p.id as person_id from app.people p where ${condition}`, condition }
}

async function readPart(db: ActorDb, part: Exclude<AudiencePart, { kind: 'audience' }>): Promise<ReadPart> {
  switch (part.kind) {
    case 'people': {
      const condition = await peopleSelection(db, part)
      return { people: sql`select p.id as person_id from app.people p where ${condition}`, condition }
    }
    case 'persons':
      return { people: sql`select x.id as person_id from unnest(${part.ids}::uuid[]) x (id)` }
    case 'chapter': {
      const chapters = part.below
        ? sql`array(select d.chapter_id from app.chapter_ancestors d where d.ancestor_id = ${part.id})`
        : sql`array[${part.id}::uuid]`
      return {
        people: sql`select a.person_id from app.affiliations a where a.chapter_id = any (${chapters}) and a.kind <> 'applicant' and ${isCurrent('a')}`,
      }
    }
    case 'group':
      return {
        people: sql`select m.person_id from app.group_members m where m.group_id = ${part.id} and m.status = 'active' and ${isCurrent('m')}`,
      }
    case 'event':
      return {
        people: sql`select r.person_id from app.registrations r where r.event_id = ${part.id} and r.status = any (${part.statuses}::text[])
          and r.person_id is not null`,
      }
  }
}

// Refusals ------------------------------------------------------------------------------------------------------------------------------

const refusals = {
  audience_archived: 'This audience is archived. Restore it or choose another one.',
  audience_cycle: 'An audience cannot contain itself.',
  audience_part_hidden: 'This names a record that is gone or that you cannot see in full. Remove it.',
  audience_too_deep: 'These audiences contain too many others. Use fewer.',
}
const refused = (path: string, reason: keyof typeof refusals) => problem('UNPROCESSABLE_CONTENT', fault(path, reason, refusals[reason]))

/** What is not there is refused like what is hidden. */
async function mustSeeAll(db: ActorDb, references: readonly (Reference & { path: string })[]): Promise<void> {
  if (references.length === 0) return
  const { rows } = await sql<{
    nth: number
  }>`select x.nth::int as nth from unnest(${references.map(({ kind }) => kind)}::text[], ${references.map(({ id }) => id)}::uuid[])
      with ordinality x (kind, id, nth)
    where not case x.kind
      when 'chapter' then exists (select from app.chapters c where c.id = x.id
        and ((select app.everywhere('people.directory')) or c.id = any ((select app.scope('people.directory'))::uuid[])))
      when 'group' then exists (select from app.groups g where g.id = x.id and ${seesRoster})
      when 'event' then exists (select from app.events e where e.id = x.id and ${checksIn})
      when 'tag' then exists (select from app.tags t where t.id = x.id)
      when 'membershipType' then exists (select from app.membership_types t where t.id = x.id)
      else false end
    order by x.nth limit 1`.execute(db)
  const first = rows[0] && references[rows[0].nth - 1]
  if (first) throw refused(first.path, 'audience_part_hidden')
}
