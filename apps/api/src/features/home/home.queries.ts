import type { Home } from '@guildhall/contract/features/home'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { chapterRef, groupRef, isCurrent, personRef } from '../../platform/lists/json-refs.ts'
import { auditItem, auditJoins } from '../account/account.public.ts'
import { birthdays, dataHealth, endingTerms, memberNumbers, vacancies } from './home.officers.queries.ts'
import type { Offices, Scope } from './home.rules.ts'

type Part<Key extends keyof Home> = RawBuilder<Home[Key]>
type Known = Offices & { chapters: Home['scopes']['chapters'] }

/** Where the caller is an officer, and whether the chapter asked for is among it. */
export async function officesOf(db: ActorDb, chapterId: string | undefined): Promise<Known> {
  const { rows } = await sql<Known>`
    with w as materialized (select app.everywhere('people.contact') as everywhere, app.scope('people.contact') as scope),
    mine as materialized (select unnest(scope) as id from w)
    select w.everywhere,
      exists (select from app.chapters c where c.id = ${chapterId ?? null}::uuid and (w.everywhere or c.id in (select id from mine))) as asked,
      (select coalesce(json_agg(${chapterRef('c')} order by c.depth, c.search), '[]') from (
        select c.* from app.chapters c join mine on mine.id = c.id left join mine above on above.id = c.parent_id where above.id is null
        order by c.depth, c.search limit 50) c) as chapters
    from w`.execute(db)
  return rows[0] ?? { everywhere: false, asked: false, chapters: [] }
}

/** Everything home shows of a scope, in one statement; each part is bounded by an index or a table of counts. */
export async function readHome(db: ActorDb, scope: Scope, { everywhere, chapters }: Known): Promise<Home> {
  const officer = scope.kind !== 'me'
  // One small set that every part hashes: left to itself, a plan for any chapter walks the tree again and again.
  const here =
    scope.kind === 'chapter'
      ? sql`with here as materialized (select chapter_id from app.chapter_ancestors where ancestor_id = ${scope.chapterId})`
      : sql``
  const within = (chapterId: RawBuilder<unknown>): RawBuilder<SqlBool> =>
    scope.kind === 'chapter' ? sql`${chapterId} in (select chapter_id from here)` : sql`true`
  const livesHere: RawBuilder<SqlBool> =
    scope.kind === 'chapter'
      ? sql`exists (select from app.chapter_ancestors x where x.ancestor_id = ${scope.chapterId} and x.chapter_id = p.home_chapter_id)`
      : sql`true`
  const belongsHere: RawBuilder<SqlBool> =
    scope.kind === 'chapter'
      ? sql`p.id in (select a.person_id from app.affiliations a where ${isCurrent('a')} and a.chapter_id in (select chapter_id from here))`
      : sql`true`
  const nothing = sql<null>`null::json`
  const { rows } = await sql<Omit<Home, 'scope' | 'scopes'>>`
    ${here} select app.today() as today, now() as "asOf", ${me} as me, ${requests} as requests, ${recentChanges(scope)} as "recentChanges",
      ${gettingStarted} as "gettingStarted",
      ${scope.kind === 'chapter' ? sql`(select ${chapterRef('c')} from app.chapters c where c.id = ${scope.chapterId})` : nothing} as chapter,
      (select case when count(*) = 1 then json_agg(${chapterRef('c')}) -> 0 end from (select * from app.chapters c where c.parent_id is null limit 2) c) as top,
      ${officer ? memberNumbers(within, belongsHere) : nothing} as members,
      ${officer ? endingTerms(within) : nothing} as "endingTerms",
      ${officer ? vacancies(within) : nothing} as vacancies,
      ${officer ? dataHealth(within, scope.kind === 'organisation') : nothing} as "dataHealth",
      ${officer ? birthdays(livesHere) : nothing} as birthdays`.execute(db)
  const [row] = rows
  if (!row) throw new Error('home answered nothing')
  return { ...row, scope: scope.kind, scopes: { organisation: everywhere, chapters } }
}

