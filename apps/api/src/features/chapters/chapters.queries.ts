import type { Chapter, ChapterRow, KindCounts, Officer, Vacancy } from '@guildhall/contract/features/chapters'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { chapterRef, faceRef, isCurrent, mayInChapter, orNull, whenOf } from '../../platform/lists/json-refs.ts'
import { fieldValues } from '../fields/fields.public.ts'
import { tagRefs } from '../tags/tags.public.ts'
import { statement } from '../../platform/records/statement.ts'
import type { OwnCounts } from './chapters.rules.ts'

/** The whole tree in one statement, by depth; counts are each chapter's own. */
export const treeQuery = () =>
  statement(sql<OwnCounts>`
    select c.id, c.parent_id as "parentId", c.name, c.code, c.level, c.status, c.depth,
      coalesce(m.people, 0) as members, coalesce(al.people, 0) as alumni, coalesce(o.officers, 0) as officers, coalesce(o.vacancies, 0) as vacancies
    from app.chapters c
    left join app.chapter_counts m on m.org_id = c.org_id and m.chapter_id = c.id and m.kind = 'member'
    left join app.chapter_counts al on al.org_id = c.org_id and al.chapter_id = c.id and al.kind = 'alumni'
    left join (
      select s.chapter_id, sum(n.people)::int as officers, count(*) filter (where s.mandatory and n.people is null)::int as vacancies
      from app.positions s left join app.officers_now() n on n.position_id = s.id
      group by s.chapter_id
    ) o on o.chapter_id = c.id
    order by c.depth, c.search, c.id`)

/** One row of a list of chapters; `c` is the chapter, `up` its parent, left joined. */
export const chapterRow = sql<ChapterRow>`json_build_object('id', c.id, 'parent', ${orNull('up', chapterRef)}, 'name', c.name, 'code', c.code,
  'level', c.level, 'status', c.status, 'depth', c.depth, 'city', c.city, 'contactEmail', c.contact_email, 'charteredOn', c.chartered_on,
  'members', coalesce((select n.people from app.chapter_counts n where n.org_id = c.org_id and n.chapter_id = c.id and n.kind = 'member'), 0),
  'tags', ${tagRefs('chapter', sql`c.org_id`, sql`c.id`)}, 'version', c.version)`

/** `h` is the term, `s` its office, `p` the person. */
export const officerItem = sql<Officer>`json_build_object('id', h.id, 'position', json_build_object('id', s.id, 'title', s.title, 'mandatory', s.mandatory),
  'person', ${faceRef('p')}, 'startsOn', h.starts_on, 'endsOn', h.ends_on, 'when', ${whenOf('h')}, 'note', h.note, 'version', h.version)`

export const officersFrom = sql`from app.position_holders h
  join app.positions s on s.org_id = h.org_id and s.id = h.position_id
  join app.people p on p.org_id = h.org_id and p.id = h.person_id`

/** Offices of a chapter with seats that nobody holds today. */
export const vacanciesOf = (chapterId: RawBuilder<unknown>, mandatoryOnly: boolean): RawBuilder<Vacancy[]> => sql`(
  select coalesce(json_agg(json_build_object('positionId', s.id, 'title', s.title, 'mandatory', s.mandatory,
    'openSeats', s.max_holders - coalesce(n.people, 0)) order by s.mandatory desc, s.title_key), '[]')
  from app.positions s left join app.officers_now() n on n.position_id = s.id
  where s.chapter_id = ${chapterId} and coalesce(n.people, 0) < s.max_holders
    ${mandatoryOnly ? sql`and s.mandatory and n.people is null` : sql``})`

const kindCounts = (from: RawBuilder<unknown>): RawBuilder<KindCounts> => sql`(
  select json_build_object(${sql.join(
    ['member', 'alumni', 'advisor', 'friend', 'applicant'].flatMap((kind) => [
      sql.lit(kind),
      sql`coalesce(sum(n.people) filter (where n.kind = ${sql.lit(kind)}), 0)::int`,
    ]),
  )}) ${from})`

/** A chapter with everything its page shows first. */
export const chapterQuery = (chapterId: string) =>
  statement(sql<{ chapter: Chapter }>`
    select json_build_object('id', c.id, 'parent', ${orNull('up', chapterRef)}, 'name', c.name, 'code', c.code, 'level', c.level, 'status', c.status,
      'depth', c.depth, 'about', c.about, 'city', c.city, 'contactEmail', c.contact_email, 'website', c.website, 'timezone', c.timezone,
      'charteredOn', c.chartered_on, 'closedOn', c.closed_on, 'version', c.version, 'createdAt', c.created_at, 'updatedAt', c.updated_at,
      'tags', ${tagRefs('chapter', sql`c.org_id`, sql`c.id`)}, 'publicPage', c.public_page,
      'publicPageOpen', c.public_page and c.status = 'active' and (select o.public_chapters from app.organisations o),
      'ancestors', (select coalesce(json_agg(${chapterRef('x')} order by a.distance desc), '[]') from app.chapter_ancestors a
        join app.chapters x on x.org_id = a.org_id and x.id = a.ancestor_id where a.org_id = c.org_id and a.chapter_id = c.id and a.distance > 0),
      'counts', json_build_object(
        'own', ${kindCounts(sql`from app.chapter_counts n where n.org_id = c.org_id and n.chapter_id = c.id`)},
        'subtree', ${kindCounts(sql`from app.chapter_ancestors a join app.chapter_counts n on n.org_id = a.org_id and n.chapter_id = a.chapter_id
          where a.org_id = c.org_id and a.ancestor_id = c.id`)}),
      'subchapters', (select coalesce(json_agg(x.item order by x.search), '[]') from (
        select ${chapterRow} as item, c.search from app.chapters c left join app.chapters up on up.org_id = c.org_id and up.id = c.parent_id
        where c.parent_id = ${chapterId} order by c.search limit 200) x),
      'descendants', (select count(*)::int - 1 from app.chapter_ancestors a where a.org_id = c.org_id and a.ancestor_id = c.id),
      'groups', (select count(*)::int from app.groups g where g.org_id = c.org_id and g.chapter_id = c.id and g.archived_at is null),
      'officers', (select coalesce(json_agg(x.item order by x.mandatory desc, x.title_key, x.sort_name), '[]') from (
        select ${officerItem} as item, s.mandatory, s.title_key, p.sort_name ${officersFrom}
        where s.chapter_id = c.id and ${isCurrent('h')} order by s.mandatory desc, s.title_key, p.sort_name limit 100) x),
      'vacancies', ${vacanciesOf(sql`c.id`, true)},
      'fields', ${fieldValues('chapters', 'c.org_id', 'c.id')},
      'may', json_build_object('edit', ${mayInChapter('chapters.edit', sql`c.id`)}, 'manage', (select app.everywhere('chapters.manage')),
        'appoint', ${mayInChapter('positions.appoint', sql`c.id`)}, 'addPeople', ${mayInChapter('people.write', sql`c.id`)},
        'manageGroups', ${mayInChapter('groups.manage', sql`c.id`)},
        'seeHistory', ((select app.everywhere('audit.read')) or ${mayInChapter('people.contact', sql`c.id`)}))) as chapter
    from app.chapters c left join app.chapters up on up.org_id = c.org_id and up.id = c.parent_id
    where c.id = ${chapterId}`)
