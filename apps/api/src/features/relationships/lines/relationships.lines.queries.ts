import type { LinePair, LineRecord } from '@guildhall/contract/features/relationships.lines'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { chapterRef, orNull } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { anybodyFound } from '../../../platform/lists/person-match.ts'
import { matchRank } from '../../../platform/lists/match-rank.ts'

/** A kind of relationship, with what its lines and problems depend on. */
export type LineType = { id: string; key: string; name: string; maxParents: number | null; grants: string; isMinorsOnly: boolean }
/** What is asked once for each request: the day, who asks, and whether they run reports. */
export type Frame = { today: string; at: string; me: string | null; reports: boolean; type: LineType | null; kinds: string[] }

export async function findFrame(db: ActorDb, kind: string): Promise<Frame> {
  const { rows } = await sql<Frame>`
    select app.today() as today, now() as at, app.person_id() as me, app.everywhere('reports.read') or app.scope('reports.read') <> '{}' as reports,
      (select json_build_object('id', t.id, 'key', t.key, 'name', t.name, 'maxParents', t.max_parents, 'grants', t.grants, 'isMinorsOnly', t.is_minors_only)
        from app.relationship_types t where t.key = ${kind}) as type,
      (select coalesce(json_agg(t.key order by t.key), '[]') from app.relationship_types t where t.archived_at is null) as kinds`.execute(
    db,
  )
  const [frame] = rows
  if (!frame) throw new Error('a statement without a condition has a row')
  return frame
}

// Links -------------------------------------------------------------------------------------------------------------------------------

/** Which links: of a kind, on a day, whose second person belongs to a chapter or below. */
export type Scope = { kind: string; asOf: string; chapterId: string | null }
type Packed = { links: Buffer | null }
type Walk = { from: readonly string[]; upwards: boolean; own: boolean; most: number }

const packed = async (db: ActorDb, found: RawBuilder<unknown>): Promise<Buffer> => {
  const { rows } = await sql<Packed>`select ${found} as links`.execute(db)
  return rows[0]?.links ?? Buffer.alloc(0)
}

/** Everything below some people, or above them. */
export const linksFrom = (db: ActorDb, { kind, asOf, chapterId }: Scope, { from, upwards, own, most }: Walk) =>
  packed(db, sql`app.line_links(${kind}, ${asOf}::date, ${chapterId}::uuid, ${own}, ${from}::uuid[], ${upwards}, ${most})`)

export const allLinks = (db: ActorDb, { kind, asOf, chapterId }: Scope, most: number) =>
  packed(db, sql`app.line_all(${kind}, ${asOf}::date, ${chapterId}::uuid, ${most})`)

/** One step up and down from some people. */
export const stepsFrom = (db: ActorDb, { kind, asOf }: Scope, from: readonly string[], most: number) =>
  packed(db, sql`app.line_steps(${kind}, ${asOf}::date, ${from}::uuid[], ${most})`)