const me: Part<'me'> = sql`(
  select json_build_object('person', ${personRef('p')},
    'chapters', (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'code', c.code, 'kind', a.kind, 'isPrimary', a.is_primary)
        order by a.is_primary desc, c.search), '[]')
      from app.affiliations a join app.chapters c on c.org_id = a.org_id and c.id = a.chapter_id
      where a.org_id = p.org_id and a.person_id = p.id and ${isCurrent('a')}),
    'positions', (select coalesce(json_agg(json_build_object('positionId', s.id, 'title', s.title, 'chapter', ${chapterRef('c')}, 'endsOn', h.ends_on) order by s.title_key), '[]')
      from app.position_holders h join app.positions s on s.org_id = h.org_id and s.id = h.position_id
      join app.chapters c on c.org_id = s.org_id and c.id = s.chapter_id
      where h.org_id = p.org_id and h.person_id = p.id and ${isCurrent('h')}),
    'groups', (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'kind', g.kind, 'role', m.role, 'title', m.title, 'status', m.status) order by g.sort_name), '[]')
      from app.group_members m join app.groups g on g.org_id = m.org_id and g.id = m.group_id
      where m.org_id = p.org_id and m.person_id = p.id and m.ends_on is null and m.status in ('active', 'invited', 'requested') and g.archived_at is null))
  from app.people p where p.id = (select app.person_id()))`

/** Seeing that someone waits is not enough: only what the caller may answer. */
const requests: Part<'requests'> = sql`(
  select json_build_object('total', coalesce(max(x.total), 0), 'items', coalesce(json_agg(x.item order by x.created_at), '[]')) from (
    select json_build_object('memberId', m.id, 'group', ${groupRef('g')}, 'person', ${personRef('p')}, 'askedAt', m.created_at, 'version', m.version) as item,
      m.created_at, w.total
    from app.waiting_requests(10) w join app.group_members m on m.id = w.member_id join app.groups g on g.org_id = m.org_id and g.id = m.group_id
    join app.people p on p.org_id = m.org_id and p.id = m.person_id) x)`

/** Of a chapter, the newest of each chapter below it are looked at: walking the whole log for them would never end. */
function recentChanges(scope: Scope): Part<'recentChanges'> {
  const newest =
    scope.kind === 'organisation'
      ? sql`select * from app.audit_entries order by seq desc limit 10`
      : scope.kind === 'me'
        ? sql`select * from app.audit_entries where person_id = (select app.person_id()) order by seq desc limit 10`
        : sql`select e.* from app.chapter_ancestors x cross join lateral (
            select * from app.audit_entries e where e.chapter_id = x.chapter_id order by e.seq desc limit 10) e
          where x.ancestor_id = ${scope.chapterId} order by e.seq desc limit 10`
  return sql`(select coalesce(json_agg(x.item order by x.seq desc), '[]') from (select ${auditItem} as item, e.seq from (${newest}) e ${auditJoins}) x)`
}

const gettingStarted: Part<'gettingStarted'> = sql`(
  select case when (select app.everywhere('organisation.manage')) and not (done.organisation and done.chapters and done.people and done.officers and done.groups) then json_build_array(
    json_build_object('step', 'organisation', 'done', done.organisation), json_build_object('step', 'chapters', 'done', done.chapters),
    json_build_object('step', 'people', 'done', done.people), json_build_object('step', 'officers', 'done', done.officers),
    json_build_object('step', 'groups', 'done', done.groups)) end
  from (select exists (select from app.organisations where contact_email is not null) as organisation,
    (select count(*) from (select from app.chapters limit 2) c) > 1 as chapters,
    (select count(*) from (select from app.people where deleted_at is null limit 2) p) > 1 as people,
    exists (select from app.position_holders) as officers, exists (select from app.groups) as groups) done)`