export async function reaches(db: ActorDb, { kind, asOf }: Scope, personId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select app.line_reaches(${kind}, ${asOf}::date, ${personId}::uuid) as found`.execute(db)
  return rows[0]?.found ?? false
}

// People ------------------------------------------------------------------------------------------------------------------------------

/** `p` is the person, `h` the home chapter, left joined. */
const personRecord = (p: string, h: string): RawBuilder<LineRecord> =>
  sql`json_build_object('id', ${sql.ref(`${p}.id`)}, 'name', ${sql.ref(`${p}.display_name`)}, 'pictureId', ${sql.ref(`${p}.picture_id`)}, 'chapter', ${orNull(h, chapterRef)})`

/** So many are named in one statement: between two, the server answers others. */
const atOnce = 2_000

/** Those of these people whom the reader sees. */
export async function findPeople(db: ActorDb, ids: readonly string[]): Promise<LineRecord[]> {
  const found: LineRecord[] = []
  for (let from = 0; from < ids.length; from += atOnce) {
    const { rows } = await sql<{ items: LineRecord[] }>`
      select coalesce(json_agg(${personRecord('p', 'h')}), '[]') as items
      from app.people p left join app.chapters h on h.org_id = p.org_id and h.id = p.home_chapter_id
      where p.id = any (${ids.slice(from, from + atOnce)}::uuid[]) and p.deleted_at is null`.execute(db)
    found.push(...(rows[0]?.items ?? []))
  }
  return found
}

/** Ids of the people that a text finds. */
export async function peopleFound(db: ActorDb, q: string): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`select coalesce(json_agg(f.id), '[]') as ids from app.matching_people(${q}) f`.execute(db)
  return rows[0]?.ids ?? []
}

/** People of a kind whom a text finds, the nearest names first; `within` where only some may be asked for. */
export async function searchPeople(
  db: ActorDb,
  { type, asOf }: { type: LineType; asOf: string },
  q: string,
  within: readonly string[] | null,
  most: number,
): Promise<string[]> {
  const among = within
    ? sql`p.id = any (${within}::uuid[])`
    : sql`(${hasLink(type, asOf, 'from_person_id')} or ${hasLink(type, asOf, 'to_person_id')})`
  const { rows } = await sql<{ id: string }>`select p.id from app.people p
    where p.deleted_at is null and ${anybodyFound(q)} and ${among}
    order by ${matchRank(sql`p.display_name`, q)}, p.sort_name, p.id limit ${sql.lit(most)}`.execute(db)
  return rows.map(({ id }) => id)
}

const hasLink = (type: LineType, asOf: string, side: string): RawBuilder<SqlBool> =>
  sql`exists (select from app.relationships r where ${linkOn(type, asOf)} and ${sql.ref(`r.${side}`)} = p.id)`

// Rows of pairs -----------------------------------------------------------------------------------------------------------------------

/** `r` is a relationship of the kind that is active on the day. */
export const linkOn = ({ id }: LineType, asOf: string): RawBuilder<SqlBool> =>
  sql`(r.type_id = ${id} and r.state in ('active', 'ended') and coalesce(r.starts_on, '-infinity') <= ${asOf}::date and coalesce(r.ends_on, 'infinity') >= ${asOf}::date)`

/** Of what row-level security shows, what is theirs as a reader of reports: over one of the two, or their own. */
export const reported: RawBuilder<SqlBool> = sql`((select app.everywhere('reports.read'))
  or exists (select from app.people_within('reports.read') w where w.org_id = r.org_id and w.person_id in (r.from_person_id, r.to_person_id))
  or r.from_person_id = (select app.person_id()) or r.to_person_id = (select app.person_id()))`

/** Whom the scope means: who belonged to its chapter or below on the day, everybody where it has none. `person` is an alias of people. */
export const inScope = ({ chapterId, asOf }: Scope, person: 'c' | 'p'): RawBuilder<SqlBool> =>
  chapterId === null
    ? sql`true`
    : sql`exists (
  select from app.affiliations a join app.chapter_ancestors s on s.org_id = a.org_id and s.chapter_id = a.chapter_id and s.ancestor_id = ${chapterId}::uuid
  where a.org_id = ${sql.ref(`${person}.org_id`)} and a.person_id = ${sql.ref(`${person}.id`)}
    and a.starts_on <= ${asOf}::date and (a.ends_on is null or a.ends_on >= ${asOf}::date))`

/** `p` stands above, `c` below, each with their home chapter. */
export const pairFrom = sql`from app.relationships r
  join app.people c on c.org_id = r.org_id and c.id = r.to_person_id and c.deleted_at is null
  join app.people p on p.org_id = r.org_id and p.id = r.from_person_id and p.deleted_at is null`

/** Without what is counted: generation and descendants. */
export type PairRow = Omit<LinePair, 'generation' | 'descendants'>

/** By the name of the second person: there is an index on names, and few have many above. `ids` narrows to some links. */
export function pairsList(type: LineType, scope: Scope, q: string | undefined, ids: readonly string[] | null): List<PairRow> {
  const { asOf, chapterId } = scope
  return {
    key: ['line pairs', type.id, asOf, chapterId, q, ids !== null],
    item: sql`json_build_object('relationshipId', r.id, 'parent', ${personRecord('p', 'ph')}, 'child', ${personRecord('c', 'ch')}, 'kind', ${type.key}::text,
      'since', r.starts_on, 'until', r.ends_on, 'state', r.state, 'verifiedBy',
      (select n.name from app.account_name(r.verified_by) n where n.person_id is null or exists (select from app.people x where x.id = n.person_id)))`,
    from: sql`${pairFrom}
      left join app.chapters ch on ch.org_id = c.org_id and ch.id = c.home_chapter_id
      left join app.chapters ph on ph.org_id = p.org_id and ph.id = p.home_chapter_id`,
    where: [
      linkOn(type, asOf),
      reported,
      inScope(scope, 'c'),
      ...(ids === null ? [] : [sql<SqlBool>`r.id = any (${ids}::uuid[])`]),
      ...(q === undefined
        ? []
        : [
            sql<SqlBool>`(c.id in (select f.id from app.matching_people(${q}) f) or p.id in (select f.id from app.matching_people(${q}) f))`,
          ]),
    ],
    order: [sql`c.sort_name`, sql`c.id`, sql`r.id`],
  }
}

/** Active members without a place in any line of the kind. */
export async function countIsolated(db: ActorDb, type: LineType, scope: Scope): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from app.people p
    where p.lifecycle = 'active' and p.deleted_at is null and ${inScope(scope, 'p')}
      and p.id not in (select r.from_person_id from app.relationships r where ${linkOn(type, scope.asOf)})
      and p.id not in (select r.to_person_id from app.relationships r where ${linkOn(type, scope.asOf)})`.execute(db)
  return rows[0]?.n ?? 0
}

/** A line as a file is an export. */
export const noteExport = (db: ActorDb, rootId: string | null, diff: Record<string, unknown>) =>
  sql`select app.record_audit('export', 'relationships', ${rootId}::uuid, ${JSON.stringify(diff)}::jsonb)`.execute(db)

/** What files name people by, beside their names. */
export async function memberNumbers(db: ActorDb, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{
    id: string
    no: string
  }>`select p.id, p.member_no as no from app.people p where p.id = any (${ids}::uuid[]) and p.member_no is not null`.execute(db)
  return new Map(rows.map(({ id, no }) => [id, no]))
}
